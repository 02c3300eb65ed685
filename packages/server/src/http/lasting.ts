import type { Contexts } from '../domain/context.ts'
import type { Input } from '../domain/operation.ts'
import { recordLastingChange } from '../domain/platform/lasting-change/record.ts'
import type { Call } from './call.ts'

/**
 * What a call leaves behind, recorded in its transaction once its verb is done. A thing that is deleted is asked for its name
 * while it is there. Undefined where nothing is left; a change without a field is none.
 */
export async function beginLasting(
  { operation }: Call,
  contexts: Contexts,
  input: Input,
): Promise<((subject_id: string | null, answer: unknown) => Promise<void>) | undefined> {
  const { leaves, reach, body } = operation
  if (!leaves) return undefined
  const { object, act, id, named } = leaves
  const fields = Object.keys(body?.properties ?? {})
    .filter((field) => input[field] !== undefined)
    .sort()
  if (act === 'changed' && body && fields.length === 0) return undefined
  const known = act === 'deleted' ? await named(contexts, input, null) : null
  return async (subject, answer) => {
    const subject_id = id?.(answer) ?? subject
    if (subject_id === null) throw new Error(`${operation.id} does not say what it acted upon`)
    const label = act === 'deleted' ? known : await named(contexts, input, answer)
    const empresa_id = reach === 'empresa' ? contexts.empresa().empresa.empresa_id : null
    const whose = object === 'empresa' ? subject_id : empresa_id
    await recordLastingChange(contexts.account(), { object, act, subject_id, empresa_id: whose, label, fields })
  }
}
