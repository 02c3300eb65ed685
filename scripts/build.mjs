import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { ensureInstalled, root, stop } from './ensure-installed.mjs'

const STAMP = join(root, 'packages/server/dist/.built-from')

/** Compiles what has changed since the last good build. */
export function build() {
  const sources = fingerprint()
  if (isBuilt(sources)) return
  ensureInstalled()
  console.log('Building the packages: a few seconds, and only when their sources have changed.')
  // A build that fails writes files all the same: until one succeeds, nothing here was made from any sources.
  rmSync(STAMP, { force: true })
  const { status } = spawnSync(process.execPath, [join(root, 'node_modules/typescript/bin/tsc'), '-b', ...packages()], {
    cwd: root,
    stdio: 'inherit',
  })
  if (status !== 0) stop('The build failed; what the compiler said is above.')
  writeFileSync(STAMP, sources)
}

/**
 * True when `dist` was made from these very sources. By content: a checkout or a copy changes every file's time. A
 * server shipped without its sources is built by definition.
 */
export function isBuilt(sources = fingerprint()) {
  if (!existsSync(join(root, 'packages/server/src'))) return true
  return existsSync(STAMP) && readFileSync(STAMP, 'utf8') === sources
}

function fingerprint() {
  const hash = createHash('sha256')
  const shared = ['package-lock.json', 'tsconfig.base.json'].map((name) => join(root, name))
  for (const file of [...shared, ...packages().flatMap(sourcesOf)]) {
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
  const names = existsSync(src) ? readdirSync(src, { recursive: true }).map(String).sort() : []
  const compiled = names.filter((name) => /\.(ts|tsx|json)$/.test(name) && !/\.test\.tsx?$/.test(name))
  return [join(folder, 'package.json'), join(folder, 'tsconfig.json'), ...compiled.map((name) => join(src, name))]
}

if (process.argv[1] === fileURLToPath(import.meta.url)) build()
