import { fork } from 'node:child_process'
import { once } from 'node:events'
import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { totalCpu } from './cpu-by-part.ts'
import type { Order, Outcome } from './duel-side.ts'
import { nodeFlagsOf } from './node-flags.ts'
import { median } from './turns.ts'

// What a document costs here and in another checkout, in turns within the same minutes: `npm run bench -- duel` with `BENCH_AGAINST` naming
// the other, which is installed and built. Two runs one after the other differ by a fifth on a machine that others use, whatever was changed.
const AGAINST = process.env.BENCH_AGAINST
const SIDE = fileURLToPath(new URL('duel-side.ts', import.meta.url))
const HERE = fileURLToPath(new URL('..', import.meta.url))
const WINDOWS: readonly (Order & { readonly name: string; readonly rounds: number })[] = [
  { name: 'five a second', per_second: 5, seconds: 12, rounds: 4 },
  { name: '70 a second', per_second: 70, seconds: 8, rounds: 3 },
  { name: 'all it can', seconds: 5, rounds: 3 },
]

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
    const outcomes = new Map(sides.map((side) => [side, [] as Outcome[]]))
    for (let round = 0; round <= rounds; round++) {
      for (const side of sides) {
        const outcome = await side.carry(order)
        // Where a pace begins, what was compiled for the one before is compiled again.
        if (round > 0) outcomes.get(side)?.push(outcome)
      }
    }
    for (const [side, all] of outcomes) {
      const of = (read: (outcome: Outcome) => number) => median(all.map((one) => read(one) / one.documents)).toFixed(2)
      const parts = (['main thread', 'other threads', 'PostgreSQL'] as const).map(
        (part) => `${part} ${of((one) => one.cpu[part])}`,
      )
      const every = all.map((one) => (totalCpu(one.cpu) / one.documents).toFixed(1)).join(' ')
      const settled = median(all.map(({ per_second }) => per_second)).toFixed(0)
      console.log(
        `${name.padEnd(14)} ${side.name.padEnd(6)} ${of((one) => totalCpu(one.cpu))} ms a document (${parts.join(', ')}), ${settled} settled a second; each: ${every}`,
      )
    }
  }
  for (const side of sides) await side.end()
} else console.log('BENCH_AGAINST names no other checkout: nothing to compare with')
