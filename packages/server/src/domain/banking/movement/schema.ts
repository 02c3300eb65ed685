import { type Static, Type } from 'typebox'
import { MODE_NAMES } from '../../../catalog/modes.ts'
import { CivilDate, Closed, Id, listQuery, Named, Nullable, OneOf, Opaque, Timestamp } from '../../../kernel/schema.ts'
import { DUPLICATE_REASONS, type DuplicateReason } from './duplicate/find.ts'
import { REASONS } from './match/score.ts'
import { MATCHERS, type MatchReason, SETTLED } from './row.ts'

const optional = Type.Optional
const nullableText = Nullable(Type.String())

const MATCH_REASONS = [...Object.keys(REASONS), ...Object.keys(SETTLED)] as MatchReason[]
const Reasons = Type.Array(Closed({ code: OneOf(MATCH_REASONS), message: Type.String() }))
const Confidence = Type.Integer({ minimum: 0, maximum: 100, description: 'From 0 to 100.' })

const targetFields = {
  document_id: Nullable(Type.String({ description: 'A document of ours.' })),
  received_document_id: Nullable(Type.String({ description: 'A document of a supplier.' })),
  entry_id: Nullable(Type.String({ description: 'A purchase that only the register tells of.' })),
  tipo: Type.Integer(),
  folio: Nullable(Type.Integer()),
  date: CivilDate,
  counterparty_rut: nullableText,
  counterparty_name: nullableText,
  total: Type.Integer({ description: 'In pesos, positive on notas de crédito too.' }),
  status: Type.String({
    description: 'Where it stands now: its `status`, or its `estado_contable` in the register (or `withdrawn_at_sii`).',
  }),
}

const CandidateTarget = Closed(targetFields)
const MatchTarget = Closed({
  ...targetFields,
  amount: Type.Integer({
    description: 'How much of it the movement pays, in pesos; negative for a nota de crédito that was taken off.',
  }),
})

const Match = Closed({
  confidence: Confidence,
  reasons: Reasons,
  matched_by: OneOf(MATCHERS, {
    description: '`caller`: asked for. `review`: by itself. `confirmation`: the document was issued for it.',
  }),
  matched_at: Timestamp,
  targets: Type.Array(MatchTarget),
})

const Candidate = Closed({
  confidence: Confidence,
  reasons: Reasons,
  targets: Type.Array(CandidateTarget, { description: 'One document, or several of one party that add up.' }),
})

const Duplicate = Closed({
  movement_id: Type.String({ description: 'The movement that stays.' }),
  certain: Type.Boolean({
    description:
      'True: this one is left out of lists and expenses. False: it counts, and somebody should say by merge or unmerge.',
  }),
  reason: OneOf(Object.keys(DUPLICATE_REASONS) as DuplicateReason[]),
  message: Type.String(),
})

const movementFields = {
  object: Type.Literal('movement'),
  id: Type.String({ examples: ['mov_01h5k3vq8n5r6t7w8x9y0z1a2b'] }),
  mode: OneOf(MODE_NAMES),
  source: Closed({ type: OneOf(['statement', 'connection']), id: Type.String() }),
  bank_account: Type.String(),
  post_date: CivilDate,
  direction: OneOf(['in', 'out']),
  amount: Type.Integer({ description: 'In the smallest unit of its currency; negative when money went out.' }),
  currency: Type.String(),
  description: Type.String(),
  counterparty: Closed({ rut: nullableText, name: nullableText }),
  match: Type.Unsafe<Static<typeof Match> | null>({
    anyOf: [Match, { type: 'null' }],
    description: 'What it paid, or was paid for; null while nobody knows.',
  }),
  duplicate: Type.Unsafe<Static<typeof Duplicate> | null>({
    anyOf: [Duplicate, { type: 'null' }],
    description: 'Set where another source of the same bank account tells it too, or may.',
  }),
  created_at: Timestamp,
  removed_at: Nullable(Timestamp, {
    description: 'When its bank took it back, its cartola was undone, or it was found to be a `duplicate`.',
  }),
}

export const Movement = Named('Movement', Closed(movementFields))
export type Movement = Static<typeof Movement>

export const MovementWithCandidates = Named(
  'MovementWithCandidates',
  Closed({
    ...movementFields,
    candidates: Type.Array(Candidate, {
      description: 'What it may be for, surest first, while it is not matched. Only movements in pesos have any.',
    }),
  }),
)
export type MovementWithCandidates = Static<typeof MovementWithCandidates>

export const MovementPath = Closed({ movement_id: Id })
export type MovementPath = Static<typeof MovementPath>

export const MovementQuery = listQuery({
  from: optional({ ...CivilDate, description: 'First day of `post_date`.' }),
  to: optional({ ...CivilDate, description: 'Last day of `post_date`.' }),
  direction: optional(OneOf(['in', 'out'])),
  matched: optional(Type.Boolean()),
  suspected: optional(Type.Boolean({ description: 'Whether it may be a duplicate, and nobody said yet.' })),
  source: optional(OneOf(['statement', 'connection'])),
  currency: optional(Type.String({ pattern: '^[A-Z]{3}$', maxLength: 3, examples: ['CLP'] })),
})
export type MovementQuery = Static<typeof MovementQuery>

export const MatchMovement = Closed({
  document_id: optional(Opaque(100)),
  received_document_id: optional(Opaque(100)),
  entry_id: optional(Opaque(100)),
})
export type MatchMovement = Static<typeof MatchMovement>

export const MergeMovement = Closed({
  into: Opaque(100, { description: 'The movement that tells the same and stays.' }),
})
export type MergeMovement = Static<typeof MergeMovement>
