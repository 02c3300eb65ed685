import { randomBytes } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { cannotWrite, codeOf } from '../config/private-file.ts'
import { CliError } from '../exit.ts'

/** Another process that asks for the checkpoint, or has it. */
interface Claim {
  readonly file: string
  readonly pid: number
  /** When the process began, in the words of the system: a number is given to another process some day. */
  readonly began: string
}

const HELD = 'held'
const LOOK_MS = 20
const LONGEST_WAIT_MS = 10_000

/** Field 22 of /proc/PID/stat; empty where there is no such file, and then the number alone decides. */
function beginningOf(pid: number): string {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'latin1')
    return text.slice(text.lastIndexOf(')') + 2).split(' ')[19] ?? ''
  } catch {
    return ''
  }
}

function isAlive({ pid, began }: Claim): boolean {
  try {
    process.kill(pid, 0)
  } catch (error) {
    return codeOf(error) === 'EPERM'
  }
  return beginningOf(pid) === began
}

function isHeld({ file }: Claim): boolean {
  try {
    return readFileSync(file, 'utf8') === HELD
  } catch {
    return false
  }
}

/** The claims of others who live. What the dead have left is taken away: its name is of no process that will ever be. */
function othersThan(mine: string, beginning: string): Claim[] {
  const others: Claim[] = []
  for (const name of readdirSync(dirname(mine))) {
    const [, pid, began] = name.startsWith(beginning)
      ? (/^(\d+)-(\d*)-\w+$/.exec(name.slice(beginning.length)) ?? [])
      : []
    const file = join(dirname(mine), name)
    if (pid === undefined || began === undefined || file === mine) continue
    const claim = { file, pid: Number(pid), began }
    if (isAlive(claim)) others.push(claim)
    else rmSync(file, { force: true })
  }
  return others
}

/**
 * Holds a checkpoint for this process alone, and gives the release. Each process makes a file of a name that only it can have,
 * and then looks for those of others: of two that ask at once, at least one sees the other. Who has it keeps it; of those who
 * only ask, the first by name stays and the others leave. Nobody's file is ever replaced, so nobody can take over what another
 * has just taken over, and one that was killed holds nothing.
 */
export async function lockCheckpoint(checkpoint: string): Promise<() => void> {
  const beginning = `${basename(checkpoint)}.lock-`
  const unique = `${process.pid}-${beginningOf(process.pid)}-${randomBytes(6).toString('hex')}`
  const mine = join(dirname(checkpoint), beginning + unique)
  const release = () => rmSync(mine, { force: true })
  try {
    mkdirSync(dirname(mine), { recursive: true, mode: 0o700 })
    writeFileSync(mine, '', { flag: 'wx', mode: 0o600 })
    await becomeTheOnly(checkpoint, mine, beginning)
    writeFileSync(mine, HELD)
    return release
  } catch (error) {
    release()
    if (error instanceof CliError) throw error
    throw cannotWrite(mine, error, 'Free some space, or name another place with --checkpoint.')
  }
}

async function becomeTheOnly(checkpoint: string, mine: string, beginning: string): Promise<void> {
  for (let waited = 0; ; waited += LOOK_MS) {
    const others = othersThan(mine, beginning)
    if (others.length === 0) return
    const holder = others.find(isHeld) ?? others.find(({ file }) => file < mine)
    if (holder) throw busy(checkpoint, holder)
    // Those left come after this one: they leave, or turn out to have looked before it came.
    if (waited >= LONGEST_WAIT_MS) throw busy(checkpoint, others[0])
    await sleep(LOOK_MS)
  }
}

function busy(checkpoint: string, other: Claim | undefined): CliError {
  return new CliError(
    'busy',
    `Another \`timbre listen\` (process ${other?.pid}) works on ${checkpoint}.`,
    'Two on one checkpoint would send each event twice. Stop the other, or give this one its own place with --checkpoint FILE.',
  )
}
