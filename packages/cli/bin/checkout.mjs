import { spawnSync } from 'node:child_process'
import { readdirSync, statSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../../../', import.meta.url))

/** What the program is compiled from. */
const PACKAGES = ['cli', 'sdk', 'dte', 'certification']

/** By the time of files, which costs a few milliseconds at every start; a build looks at what is in them. */
export function compileIfChanged() {
  const main = join(root, 'packages/cli/dist/main.js')
  const built = timeOf(main)
  if (built > 0 && PACKAGES.every((name) => newest(join(root, 'packages', name, 'src')) <= built)) return
  const build = "import('./scripts/build.mjs').then(({ build }) => build())"
  // What a build says belongs to people: stdout is the answer of the command.
  const { status } = spawnSync(process.execPath, ['-e', build], { cwd: root, stdio: ['ignore', 2, 2] })
  if (status !== 0) process.exit(1)
  // Files that are newer and say the same, as after a checkout, are not compiled again: nor looked into at the next start.
  utimesSync(main, new Date(), new Date())
}

function timeOf(path) {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0
}

function newest(folder) {
  let latest = 0
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) latest = Math.max(latest, newest(path))
    else if (/(?<!\.test)\.ts$/.test(entry.name)) latest = Math.max(latest, timeOf(path))
  }
  return latest
}
