import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { ensureInstalled, root, stop } from './ensure-installed.mjs'

const STAMP = join(root, 'packages/server/dist/.built-from')
const PROGRAM = join(root, 'packages/server/bundle/main.js')

/**
 * The compiler has four checkers by default, and each works out for itself the types that they share, at two to three
 * times the CPU of one: two cores gain nothing by it (docs/decisions/0022).
 */
export const ONE_CHECKER = ['--checkers', '1']

/** Compiles and bundles what has changed since the last good build. */
export function build() {
  if (isBuilt()) return
  ensureInstalled()
  console.log('Building the packages: a few seconds, and only when their sources have changed.')
  // A build that fails writes files all the same: until one succeeds, nothing here was made from any sources.
  rmSync(STAMP, { force: true })
  const stamp = stampOf(sources())
  run([join(root, 'node_modules/typescript/bin/tsc'), '-b', ...ONE_CHECKER, ...packages()], 'the compiler')
  run([join(root, 'scripts/bundle.mjs')], 'the bundler')
  writeFileSync(STAMP, stamp)
}

function run(args, who) {
  const { status } = spawnSync(process.execPath, args, { cwd: root, stdio: 'inherit' })
  if (status !== 0) stop(`The build failed; what ${who} said is above.`)
}

/**
 * True when what `npm start` runs was made from these very sources. By content: a checkout or a copy changes every file's time.
 * Files whose size and times are those that were seen with that content are not read again. A server shipped without its
 * sources is built by definition.
 */
export function isBuilt() {
  if (!existsSync(join(root, 'packages/server/src'))) return true
  if (!existsSync(STAMP) || !existsSync(PROGRAM)) return false
  const [content, times] = readFileSync(STAMP, 'utf8').split('\n')
  const files = sources()
  if (times === timesOf(files)) return true
  if (content !== contentOf(files)) return false
  try {
    writeFileSync(STAMP, stampOf(files, content))
  } catch {
    // Whoever may not write here reads the files again at the next start.
  }
  return true
}

/** What a build leaves to tell by what it was made from. */
export function stampOf(files, content = contentOf(files)) {
  return `${content}\n${timesOf(files)}`
}

export function sources() {
  const shared = ['package-lock.json', 'tsconfig.base.json', 'scripts/bundle.mjs', 'scripts/one-file.mjs'].map((name) =>
    join(root, name),
  )
  return [...shared, ...packages().flatMap(sourcesOf)]
}

function timesOf(files) {
  const hash = createHash('sha256')
  for (const file of files) {
    const { size, mtimeMs, ctimeMs } = statSync(file)
    hash.update(`${relative(root, file)} ${size} ${mtimeMs} ${ctimeMs}\n`)
  }
  return hash.digest('hex')
}

function contentOf(files) {
  const hash = createHash('sha256')
  for (const file of files) {
    hash
      .update(`${relative(root, file)}\0`)
      .update(readFileSync(file))
      .update('\0')
  }
  return hash.digest('hex')
}

function packages() {
  return readdirSync(join(root, 'packages'))
    .sort()
    .map((name) => join(root, 'packages', name))
    .filter((folder) => existsSync(join(folder, 'tsconfig.json')))
}

function sourcesOf(folder) {
  const src = join(folder, 'src')
  const compiled = existsSync(src) ? filesUnder(src).sort() : []
  return [join(folder, 'package.json'), join(folder, 'tsconfig.json'), ...compiled]
}

function filesUnder(folder) {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) return filesUnder(path)
    return /\.(ts|tsx|json)$/.test(entry.name) && !/\.test\.tsx?$/.test(entry.name) ? [path] : []
  })
}

if (process.argv[1] === fileURLToPath(import.meta.url)) build()
