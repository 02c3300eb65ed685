import { STATEMENTS } from '../../catalog/limits.ts'
import { Problem, type ProblemFacts } from '../../kernel/problem.ts'
import type { InspectedStatement, MovementBatch, StatementOptions, Statements } from '../../ports/statements.ts'
import { openThreadPool } from './pool.ts'

export interface StatementOrder {
  readonly task: 'inspect' | 'read'
  readonly file: Uint8Array
  readonly options: StatementOptions
}

/** What a thread found. A refusal crosses over as its parts: an error would lose its code on the way. */
export type StatementResult =
  | { readonly found: InspectedStatement<unknown> | readonly MovementBatch[] }
  | { readonly refused: { readonly code: Problem['code']; readonly facts: ProblemFacts } }
  | { readonly failed: string }

export interface StatementThreads {
  readonly idle_ms?: number
  readonly deadline_ms?: number
  readonly memory_mb?: number
}

const TOO_MUCH = 'file: it takes more time or memory to read than any cartola does; send it in parts, or as .csv.'

/** How a thread answers an order. */
export async function resultOf(
  working: Promise<InspectedStatement<unknown> | readonly MovementBatch[]>,
): Promise<StatementResult> {
  try {
    return { found: await working }
  } catch (error) {
    return error instanceof Problem
      ? { refused: { code: error.code, facts: error.facts } }
      : { failed: error instanceof Error ? error.message : String(error) }
  }
}

/**
 * Reads cartolas on threads of their own, whose program the caller names. A file that breaks its thread, by its size or
 * by its time, is refused; the next one gets another thread.
 */
export function threadStatements(
  program: URL,
  options: StatementThreads = {},
): Statements & { readonly alive: number } {
  const { idle_ms = 60_000, deadline_ms = STATEMENTS.deadline_ms, memory_mb = STATEMENTS.memory_mb } = options
  const busy = new Problem('service_unavailable', { message: 'Too many cartolas are being read.' })
  const openPool = (bounds: {
    readonly max_threads: number
    readonly max_waiting: number
    readonly max_waiting_of_one: number
  }) =>
    openThreadPool<StatementOrder, StatementResult>({
      program,
      what: 'a cartola that is read',
      ...bounds,
      idle_ms,
      timeout_ms: deadline_ms,
      memory_mb,
      busy: () => busy,
    })
  const callers = openPool({
    max_threads: STATEMENTS.threads,
    max_waiting: STATEMENTS.waiting,
    max_waiting_of_one: STATEMENTS.waiting_per_account,
  })
  // Those that wait are jobs in the slots of a worker.
  const { POSITIVE_INFINITY: any_number } = Number
  const imports = openPool({ max_threads: 1, max_waiting: any_number, max_waiting_of_one: any_number })
  function foundIn(result: StatementResult) {
    if ('refused' in result) throw new Problem(result.refused.code, result.refused.facts)
    if ('failed' in result) throw new Error(`a cartola could not be read: ${result.failed}`)
    return result.found
  }
  return {
    get alive() {
      return callers.alive + imports.alive
    },
    async inspect<Understood>(account_id: string, file: Uint8Array, about: StatementOptions) {
      const order = { task: 'inspect', file, options: about } as const
      const result = await callers.run(order, account_id).catch((error: unknown) => {
        throw error === busy ? error : new Problem('invalid_field', { param: 'file', message: TOO_MUCH })
      })
      return foundIn(result) as InspectedStatement<Understood>
    },
    async read(account_id, file, about) {
      const order = { task: 'read', file, options: about } as const
      // It was read before, when it was uploaded: a thread that breaks now is a failure of ours, and is tried again.
      const result = await imports.run(order, account_id).catch((error: unknown) => {
        throw new Error('a cartola could not be read', { cause: error })
      })
      return foundIn(result) as readonly MovementBatch[]
    },
    async close() {
      await Promise.all([callers.close(), imports.close()])
    },
  }
}
