import { type Static, Type } from 'typebox'
import { Closed, Named, Nullable, OneLine, Timestamp } from '../../../kernel/schema.ts'
import { Rut } from '../../rut.ts'

export const SfgCredential = Named(
  'SfgCredential',
  Closed({
    object: Type.Literal('sfg_credential'),
    rut: Type.String({ description: 'The person whose certificate is kept at the SII.' }),
    stored_at: Timestamp,
    last_used_at: Nullable(Timestamp, { description: 'To the hour.' }),
    last_refused_at: Nullable(Timestamp, { description: 'When the SII last refused the password.' }),
  }),
)
export type SfgCredential = Static<typeof SfgCredential>

export const StoreSfgCredential = Closed({
  rut: Rut,
  password: OneLine(200, {
    description: 'Of the certificate that the SII keeps centrally (clave del certificado), not the clave tributaria.',
  }),
})
export type StoreSfgCredential = Static<typeof StoreSfgCredential>
