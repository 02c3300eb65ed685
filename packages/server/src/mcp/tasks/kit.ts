import { Type } from 'typebox'
import { invalidField } from '../../kernel/problem.ts'
import { CivilDate, OneLine, OneOf, Opaque, YEAR_MONTH } from '../../kernel/schema.ts'
import { conciseValue } from '../concise.ts'
import { readStructure, type ToolResult } from '../result.ts'

const optional = Type.Optional

/** The arguments that many tasks share, in the same words. */
export const Empresa = optional(Opaque(40, { description: 'Empresa, by RUT or id. Leave out where you reach one.' }))
export const Detail = optional(OneOf(['full'], { description: '`full`: every field.' }))
export const Show = optional(
  Type.Integer({ minimum: 1, maximum: 50, description: 'How many to list; 15 if left out.' }),
)
export const From = optional({ ...CivilDate, description: 'First day, as 2026-11-01.' })
export const To = optional({ ...CivilDate, description: 'Last day, as 2026-11-30.' })
export const Month = optional(
  Type.String({ pattern: YEAR_MONTH, maxLength: 7, description: 'Month, as 2026-11. Left out: this one.' }),
)
/** Refuses days in the wrong order, which would find nothing and say so as if nothing were there. */
export function checkDays(from: string | undefined, to: string | undefined): void {
  if (from !== undefined && to !== undefined && from > to) throw invalidField('from', 'it is later than `to`.')
}

/** A document by its id or as people call it. */
export const IssuedDocument = OneLine(80, {
  description: 'Document we issued: kind and folio ("factura 1234", "33-1234") or id (doc_…).',
})
export const ReceivedDocument = OneLine(80, {
  description: 'Document of a supplier: kind and folio ("factura 8120") or id (rcd_…).',
})
export const Who = (about: string) => optional(OneLine(100, { description: `${about}, by RUT or part of the name.` }))

export const SHOWN = 15

/** An answer, without what is empty. */
export const tell = (value: object, blocks: readonly object[] = []): ToolResult => ({
  structure: JSON.stringify(conciseValue(value)),
  blocks,
})

/** An answer as it is, for who asked for all of it. */
export const tellAll = (value: object): ToolResult => ({ structure: JSON.stringify(value) })

interface Asked {
  readonly confirmation_required?: true
  readonly message: string
  readonly preview: unknown
  readonly confirmation: { readonly token: string; readonly expires_at: string }
}

const ASK =
  'Nothing was done yet. Show `message` to the person; once they agree, repeat this very call with `confirmation` set to the token.'

/** What came of an act: the question to the person where it has two steps, else what was done, in the words of the task. */
export function acted<T>(result: ToolResult, tells: (answer: T) => object): ToolResult {
  if (result.refusal || result.structure === undefined) return result
  const answer = readStructure<T & Asked>(result)
  if (answer.confirmation_required !== true) return { ...tell(tells(answer)), meta: result.meta }
  const { message, preview, confirmation } = answer
  const { token, expires_at } = confirmation
  return tell({ confirmation_required: true, message, next: ASK, preview, confirmation: { token, expires_at } })
}
