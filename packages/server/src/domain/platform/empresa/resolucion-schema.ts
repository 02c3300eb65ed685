import { type Static, Type } from 'typebox'
import { CivilDate, Closed, Nullable, OneOf, Timestamp } from '../../../kernel/schema.ts'

export const VERIFICATION_STATUSES = ['pending_verification', 'verified', 'refused'] as const

/** What was asked of the SII to verify a claim. */
export const VerificationRequest = Closed({
  tipo: Type.Integer(),
  quantity: Type.Integer(),
  ambiente: OneOf(['certificacion', 'produccion']),
})
export type VerificationRequest = Static<typeof VerificationRequest>

/** A resolución that the titular declared, and what became of the claim. */
export const Resolucion = Closed({
  numero: Type.Integer(),
  fecha: CivilDate,
  verified: Type.Boolean(),
  verified_at: Nullable(Timestamp),
  verification_status: OneOf(VERIFICATION_STATUSES),
  verification_request: Nullable(VerificationRequest, {
    description: 'The folio range asked of the SII to verify it.',
  }),
  refusal: Nullable(Type.String({ description: 'The words of the SII when it refused.' })),
})
export type Resolucion = Static<typeof Resolucion>

export const VerifyResolucion = Closed({
  confirm: Type.Optional(Type.Boolean({ description: 'Must be true: it asks the SII for real folios.' })),
})
export type VerifyResolucion = Static<typeof VerifyResolucion>
