// What `npm test` leaves out for its length: every file of tests that asks whether it runs in full. The faults have a run
// of their own, `npm run test:faults`.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './ensure-installed.mjs'

const tests = readdirSync(join(root, 'packages'))
  .flatMap((name) => ['src', 'test'].map((folder) => join('packages', name, folder)))
  .flatMap((folder) => readdirSync(join(root, folder), { recursive: true }).map((file) => join(folder, file)))
  .filter((file) => file.endsWith('.test.ts') && !/faults|deleted-empresa/.test(file))

process.env.TEST_IN_FULL = '1'
// Every command of the command line is a process of its own in the long form, whichever test types it.
const isLonger = (file) =>
  file.startsWith(join('packages', 'cli', 'test')) || readFileSync(join(root, file), 'utf8').includes('IN_FULL')
process.argv.push(...tests.filter(isLonger))
await import('./test.mjs')
