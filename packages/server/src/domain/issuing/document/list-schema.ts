import { type Static, Type } from 'typebox'
import { CivilDate, Closed, listQuery, Named, OneOf, Timestamp } from '../../../kernel/schema.ts'
import { Rut } from '../../rut.ts'
import { DOCUMENT_STATUSES, type DocumentPath, TipoDteNumber } from './schema.ts'

const optional = Type.Optional

export const DocumentQuery = listQuery({
  status: optional(OneOf(DOCUMENT_STATUSES)),
  tipo_dte: optional(TipoDteNumber),
  folio: optional(Type.Integer({ minimum: 1 })),
  receptor_rut: optional(Rut),
  external_id: optional(Type.String({ minLength: 1, maxLength: 100 })),
  'issue_date[gte]': optional(CivilDate),
  'issue_date[lte]': optional(CivilDate),
  'created_at[gte]': optional(Timestamp),
  'created_at[lte]': optional(Timestamp),
})
export type DocumentQuery = Static<typeof DocumentQuery>

export const JournalPage = listQuery({})
export type JournalQuery = Static<typeof JournalPage> & Static<typeof DocumentPath>

export const JournalEntry = Named(
  'DocumentJournalEntry',
  Closed({
    type: Type.String({ description: 'Finer than the status: `document.folio_allocated`, `document.signed`, …' }),
    at: Timestamp,
    detail: Type.Unsafe<Record<string, unknown>>({ type: 'object', additionalProperties: true }),
  }),
)
export type JournalEntry = Static<typeof JournalEntry>
