import { spawn } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { build, ONE_CHECKER } from './build.mjs'
import { rememberContent, stampOfTree, wasContent } from './checked-before.mjs'
import { ensureInstalled, root } from './ensure-installed.mjs'

// What a part of the suite needs and a machine may lack. Such a part is skipped, and never silently.
const NEEDS = [
  { present: existsSync(join(root, '../shared')), skips: 'the real SII samples (no ../shared folder)' },
  { present: onPath('chromium', 'chromium-browser', 'google-chrome'), skips: 'pages in a browser (no chromium)' },
  { present: onPath('redis-server'), skips: 'rate limits on Redis (no redis-server)' },
  { present: onPath('xmlsec1'), skips: 'signatures checked by xmlsec1 (no xmlsec1)' },
  { present: onPath('pdftoppm'), skips: 'printed pages looked at (no pdftoppm)' },
  { present: hasPostgres(), skips: 'a PostgreSQL other than the built-in one (no postgresql server)' },
  { present: process.getuid?.() === 0, skips: 'starting as root and changing users (not root)' },
]

const only = process.argv.slice(2)
ensureInstalled()
for (const { skips } of NEEDS.filter(({ present }) => !present)) console.log(`Will be skipped: ${skips}`)
if (!process.env.FAULT_ROUNDS && !process.env.TEST_IN_FULL) {
  console.log(
    'Left to npm run test:long: the code of guides, examples and reference samples, most of the command line against a server, most kills of a database, the certification of an empresa from end to end, an agent and an onboarding in a browser, some of the documentation in one, pages like those that were judged, a month of drinks, the larger contract read as YAML',
  )
  console.log(
    "Left to npm run test:faults: live mode while the SII is in trouble, all kills but one, most moments of a deletion, some faults of live mode on the road of boletas, most cases of the engine's properties; to npm run fuzz: hostile input for minutes",
  )
}
// First, as everything else rests on it: the types of the sources are checked here, and only here.
build()
// A run of everything also tells whether every error an operation declares was raised by some test.
if (only.length === 0) process.env.WHOLE_SUITE = '1'
console.log('Running the tests (vitest)')
const tests = start('inherit', 'vitest/vitest.mjs', 'run', ...only)
const LINT = 'Format and lint (biome)'
const NOTHING_TO_DO = { ended: Promise.resolve({ status: 0, said: '' }) }
const stamp = only.length > 0 ? null : stampOfTree(root)
const is_linted = wasContent(root, 'lint', stamp)
// Beside the tests, which leave a core free now and then. What they say comes when the tests are over.
const checks =
  only.length > 0
    ? []
    : [
        { name: LINT, ...(is_linted ? NOTHING_TO_DO : start('pipe', '@biomejs/biome/bin/biome', 'check', '.')) },
        {
          name: 'Types of the tests (tsc)',
          ...start('pipe', 'typescript/bin/tsc', '-p', 'tsconfig.tests.json', ...ONE_CHECKER),
        },
      ]
let failed = false
for (const check of checks)
  check.ended.then(({ status }) => {
    if (status !== 0 && !failed) tests.child.kill('SIGINT') // as Ctrl-C: the tests tidy up after themselves
    failed ||= status !== 0
  })
const { status } = await tests.ended
for (const { name, ended } of checks) {
  const { status, said } = await ended
  if (name === LINT && status === 0) rememberContent(root, 'lint', stamp)
  console.log(status === 0 ? `${name}: nothing to complain of` : `${name}:\n${said}`)
}
process.exitCode = failed ? 1 : status

/** Runs a program of the installation; tells its exit code and, where it is not shown, what it said. */
function start(output, program, ...args) {
  const child = spawn(process.execPath, [join(root, 'node_modules', program), ...args], {
    cwd: root,
    stdio: ['inherit', output, output],
  })
  let said = ''
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk) => (said += chunk))
  const ended = new Promise((resolve) => child.once('close', (code) => resolve({ status: code ?? 1, said })))
  return { child, ended }
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
