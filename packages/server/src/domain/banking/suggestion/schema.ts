import { type Static, Type } from 'typebox'
import { CEILINGS } from '../../../catalog/limits.ts'
import { MODE_NAMES } from '../../../catalog/modes.ts'
import {
  CivilDate,
  Closed,
  Id,
  listQuery,
  MultiLine,
  Named,
  Nullable,
  OneOf,
  Timestamp,
} from '../../../kernel/schema.ts'
import { Address } from '../../issuing/document/create-schema.ts'
import { LatinLine } from '../../latin-text.ts'
import { Rut } from '../../rut.ts'
import { Period } from '../../tax/rcv/period.ts'
import { SUGGESTION_STATUSES } from './machine.ts'

const optional = Type.Optional
const Pesos = Type.Integer()

const SUGGESTION_TYPES = ['emit_46'] as const
const WITHDRAWN_BECAUSE = ['movement_removed', 'movement_matched', 'dte_in_register', 'already_issued'] as const
export type WithdrawnBecause = (typeof WITHDRAWN_BECAUSE)[number]
const DISMISS_SCOPES = ['once', 'provider'] as const
export type DismissScope = (typeof DISMISS_SCOPES)[number]

export const SUGGESTION_REASONS = {
  foreign_provider: 'The payment went to a provider of digital services abroad, who issues no DTE.',
  no_dte_in_register: 'The register of purchases of the month holds no document of this provider.',
  register_not_read:
    'The register of purchases of the month was never read: POST /tax/sync looks for a document there.',
  charges_consumers:
    'This provider charges IVA to consumers in Chile. If it did here, it does not know the RUT of the empresa: what was ' +
    'paid then holds IVA, and `net` must be corrected.',
  pesos_unknown: 'Only the amount in foreign currency is known: confirm with `net`, what was paid in pesos.',
} as const
export type SuggestionReason = keyof typeof SUGGESTION_REASONS

const Amounts = Type.Unsafe<{ net: number; iva: number; withheld: number; total: number } | null>({
  anyOf: [Closed({ net: Pesos, iva: Pesos, withheld: Pesos, total: Pesos }), { type: 'null' }],
  description:
    'What the tipo 46 would come to: the payment is the net, the IVA on top of it is withheld whole. Null while the ' +
    'payment is not known in pesos; `reasons` says so.',
})

const Dismissal = Type.Unsafe<{ reason: string | null; scope: DismissScope } | null>({
  anyOf: [Closed({ reason: Nullable(Type.String()), scope: OneOf(DISMISS_SCOPES) }), { type: 'null' }],
})

export const TaxSuggestion = Named(
  'TaxSuggestion',
  Closed({
    object: Type.Literal('tax_suggestion'),
    id: Type.String({ examples: ['sug_01h5k3vq8n5r6t7w8x9y0z1a2b'] }),
    mode: OneOf(MODE_NAMES),
    type: OneOf(SUGGESTION_TYPES, { description: '`emit_46`: issue a factura de compra over a payment abroad.' }),
    status: OneOf(SUGGESTION_STATUSES),
    period: { ...Period, description: 'The month of the payment.' },
    provider: Closed({
      key: Type.String({ description: 'Stable: program against it.' }),
      name: Type.String(),
      country: Type.String({ description: 'ISO 3166-1 alpha-2.' }),
      rut: Nullable(Type.String({ description: 'Its RUT as a foreign taxpayer, where it is publicly known.' })),
    }),
    movement: Closed({
      id: Type.String(),
      post_date: CivilDate,
      description: Type.String(),
      amount: Type.Integer({ description: 'What was paid, positive, in the smallest unit of its currency.' }),
      currency: Type.String(),
    }),
    amounts: Amounts,
    reasons: Type.Array(
      Closed({ code: OneOf(Object.keys(SUGGESTION_REASONS) as SuggestionReason[]), message: Type.String() }),
    ),
    document_id: Nullable(
      Type.String({ description: 'The tipo 46 that confirming it issued, or that somebody had issued already.' }),
    ),
    dismissal: Dismissal,
    withdrawn_because: Nullable(OneOf(WITHDRAWN_BECAUSE)),
    created_at: Timestamp,
    settled_at: Nullable(Timestamp),
  }),
)
export type TaxSuggestion = Static<typeof TaxSuggestion>

export const SuggestionPath = Closed({ suggestion_id: Id })
export type SuggestionPath = Static<typeof SuggestionPath>

export const SuggestionQuery = listQuery({
  status: optional(OneOf(SUGGESTION_STATUSES)),
  type: optional(OneOf(SUGGESTION_TYPES)),
  period: optional(Period),
})
export type SuggestionQuery = Static<typeof SuggestionQuery>

export const ConfirmSuggestion = Closed({
  net: optional(
    Type.Integer({
      minimum: 1,
      maximum: 999_999_999_999,
      description: 'What was paid, in pesos and without IVA. Needed where `amounts` is null.',
    }),
  ),
  description: optional(LatinLine(80, { description: 'The line of the document. Left out: the provider named.' })),
  issue_date: optional({
    ...CivilDate,
    description:
      'Left out: within the month of the payment (today, or its last day) while that month is not declared, else today.',
  }),
  receptor: optional(
    Closed(
      {
        rut: optional(Rut),
        legal_name: optional(LatinLine(CEILINGS.legal_name)),
        giro: optional(LatinLine(CEILINGS.giro)),
        address: optional(Address),
      },
      { description: 'Who sold, where the provider as we know it is wrong or incomplete.' },
    ),
  ),
})
export type ConfirmSuggestion = Static<typeof ConfirmSuggestion>

export const DismissSuggestion = Closed({
  reason: optional(MultiLine(200)),
  scope: optional(
    OneOf(DISMISS_SCOPES, {
      default: 'once',
      description:
        '`once`: the same amount to this provider is not suggested again. `provider`: nothing to it is, and what is ' +
        'open to it is dismissed too.',
    }),
  ),
})
export type DismissSuggestion = Static<typeof DismissSuggestion>
