// What a check was content with. While none of our files has changed since, it has nothing new to say, and is not run.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** By content, so that a checkout changes nothing. Null where git does not say which files are ours: then nothing is spared. */
export function stampOfTree(folder) {
  const list = ['ls-files', '-z', '--cached', '--others', '--exclude-standard']
  // A hook of git tells its children of its own repository: they are to look at this folder.
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('GIT_')))
  const { status, stdout } = spawnSync('git', list, { cwd: folder, env, encoding: 'utf8', maxBuffer: 2 ** 26 })
  if (status !== 0) return null
  const hash = createHash('sha256')
  for (const name of stdout.split('\0').filter(Boolean).sort()) {
    const file = join(folder, name)
    if (existsSync(file)) hash.update(`${name}\0`).update(readFileSync(file)).update('\0')
  }
  return hash.digest('hex')
}

const placeOf = (folder, check) => join(folder, 'node_modules/.cache/checked', check)

/** Whether the check was content with these very files. */
export function wasContent(folder, check, stamp = stampOfTree(folder)) {
  const place = placeOf(folder, check)
  return stamp !== null && existsSync(place) && readFileSync(place, 'utf8') === stamp
}

/** To be told only where the check was content, with the stamp from before it began: what changed meanwhile it may not have seen. */
export function rememberContent(folder, check, stamp) {
  if (stamp === null || stampOfTree(folder) !== stamp) return
  const place = placeOf(folder, check)
  mkdirSync(dirname(place), { recursive: true })
  writeFileSync(place, stamp)
}
