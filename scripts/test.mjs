import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { ensureInstalled, root } from './ensure-installed.mjs'

// What a part of the suite needs and a machine may lack. Such a part is skipped, and never silently.
const NEEDS = [
  { present: existsSync(join(root, '../shared')), skips: 'the real SII samples (no ../shared folder)' },
  { present: onPath('chromium', 'chromium-browser', 'google-chrome'), skips: 'pages in a browser (no chromium)' },
  { present: onPath('redis-server'), skips: 'rate limits on Redis, two APIs and two workers (no redis-server)' },
  { present: onPath('xmlsec1'), skips: 'signatures checked by xmlsec1 (no xmlsec1)' },
  { present: onPath('pdftoppm'), skips: 'printed pages looked at (no pdftoppm)' },
  { present: hasPostgres(), skips: 'a PostgreSQL other than the built-in one (no postgresql server)' },
  { present: process.getuid?.() === 0, skips: 'starting as root and changing users (not root)' },
]

const only = process.argv.slice(2)
ensureInstalled()
if (only.length === 0) {
  run('Checking format and lint (biome)', '@biomejs/biome/bin/biome', 'check', '.')
  run('Checking types (tsc)', 'typescript/bin/tsc', '--noEmit', '-p', 'tsconfig.json')
}
for (const { skips } of NEEDS.filter(({ present }) => !present)) console.log(`Will be skipped: ${skips}`)
// A run of everything also tells whether every error an operation declares was raised by some test.
if (only.length === 0) process.env.WHOLE_SUITE = '1'
run('Running the tests (vitest)', 'vitest/vitest.mjs', 'run', ...only)

function run(says, program, ...args) {
  console.log(says)
  const { status } = spawnSync(process.execPath, [join(root, 'node_modules', program), ...args], {
    cwd: root,
    stdio: 'inherit',
  })
  if (status !== 0) process.exit(status ?? 1)
}

function onPath(...names) {
  const folders = (process.env.PATH ?? '').split(delimiter)
  return names.some((name) => folders.some((folder) => existsSync(join(folder, name))))
}

function hasPostgres() {
  if (onPath('postgres')) return true
  const versions = '/usr/lib/postgresql' // Debian keeps the server programs off the PATH
  return existsSync(versions) && readdirSync(versions).some((v) => existsSync(join(versions, v, 'bin/postgres')))
}
