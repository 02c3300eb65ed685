import { resultOf, type StatementOrder, type StatementResult } from './adapters/threads/statements.ts'
import { serveOrders, standBack } from './adapters/threads/thread-loop.ts'
import { inspectFile } from './domain/banking/statement/parse/inspect.ts'
import { readMovements } from './domain/banking/statement/parse/read-movements.ts'

const TASKS = { inspect: inspectFile, read: readMovements } as const

standBack()

/** The program of a thread that reads cartolas: what a cartola means is the domain's to say, and a thread is no part of it. */
serveOrders<StatementOrder, StatementResult>(async ({ task, file, options }) => {
  const value = await resultOf(TASKS[task](Buffer.from(file.buffer, file.byteOffset, file.byteLength), options))
  const batches = 'found' in value && Array.isArray(value.found) ? value.found : []
  return { value, transfer: batches.map(({ json }) => json.buffer) }
})
