// Puts the compiled service, and the packages it is made of, into a few files: what npm start runs. Node finds and compiles
// two thousand small files in two seconds, and these in a fraction of one (docs/decisions/0036).
import { existsSync, mkdirSync, readdirSync, readFileSync, rmdirSync, rmSync, writeFileSync } from 'node:fs'
import { isBuiltin } from 'node:module'
import { dirname, join, relative, sep } from 'node:path'
import { build } from 'esbuild'
import { sources, stampOf } from './build.mjs'
import { root } from './ensure-installed.mjs'
import { inOneFile } from './one-file.mjs'

const SERVER = join(root, 'packages/server')
const COMPILED = join(SERVER, 'dist')
const BUNDLE = join(SERVER, 'bundle')
const BUILDS = join(BUNDLE, '.builds.json')

/** The threads of the program, each at the place that it has in `dist`. */
const THREADS = [
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

/** What the framework asks for only where a route has a schema, or a test calls it without a socket. Neither happens in the service. */
const NEVER_LOADED = ['@fastify/ajv-compiler', '@fastify/fast-json-stringify-compiler', 'light-my-request']

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
  for (const { name } of readdirSync(BUNDLE, { withFileTypes: true }).filter((entry) => entry.isDirectory()))
    if (readdirSync(join(BUNDLE, name)).length === 0) rmdirSync(join(BUNDLE, name))
  writeFileSync(BUILDS, JSON.stringify(kept))
}

// What CommonJS packages ask Node for.
const BANNER = `import { createRequire as __from } from 'node:module'
const require = __from(import.meta.url)`

/** Programs and the files that they share, by their place under the root. */
async function bundled(programs, chunks) {
  const { metafile, outputFiles } = await build({
    absWorkingDir: root,
    entryPoints: {
      // In a chunk, whoever imports it: it tells where the bundle is by where it is itself.
      [`${chunks}/places`]: PLACES,
      ...Object.fromEntries(programs.map((name) => [name, join(COMPILED, `${name}.js`)])),
    },
    outdir: BUNDLE,
    chunkNames: `${chunks}/[name]-[hash]`,
    bundle: true,
    splitting: true,
    write: false,
    metafile: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    external: [...EXTERNAL, ...NEVER_LOADED],
    logLevel: 'warning',
    banner: { js: BANNER },
    plugins: [places, packages],
  })
  checkExternals(metafile.inputs)
  const texts = new Map(outputFiles.map(({ path, text }) => [posix(relative(root, path)), text]))
  return { texts, outputs: metafile.outputs, banner: BANNER }
}

/**
 * Every sign beyond ASCII as its escape, which means the same in a comment, a pattern and a template: one of them can
 * double what a file takes in memory, and Node no longer reads it the quick way.
 */
const ascii = (text) => text.replace(/[^\0-\x7f]/g, (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`)

// In a folder for each content: those that are loaded later name the one file of their own build, whatever is built meanwhile.
const program = await bundled(['main'], `chunks-${stampOf(sources()).slice(0, 8)}`)
const madeFrom = (name) =>
  Object.keys(program.outputs).find(
    (path) => program.outputs[path].entryPoint === posix(relative(root, join(COMPILED, name))),
  )
await inOneFile(program, { file: madeFrom('serve.js'), after: madeFrom('main.js') })
// Of their own: a thread must not load the service for a file that it shares with it.
const threads = await bundled(THREADS, 'thread-chunks')
const texts = new Map([...program.texts, ...threads.texts])
for (const [path, text] of texts) {
  mkdirSync(dirname(join(root, path)), { recursive: true })
  writeFileSync(join(root, path), ascii(text))
}
sweep([...texts.keys()].map((path) => posix(relative(BUNDLE, join(root, path)))))
