import { fork } from 'node:child_process'
import { once } from 'node:events'
import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { totalCpu } from './cpu-by-part.ts'
import type { Order, Outcome } from './duel-side.ts'
import { nodeFlagsOf } from './node-flags.ts'
import { median } from './turns.ts'

// What a document costs here and in another checkout, both loaded at the same time: `npm run bench -- duel` with `BENCH_AGAINST` naming
// the other, which is installed and built. A machine that others use changes its speed within seconds, so what took turns differed by a
// fifth whatever was changed; side by side both meet the same moments, and what is told is the ratio of the two, with its standard error.
const AGAINST = process.env.BENCH_AGAINST
const SIDE = fileURLToPath(new URL('duel-side.ts', import.meta.url))
const HERE = fileURLToPath(new URL('..', import.meta.url))
const WINDOWS: readonly (Order & { readonly name: string; readonly rounds: number })[] = [
  { name: 'five a second', per_second: 5, seconds: 20, rounds: 5 },
  { name: '70 a second', per_second: 70, seconds: 10, rounds: 8 },
  { name: 'all they can', seconds: 6, rounds: 10 },
]
const PARTS = ['main thread', 'other threads', 'PostgreSQL'] as const

/** Milliseconds of processor time a document. */
const costOf = ({ cpu, documents }: Outcome) => totalCpu(cpu) / documents

/** What each of some pairs is to each other on the whole, and how far that is to be trusted. */
function ratioOf(pairs: readonly (readonly [number, number])[]): string {
  const logs = pairs.map(([there, here]) => Math.log(here / there))
  const mean = logs.reduce((sum, log) => sum + log, 0) / logs.length
  const spread = logs.reduce((sum, log) => sum + (log - mean) ** 2, 0)
  const error = Math.sqrt(spread / logs.length / (logs.length - 1))
  return `${Math.exp(mean).toFixed(3)} ±${error.toFixed(3)}`
}

interface Side {
  readonly name: string
  carry(order: Order): Promise<Outcome>
  end(): Promise<void>
}

async function openSide(name: string, tree: string): Promise<Side> {
  const child = fork(SIDE, [tree], {
    cwd: tree,
    execArgv: [...nodeFlagsOf(tree), '--conditions=source', '--import', 'tsx'],
  })
  const gone = once(child, 'exit')
  const died = gone.then(([code]) => Promise.reject(new Error(`${name} ended with ${code}`)))
  died.catch(() => undefined)
  const answer = () => Promise.race([new Promise<unknown>((resolve) => child.once('message', resolve)), died])
  await answer()
  return {
    name,
    async carry(order) {
      child.send(order)
      return (await answer()) as Outcome
    },
    async end() {
      child.send('end')
      await gone
    },
  }
}

if (AGAINST) {
  const sides = [await openSide('there', resolve(AGAINST)), await openSide('here', HERE)]
  for (const { name, rounds, ...order } of WINDOWS) {
    const outcomes: Outcome[][] = []
    for (let round = 0; round <= rounds; round++) {
      const both = await Promise.all(sides.map((side) => side.carry(order)))
      // Where a pace begins, what was compiled for the one before is compiled again.
      if (round > 0) outcomes.push(both)
    }
    for (const [i, side] of sides.entries()) {
      const all = outcomes.map((both) => both[i] as Outcome)
      const of = (read: (outcome: Outcome) => number) => median(all.map(read)).toFixed(2)
      const parts = PARTS.map((part) => `${part} ${of((one) => one.cpu[part] / one.documents)}`)
      const settled = median(all.map(({ per_second }) => per_second)).toFixed(0)
      const each = all.map((one) => costOf(one).toFixed(1)).join(' ')
      console.log(
        `${name.padEnd(14)} ${side.name.padEnd(6)} ${of(costOf)} ms a document (${parts.join(', ')}), ${settled} settled a second; each: ${each}`,
      )
    }
    const ratio = (read: (outcome: Outcome) => number) =>
      ratioOf(outcomes.map(([there, here]) => [read(there as Outcome), read(here as Outcome)]))
    const parts = PARTS.map((part) => `${part} ${ratio((one) => one.cpu[part] / one.documents)}`)
    console.log(`${name.padEnd(14)} here to there ${ratio(costOf)} (${parts.join(', ')})\n`)
  }
  for (const side of sides) await side.end()
} else console.log('BENCH_AGAINST names no other checkout: nothing to compare with')
