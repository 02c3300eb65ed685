// The table of operations with verbs that do nothing, for tests of what stands before the verbs.

import type { Operation } from '../../src/domain/operation.ts'
import { recordedExamples } from '../../src/domain/recorded-examples.ts'

/**
 * Every operation that is no GET answers what was recorded of it, and does nothing: who may call it, with what and in how
 * many steps is as it is. What an agent does is still a row of `agent_act`, in the transaction that a verb would have had.
 */
export function withRecordedActs(operations: readonly Operation[]): Operation[] {
  return operations.map((operation) => {
    if (operation.method === 'GET') return operation
    const { body } = recordedExamples()[operation.id]?.response ?? {}
    const nothing = { prepare: undefined, afterCommit: undefined, replayable: undefined, leaves: undefined }
    return { ...operation, ...nothing, one_statement: false, run: async () => body ?? null }
  })
}

/**
 * The arguments by which an operation was recorded, with ids of things that exist in the place of those in its path; with
 * another body than the recorded one, where one is given.
 */
export function recordedArguments(
  { id, path }: Operation,
  ids: Readonly<Record<string, string>>,
  instead?: object,
): Record<string, unknown> {
  const { query = {}, body: recorded = {} } = recordedExamples()[id]?.request ?? {}
  const body = instead ?? recorded
  const named = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => [name, ids[name]])
  return { ...query, ...(body as object), ...Object.fromEntries(named) }
}
