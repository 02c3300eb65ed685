import { readdirSync, readFileSync } from 'node:fs'

/** Processor milliseconds that this process and the PostgreSQL beneath it have used; null where nobody tells of the latter. */
export function cpuSpent(): { readonly own: number; readonly postgres: number | null } {
  const { user, system } = process.cpuUsage()
  return { own: (user + system) / 1000, postgres: postgresMs() }
}

interface Stat {
  readonly pid: number
  readonly parent: number
  readonly name: string
  readonly ms: number
}

/** Ticks of Linux, 100 a second. */
const TICK_MS = 10

function stats(): Stat[] {
  return readdirSync('/proc').flatMap((pid) => {
    if (!/^\d+$/.test(pid)) return []
    try {
      const text = readFileSync(`/proc/${pid}/stat`, 'latin1')
      const name = text.slice(text.indexOf('(') + 1, text.lastIndexOf(')'))
      const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
      // utime, stime, and those of children that have ended.
      const ticks = fields.slice(11, 15).reduce((sum, value) => sum + Number(value), 0)
      return [{ pid: Number(pid), parent: Number(fields[1]), name, ms: ticks * TICK_MS }]
    } catch {
      return []
    }
  })
}

function postgresMs(): number | null {
  if (process.platform !== 'linux') return null
  const all = stats()
  const beneath = new Set([process.pid])
  for (let before = 0; before !== beneath.size; ) {
    before = beneath.size
    for (const { pid, parent } of all) if (beneath.has(parent)) beneath.add(pid)
  }
  return all
    .filter(({ pid, name }) => beneath.has(pid) && name.startsWith('postgres'))
    .reduce((sum, { ms }) => sum + ms, 0)
}
