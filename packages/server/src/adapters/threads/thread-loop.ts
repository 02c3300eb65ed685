import { getPriority, setPriority } from 'node:os'
import { parentPort } from 'node:worker_threads'

/** What a thread answers to an order. */
export type OrderResult<Value> = { readonly value: Value } | { readonly failure: string }

interface Work<Value> {
  readonly value: Value
  readonly transfer: readonly ArrayBuffer[]
}

/** Steps of the nice value, which ends at 19: half of a core where another wants it too, all of it where nobody does. */
const BEHIND = 3
const NICEST = 19

/**
 * For a thread that works for seconds on what one caller sent: whoever is answered in milliseconds goes before it. Linux
 * knows the priority of a thread; elsewhere it would be that of the whole process. Counted from where the process stands:
 * one that was started with `nice` may not go back before that, and should not.
 */
export function standBack(): void {
  if (process.platform === 'linux') setPriority(Math.min(getPriority() + BEHIND, NICEST))
}

/** The program of a thread: one order at a time, each to its end. A second one could only wait here instead of elsewhere. */
export function serveOrders<Order, Value>(work: (order: Order) => Promise<Work<Value>>): void {
  parentPort?.on('message', async (order: Order) => {
    try {
      const { value, transfer } = await work(order)
      parentPort?.postMessage({ value } satisfies OrderResult<Value>, [...transfer])
    } catch (error) {
      parentPort?.postMessage({ failure: String(error) } satisfies OrderResult<Value>)
    }
  })
}
