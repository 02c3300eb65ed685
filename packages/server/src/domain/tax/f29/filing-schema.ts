import { type Static, Type } from 'typebox'
import { MODE_NAMES } from '../../../catalog/modes.ts'
import {
  CivilDate,
  Closed,
  Id,
  listQuery,
  MultiLine,
  Named,
  Nullable,
  OneLine,
  OneOf,
  Timestamp,
} from '../../../kernel/schema.ts'
import { Period } from '../rcv/period.ts'
import { FILING_STATUSES } from './machine.ts'

const optional = Type.Optional

export const FileF29 = Closed({
  period: Period,
  confirm_total: optional(
    Type.Integer({
      minimum: 0,
      description:
        'The total to pay that somebody agreed to (`total_due`). When the proposal says another one, nothing is filed.',
    }),
  ),
  rectifies: optional(
    OneLine(64, {
      description:
        'The filing of the same period that this one corrects: the last one, accepted by the SII. One that lowers what was ' +
        'paid, or raises a remanente, is decided by an office of the SII.',
    }),
  ),
  version: optional(
    Type.Integer({
      minimum: 1,
      description:
        'The version of the proposal that somebody looked at. When it is another one by now, whatever code changed, ' +
        'nothing is filed.',
    }),
  ),
})
export type FileF29 = Static<typeof FileF29>

export const FilingError = Closed({ code: Type.String(), message: Type.String() })
export type FilingError = Static<typeof FilingError>

const FiledCode = Closed({
  code: Type.Integer(),
  amount: Nullable(Type.Integer()),
  rate: Nullable(Type.Number()),
})

const Correction = Closed({
  code: Type.Integer(),
  before: Nullable(Type.Number(), { description: 'What the corrected declaration says.' }),
  after: Nullable(Type.Number()),
})

export const F29Filing = Named(
  'F29Filing',
  Closed({
    object: Type.Literal('f29_filing'),
    id: Type.String(),
    mode: OneOf(MODE_NAMES),
    period: Period,
    status: OneOf(FILING_STATUSES, {
      description:
        '`awaiting_operator`: the SII has no door for programs, so a person files it and says what came of it.',
    }),
    proposal_version: Type.Integer(),
    rectifies: Nullable(Type.String(), { description: 'The filing that it corrects.' }),
    codes: Type.Array(FiledCode, { description: 'The figures as they were filed.' }),
    corrections: Type.Array(Correction, { description: 'What it corrects, code by code. Empty for an original.' }),
    total: Type.Integer({ description: 'Code 91: what is paid in term.' }),
    total_due: Type.Integer({ description: 'What is paid: code 94 past its day, code 91 in term.' }),
    due_date: CivilDate,
    folio: Nullable(Type.String(), { description: 'The number that the SII gave the declaration.' }),
    errors: Type.Array(FilingError, { description: 'What the SII found wrong, in its own words.' }),
    failure: Type.Unsafe<FilingError | null>({ anyOf: [FilingError, { type: 'null' }] }),
    created_at: Timestamp,
    submitted_at: Nullable(Timestamp),
    settled_at: Nullable(Timestamp),
  }),
)
export type F29Filing = Static<typeof F29Filing>

export const FilingQuery = listQuery({
  period: optional(Period),
  status: optional(OneOf(FILING_STATUSES)),
})
export type FilingQuery = Static<typeof FilingQuery>

export const FilingPath = Closed({ filing_id: Id })
export type FilingPath = Static<typeof FilingPath>

export const OperatorFilingPath = Closed({ empresa_id: Id, filing_id: Id })

export const FilingOutcome = Closed({
  confirm: optional(Type.Boolean({ description: 'Must be true.' })),
  outcome: OneOf(['accepted', 'failed']),
  folio: optional(
    OneLine(20, {
      pattern: '^[0-9]{1,20}$',
      description: 'What the SII gave. With `accepted` alone, and then needed.',
    }),
  ),
  message: optional(MultiLine(500, { description: 'Why it failed. With `failed` alone, and then needed.' })),
})
export type FilingOutcome = Static<typeof FilingOutcome>
