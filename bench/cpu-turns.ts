/**
 * Processor time of several calls that take turns, many times a second. A machine may run at full speed for a while and
 * then at half of it, or share its caches with others: what is compared must meet the same moments, or the ratio is the
 * machine's and not ours.
 */
type Call = () => unknown

/** Short beside how long the machine keeps a speed. A call that takes longer is a turn of its own. */
const TURN_MS = 100

export interface TurnCosts {
  /** Microseconds of a call, the median of its turns. For a reader: it holds for the speed of that moment only. */
  cost(name: string): number
  /** What one costs in terms of another, the median of the rounds. */
  ratio(name: string, to: string): number
}

export async function takeTurns(rounds: number, calls: Readonly<Record<string, Call>>): Promise<TurnCosts> {
  const costs = new Map<string, number[]>(Object.keys(calls).map((name) => [name, []]))
  const order = Object.entries(calls)
  // The first round warms up the compiler. Who begins changes with each: nobody is always the one after a pause.
  for (let round = 0; round <= rounds; round++) {
    for (const [name, call] of order.reverse()) {
      const cost = await turn(call)
      if (round > 0) costs.get(name)?.push(cost)
    }
  }
  const of = (name: string) => costs.get(name) ?? []
  return {
    cost: (name) => median(of(name)),
    ratio: (name, to) => median(of(name).map((cost, round) => cost / (of(to)[round] ?? Number.NaN))),
  }
}

/** Microseconds of a call, on the average of one turn. */
async function turn(call: Call): Promise<number> {
  const end = performance.now() + TURN_MS
  const start = process.cpuUsage()
  let called = 0
  do {
    await call()
    called++
  } while (performance.now() < end)
  const { user, system } = process.cpuUsage(start)
  return (user + system) / called
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((one, other) => one - other)
  return sorted[sorted.length >> 1] ?? Number.NaN
}
