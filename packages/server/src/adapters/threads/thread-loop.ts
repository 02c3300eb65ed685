import { parentPort } from 'node:worker_threads'

/** What a thread answers to an order. */
export type OrderResult<Value> = { readonly value: Value } | { readonly failure: string }

interface Work<Value> {
  readonly value: Value
  readonly transfer: readonly ArrayBuffer[]
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
