import { STATEMENTS } from '../../catalog/limits.ts'
import { Problem, type ProblemFacts } from '../../kernel/problem.ts'
import type { InspectedStatement, StatementOptions, Statements } from '../../ports/statements.ts'
import { openThreadPool } from './pool.ts'

export interface StatementOrder {
  readonly file: Uint8Array
  readonly options: StatementOptions
}

/** What a thread found. A refusal crosses over as its parts: an error would lose its code on the way. */
export type StatementResult =
  | { readonly inspected: InspectedStatement<unknown> }
  | { readonly refused: { readonly code: Problem['code']; readonly facts: ProblemFacts } }
  | { readonly failed: string }

export interface StatementThreads {
  readonly idle_ms?: number
  readonly deadline_ms?: number
  readonly memory_mb?: number
}

const TOO_MUCH = 'file: it takes more time or memory to read than any cartola does; send it in parts, or as .csv.'

/** How a thread answers an order. */
export async function resultOf(inspecting: Promise<InspectedStatement<unknown>>): Promise<StatementResult> {
  try {
    return { inspected: await inspecting }
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
  const threads = openThreadPool<StatementOrder, StatementResult>({
    program,
    what: 'a cartola that is read',
    max_threads: STATEMENTS.threads,
    max_waiting: STATEMENTS.waiting,
    max_waiting_of_one: STATEMENTS.waiting_per_account,
    idle_ms,
    timeout_ms: deadline_ms,
    memory_mb,
    busy: () => busy,
  })
  return {
    get alive() {
      return threads.alive
    },
    async inspect<Understood>(account_id: string, file: Uint8Array, about: StatementOptions) {
      const result = await threads.run({ file, options: about }, account_id).catch((error: unknown) => {
        throw error === busy ? error : new Problem('invalid_field', { param: 'file', message: TOO_MUCH })
      })
      if ('refused' in result) throw new Problem(result.refused.code, result.refused.facts)
      if ('failed' in result) throw new Error(`a cartola could not be read: ${result.failed}`)
      return result.inspected as InspectedStatement<Understood>
    },
    close: () => threads.close(),
  }
}
