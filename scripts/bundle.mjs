// Puts the compiled service, and the packages it is made of, into a few files: what npm start runs. Node finds and compiles
// two thousand small files in two seconds, and these in a fraction of one (docs/decisions/0036).
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { isBuiltin } from 'node:module'
import { dirname, join, relative, sep } from 'node:path'
import { build } from 'esbuild'
import { root } from './ensure-installed.mjs'

const SERVER = join(root, 'packages/server')
const COMPILED = join(SERVER, 'dist')
const BUNDLE = join(SERVER, 'bundle')
const BUILDS = join(BUNDLE, '.builds.json')

/** The program and its threads, each at the place that it has in `dist`. */
const PROGRAMS = [
  'main',
  'statement-thread',
  'adapters/threads/certificate-thread',
  'adapters/threads/inspection-thread',
  'adapters/threads/printer-thread',
  'adapters/threads/signing-thread',
]

/** Packages that look for files of their own beside themselves, or that are not JavaScript: Node loads them as ever. */
const EXTERNAL = ['@node-rs/argon2', 'ioredis', 'libxml2-wasm', 'pdfkit']
/** They ask where they are only for what we do not use: a line of a stack, and threads that write the log. */
const NEVER_ASKS = ['undici', 'pino', 'thread-stream']

const PLACES = 'timbre:places'
const posix = (path) => path.split(sep).join('/')
const packageOf = (path) => /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(posix(path))?.[1] ?? null

/**
 * A module of ours that asks where it is hears the place that it has in `dist`, told from `bundle`, which lies beside it: paths
 * to migrations, guides and threads then lead where they always led. A package that asks is refused.
 */
const places = {
  name: 'places',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^timbre:places$/ }, () => ({ path: PLACES, namespace: 'places' }))
    onLoad({ filter: /.*/, namespace: 'places' }, () => ({
      contents: `const bundle = new URL('../', import.meta.url)
        export const placeOf = (path) => new URL(path, bundle).href`,
    }))
    onLoad({ filter: /\.[cm]?js$/ }, ({ path }) => {
      const text = readFileSync(path, 'utf8')
      if (!/__dirname|__filename|import\.meta/.test(text)) return null
      const name = packageOf(path)
      if (name === null) {
        const place = JSON.stringify(posix(relative(COMPILED, path)))
        const contents = text.replaceAll('import.meta.url', `__placeOf(${place})`)
        return { contents: `${contents}\nimport { placeOf as __placeOf } from '${PLACES}'\n` }
      }
      if (NEVER_ASKS.includes(name)) return null
      return { errors: [{ text: `${name} asks where it is: name it in EXTERNAL of scripts/bundle.mjs` }] }
    })
  },
}

const versionOf = (path) => {
  const name = packageOf(path)
  if (name === null) return null
  const folder = path.slice(0, posix(path).lastIndexOf(`/node_modules/${name}/`))
  return `${name} ${JSON.parse(readFileSync(join(folder, 'node_modules', name, 'package.json'), 'utf8')).version}`
}

/**
 * A package that is loaded later stays where it is: a start does not need it, and the names that a CommonJS one exports would be
 * lost. Where npm installed one version of a package twice, for two of our packages, here it is one.
 */
const packages = {
  name: 'packages',
  setup({ onResolve, resolve }) {
    onResolve({ filter: /^[a-z@]/ }, async ({ path, importer, kind, pluginData }) => {
      if (pluginData === 'asked' || path.startsWith('@timbre/') || isBuiltin(path)) return null
      if (kind === 'dynamic-import') return { path, external: true }
      if (!/\/packages\/(?!server\/)[^/]+\/dist\//.test(posix(importer)) || EXTERNAL.includes(path)) return null
      const asIf = (resolveDir) => resolve(path, { resolveDir, kind, pluginData: 'asked' })
      const [theirs, ours] = await Promise.all([asIf(dirname(importer)), asIf(COMPILED)])
      return ours.errors.length === 0 && versionOf(ours.path) === versionOf(theirs.path) ? ours : theirs
    })
  },
}

function folderOf(name, from) {
  const folder = join(from, 'node_modules', name)
  return existsSync(folder) || from === root ? folder : folderOf(name, dirname(from))
}

/** From the bundle a package must be the one that its importer would have found. */
function checkExternals(inputs) {
  for (const [file, { imports }] of Object.entries(inputs)) {
    for (const { path } of imports.filter(({ path, external }) => external && !isBuiltin(path))) {
      const [name] = /^(?:@[^/]+\/)?[^/]+/.exec(path)
      if (folderOf(name, dirname(join(root, file))) !== folderOf(name, BUNDLE))
        throw new Error(`${name} is another one for ${file} than for the bundle`)
    }
  }
}

/** A service that runs may still load files of the build it was started from: those of the last few stay. */
function sweep(files) {
  const before = existsSync(BUILDS) ? JSON.parse(readFileSync(BUILDS, 'utf8')) : []
  const kept = [files, ...before].slice(0, 4)
  for (const file of before.flat())
    if (!kept.some((build) => build.includes(file))) rmSync(join(BUNDLE, file), { force: true })
  writeFileSync(BUILDS, JSON.stringify(kept))
}

const { metafile } = await build({
  absWorkingDir: root,
  entryPoints: {
    // In a chunk, whoever imports it: it tells where the bundle is by where it is itself.
    'chunks/places': PLACES,
    ...Object.fromEntries(PROGRAMS.map((name) => [name, join(COMPILED, `${name}.js`)])),
  },
  outdir: BUNDLE,
  chunkNames: 'chunks/[name]-[hash]',
  bundle: true,
  splitting: true,
  metafile: true,
  format: 'esm',
  platform: 'node',
  target: 'node20',
  external: EXTERNAL,
  logLevel: 'warning',
  // What CommonJS packages ask Node for.
  banner: { js: `import { createRequire as __from } from 'node:module'\nconst require = __from(import.meta.url)` },
  plugins: [places, packages],
})
checkExternals(metafile.inputs)
sweep(Object.keys(metafile.outputs).map((path) => posix(relative(BUNDLE, join(root, path)))))
