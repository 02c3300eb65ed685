import { resultOf, type StatementOrder, type StatementResult } from './adapters/threads/statements.ts'
import { serveOrders } from './adapters/threads/thread-loop.ts'
import { inspectFile } from './domain/banking/statement/parse/inspect.ts'

/** The program of a thread that reads cartolas: what a cartola means is the domain's to say, and a thread is no part of it. */
serveOrders<StatementOrder, StatementResult>(async ({ file, options }) => ({
  value: await resultOf(inspectFile(Buffer.from(file.buffer, file.byteOffset, file.byteLength), options)),
  transfer: [],
}))
