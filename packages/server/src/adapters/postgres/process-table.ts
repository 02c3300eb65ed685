import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync, statSync } from 'node:fs'

const linux = process.platform === 'linux'

/**
 * A mark that no later process with the same pid can carry, or null when the pid is not running. A zombie counts as not
 * running: it holds no memory and no files, yet `kill -0` still finds it where nobody reaps.
 */
export function birthOf(pid: number): string | null {
  if (!Number.isInteger(pid) || pid <= 0) return null
  if (linux) return linuxBirth(pid)
  if (process.platform === 'win32') return answersSignals(pid) ? 'running' : null
  const [state, ...started] = ps(pid, 'stat=,lstart=').trim().split(/\s+/)
  return !state || state.startsWith('Z') ? null : started.join(' ')
}

/** True when the pid is a PostgreSQL process that works inside the given cluster folder. */
export function livesIn(pid: number, folder: string): boolean {
  if (!linux) {
    return birthOf(pid) !== null && (process.platform === 'win32' || ps(pid, 'command=').includes(folder))
  }
  try {
    const stat = linuxStat(pid)
    if (stat?.name !== 'postgres' || hasEnded(stat)) return false
    const here = statSync(folder)
    const there = statSync(`/proc/${pid}/cwd/`)
    return here.dev === there.dev && here.ino === there.ino
  } catch {
    return false
  }
}

/** Every PostgreSQL process still at work inside the folder. Only Linux can say; elsewhere the answer is empty. */
export function processesIn(folder: string): number[] {
  if (!linux) return []
  return readdirSync('/proc')
    .map(Number)
    .filter((pid) => pid > 0 && livesIn(pid, folder))
}

/** Sends a signal to a process that may end at any moment. */
export function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}

/** Which kernel and which process namespace a pid belongs to: a pid says nothing about another container or machine. */
export function pidNamespace(): string {
  if (!linux) return process.platform
  return `${bootId()} ${statSync('/proc/self/ns/pid').ino}`
}

function linuxBirth(pid: number): string | null {
  const stat = linuxStat(pid)
  return !stat || hasEnded(stat) ? null : `${bootId()} ${stat.startTicks}`
}

interface LinuxStat {
  readonly name: string
  readonly state: string
  readonly startTicks: string
}

const hasEnded = ({ state }: LinuxStat) => state === 'Z' || state === 'X'

function linuxStat(pid: number): LinuxStat | null {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8')
    const nameEnds = text.lastIndexOf(')') // the name itself may hold spaces and parentheses
    const fields = text.slice(nameEnds + 2).split(' ')
    return { name: text.slice(text.indexOf('(') + 1, nameEnds), state: fields[0] ?? '', startTicks: fields[19] ?? '' }
  } catch {
    return null
  }
}

function bootId(): string {
  return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()
}

function answersSignals(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

function ps(pid: number, columns: string): string {
  try {
    return execFileSync('ps', ['-o', columns, '-p', String(pid)], { encoding: 'utf8', env: { LC_ALL: 'C', TZ: 'UTC' } })
  } catch {
    return ''
  }
}
