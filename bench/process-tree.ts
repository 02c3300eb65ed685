import { readdirSync, readFileSync } from 'node:fs'

/** What one process uses, as Linux tells it. */
export interface ProcessUse {
  readonly pid: number
  readonly command: string
  /** Of all its threads, to the microsecond, and of its children that have ended, to the hundredth of a second. */
  readonly cpu_ms: number
  readonly rss_mb: number
  /** A page that several processes share is divided among them. */
  readonly pss_mb: number
}

const TICK_MS = 10
const read = (path: string) => readFileSync(path, 'latin1')

function kilobytes(text: string, name: string): number {
  return Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(text)?.[1] ?? 0)
}

function useOf(pid: number): (ProcessUse & { readonly parent: number }) | null {
  try {
    const stat = read(`/proc/${pid}/stat`)
    const fields = stat
      .slice(stat.lastIndexOf(')') + 2)
      .split(' ')
      .map(Number)
    const threads = readdirSync(`/proc/${pid}/task`)
    const running_ms = threads.map((thread) => Number.parseInt(read(`/proc/${pid}/task/${thread}/schedstat`), 10) / 1e6)
    const ended_ms = ((fields[13] ?? 0) + (fields[14] ?? 0)) * TICK_MS
    return {
      pid,
      parent: fields[1] ?? 0,
      command: read(`/proc/${pid}/cmdline`).replaceAll('\0', ' '),
      cpu_ms: running_ms.reduce((sum, ms) => sum + ms, ended_ms),
      rss_mb: kilobytes(read(`/proc/${pid}/status`), 'VmRSS') / 1024,
      pss_mb: kilobytes(read(`/proc/${pid}/smaps_rollup`), 'Pss') / 1024,
    }
  } catch {
    return null // it has ended meanwhile
  }
}

/** A process and all that it started, and they in turn. */
export function processesUnder(root: number): readonly ProcessUse[] {
  const all = readdirSync('/proc').flatMap((name) => (/^\d+$/.test(name) ? (useOf(Number(name)) ?? []) : []))
  const beneath = new Set([root])
  for (let before = 0; before !== beneath.size; ) {
    before = beneath.size
    for (const { pid, parent } of all) if (beneath.has(parent)) beneath.add(pid)
  }
  return all.filter(({ pid }) => beneath.has(pid))
}
