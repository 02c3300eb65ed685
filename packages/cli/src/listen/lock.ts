import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { cannotWrite, codeOf } from '../config/private-file.ts'
import { CliError } from '../exit.ts'

interface Holder {
  readonly pid: number
  /** When the process began, in the words of the system: a number is given to another process some day. */
  readonly began: string
}

/** Field 22 of /proc/PID/stat; empty where there is no such file, and then the number alone decides. */
function beginningOf(pid: number): string {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'latin1')
    return text.slice(text.lastIndexOf(')') + 2).split(' ')[19] ?? ''
  } catch {
    return ''
  }
}

function isAlive({ pid, began }: Holder): boolean {
  try {
    process.kill(pid, 0)
  } catch (error) {
    return codeOf(error) === 'EPERM'
  }
  return beginningOf(pid) === began
}

function holderOf(file: string): Holder | null {
  try {
    const read = JSON.parse(readFileSync(file, 'utf8')) as Holder
    return Number.isInteger(read.pid) ? read : null
  } catch {
    return null
  }
}

/** Holds a checkpoint for this process alone. One that was killed holds nothing: its lock is taken over. Gives the release. */
export function lockCheckpoint(checkpoint: string): () => void {
  const file = `${checkpoint}.lock`
  const mine = JSON.stringify({ pid: process.pid, began: beginningOf(process.pid) } satisfies Holder)
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
    for (let tries = 0; tries < 3; tries++) {
      try {
        writeFileSync(file, mine, { flag: 'wx', mode: 0o600 })
        return () => rmSync(file, { force: true })
      } catch (error) {
        if (codeOf(error) !== 'EEXIST') throw error
      }
      const holder = holderOf(file)
      if (holder && isAlive(holder)) throw busy(checkpoint, holder)
      rmSync(file, { force: true })
    }
  } catch (error) {
    if (error instanceof CliError) throw error
    throw cannotWrite(file, error, 'Free some space, or name another place with --checkpoint.')
  }
  throw new CliError('busy', `Another \`timbre listen\` is starting on ${checkpoint}.`, 'Try again.')
}

function busy(checkpoint: string, { pid }: Holder): CliError {
  return new CliError(
    'busy',
    `Another \`timbre listen\` (process ${pid}) works on ${checkpoint}.`,
    'Two on one checkpoint would send each event twice. Stop the other, or give this one its own place with --checkpoint FILE.',
  )
}
