import { parentPort } from 'node:worker_threads'

/** What a thread answers to an order. */
export type Answered<Value> = { readonly value: Value } | { readonly failure: string }

interface Worked<Value> {
  readonly value: Value
  readonly transfer: readonly ArrayBuffer[]
}

/** The program of a thread: one order at a time, each to its end. A second one could only wait here instead of elsewhere. */
export function answerOrders<Order, Value>(work: (order: Order) => Promise<Worked<Value>>): void {
  parentPort?.on('message', async (order: Order) => {
    try {
      const { value, transfer } = await work(order)
      parentPort?.postMessage({ value } satisfies Answered<Value>, [...transfer])
    } catch (error) {
      parentPort?.postMessage({ failure: String(error) } satisfies Answered<Value>)
    }
  })
}
