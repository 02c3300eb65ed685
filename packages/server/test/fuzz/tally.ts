// What was sent, how it was answered, and what is wrong with that.

import type { Received } from './client.ts'

/** An error longer than this tells its reader nothing, and its sender how to fill our network. */
const ERROR_BYTES = 8 * 1024
/** One that is a page, for a person, comes with its style. */
const ERROR_PAGE_BYTES = 32 * 1024
/** Slow is what takes this many times the median of its subject… */
const TIMES_MEDIAN = 50
/** …and at least so much of the processor. It is measured and not the hour: other processes may be busy. */
export const FLOOR_CPU_MS = 1_000
/** What waits for something else than our processor (a query, a thread) is slow by the hour alone. */
const FLOOR_WALL_MS = 20_000

export interface Cost {
  readonly wall_ms: number
  readonly cpu_ms: number
}

interface Sample extends Cost {
  readonly status: number
  readonly what: string
}

export interface Finding {
  readonly subject: string
  readonly wrong: string
  readonly what: string
}

/** Measures one request. Requests go one after the other, so what the process computes meanwhile is for it. */
export async function measure<T>(work: () => Promise<T>): Promise<Cost & { value: T }> {
  const [started, cpu] = [performance.now(), process.cpuUsage()]
  const value = await work()
  const used = process.cpuUsage(cpu)
  return { value, wall_ms: performance.now() - started, cpu_ms: (used.user + used.system) / 1000 }
}

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0
}

export class Tally {
  readonly #samples = new Map<string, Sample[]>()
  readonly #findings: Finding[] = []
  /** How often each operation was reached past validation. */
  readonly reached = new Map<string, number>()

  get sent(): number {
    return [...this.#samples.values()].reduce((sum, list) => sum + list.length, 0)
  }

  complain(subject: string, wrong: string, what: string): void {
    this.#findings.push({ subject, wrong, what })
  }

  record(subject: string, what: string, cost: Cost, status: number): void {
    this.#samples.set(subject, [...(this.#samples.get(subject) ?? []), { ...cost, status, what }])
  }

  /** `declared`: the operation says that it may answer so, for somebody else who failed (the SII, a bank). */
  judge(subject: string, what: string, { status, headers, body }: Received, declared = false): void {
    const text = body.toString('utf8')
    if (status >= 500 && !(declared && status !== 500)) this.complain(subject, `${status} ${text.slice(0, 300)}`, what)
    else if (/"code":"internal_error"|"errors":\["internal_error"|"code":-32603/.test(text.slice(0, 2_000))) {
      this.complain(subject, `an internal error as ${status}`, what)
    }
    const most = (headers['content-type'] ?? '').startsWith('text/html') ? ERROR_PAGE_BYTES : ERROR_BYTES
    if (status >= 400 && body.length > most) this.complain(subject, `an error of ${body.length} bytes`, what)
  }

  /** Everything wrong, what was slow among it. */
  findings(): Finding[] {
    const slow = [...this.#samples].flatMap(([subject, samples]) => {
      const cpu = Math.max(FLOOR_CPU_MS, TIMES_MEDIAN * median(samples.map(({ cpu_ms }) => cpu_ms)))
      const wall = Math.max(FLOOR_WALL_MS, TIMES_MEDIAN * median(samples.map(({ wall_ms }) => wall_ms)))
      return samples
        .filter(({ cpu_ms, wall_ms }) => (cpu_ms > cpu && wall_ms > cpu) || wall_ms > wall)
        .map(({ what, cpu_ms, wall_ms }) => ({
          subject,
          wrong: `slow: ${Math.round(wall_ms)} ms, ${Math.round(cpu_ms)} of the processor`,
          what,
        }))
    })
    return [...this.#findings, ...slow]
  }

  /** One line for each subject: how often, past validation, by status, median and worst. */
  report(): string {
    const lines = [...this.#samples].map(([subject, samples]) => {
      const statuses = new Map<number, number>()
      for (const { status } of samples) statuses.set(status, (statuses.get(status) ?? 0) + 1)
      const told = [...statuses].sort(([a], [b]) => a - b).map(([status, count]) => `${status}×${count}`)
      const wall = samples.map(({ wall_ms }) => wall_ms)
      const past = this.reached.has(subject) ? `, ${this.reached.get(subject)} past validation` : ''
      const times = `median ${median(wall).toFixed(1)} ms, worst ${Math.max(...wall).toFixed(0)} ms`
      return `${subject}: ${samples.length} sent${past}; ${told.join(' ')}; ${times}`
    })
    return lines.sort().join('\n')
  }
}
