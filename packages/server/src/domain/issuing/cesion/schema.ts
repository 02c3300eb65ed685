import { type Static, Type } from 'typebox'
import { CEILINGS } from '../../../catalog/limits.ts'
import { CivilDate, Closed, Email, Named, Nullable, OneOf, Timestamp } from '../../../kernel/schema.ts'
import { LatinLine } from '../../latin-text.ts'
import { Rut } from '../../rut.ts'
import { REASON_CODES } from './reasons.ts'

const optional = Type.Optional
// AEC_v10.xsd: MailType of 6 to 80 characters.
const AecEmail = Type.Unsafe<string>({ ...Email, minLength: 6, maxLength: 80 })

export const Reason = Closed({
  code: OneOf(REASON_CODES, { description: 'Stable: program against it.' }),
  message: Type.String(),
})

export const Cedibility = Named(
  'Cedibility',
  Closed({
    object: Type.Literal('cedibility'),
    document: Type.String(),
    cedible: Type.Boolean(),
    reasons: Type.Array(Reason, { description: 'All that stands in the way; empty when it can be ceded now.' }),
    amount: Type.Integer({ description: 'The most that can be ceded: the total less what was credited.' }),
    due_date: CivilDate,
    receptor_answers_until: Nullable(Timestamp, {
      description: 'Eight days after the SII received it. From then on the silence of the receptor is consent.',
    }),
    sii: Type.Unsafe<{ readonly code: string; readonly glosa: string } | null>({
      anyOf: [Closed({ code: Type.String(), glosa: Type.String() }), { type: 'null' }],
      description: 'What the SII says of it, in its own words; null when it was not asked, for want of need.',
    }),
  }),
)
export type Cedibility = Static<typeof Cedibility>

const Cesionario = Closed({
  rut: Rut,
  legal_name: LatinLine(CEILINGS.legal_name),
  address: Closed({
    street: LatinLine(CEILINGS.street, { minLength: 5 }),
    comuna: optional(LatinLine(CEILINGS.comuna)),
    city: optional(LatinLine(CEILINGS.city)),
  }),
  email: AecEmail,
})

export const CedeDocument = Closed({
  cesionario: Cesionario,
  amount: optional(Type.Integer({ minimum: 1, description: 'By default all that can be ceded.' })),
  due_date: optional({
    ...CivilDate,
    description: 'The last due date. By default that of the document; without one, 30 days after it was issued.',
  } as typeof CivilDate),
  conditions: optional(LatinLine(512, { description: 'Other conditions, as the AEC carries them.' })),
  debtor_email: optional(AecEmail),
  contact: optional(
    Closed(
      { name: optional(LatinLine(40)), phone: optional(LatinLine(40)), email: optional(AecEmail) },
      { description: 'Of the cedente. Its `email` stands for `contact_email` of the empresa.' },
    ),
  ),
})
export type CedeDocument = Static<typeof CedeDocument>
