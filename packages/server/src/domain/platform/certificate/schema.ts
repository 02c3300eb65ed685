import { type Static, Type } from 'typebox'
import { CEILINGS } from '../../../catalog/limits.ts'
import { MODE_NAMES } from '../../../catalog/modes.ts'
import { Base64, Closed, Id, Named, Nullable, OneOf, Opaque, Timestamp } from '../../../kernel/schema.ts'
import { SENDER_REFUSALS, SII_ROADS } from '../../../ports/sii.ts'

const STATUSES = ['active', 'expiring', 'expired'] as const
export const AUTHORITIES = ['unproven', 'proven', 'refused'] as const
export type Authority = (typeof AUTHORITIES)[number]
export const CHAINS = ['accredited', 'self_signed', 'unknown'] as const
export type Chain = (typeof CHAINS)[number]

const Person = Closed({ rut: Type.String(), name: Type.String() })

export const Certificate = Named(
  'Certificate',
  Closed({
    object: Type.Literal('certificate'),
    id: Type.String(),
    mode: OneOf(MODE_NAMES),
    status: OneOf(STATUSES, { description: '`expiring` within 30 days of `not_after`, by the clock of the empresa.' }),
    holder: Closed(
      { rut: Type.String(), name: Type.String() },
      { description: 'The person, as the certificate says: the one who signs and sends.' },
    ),
    empresa_rut: Type.String({ description: 'The taxpayer that the holder signs for here.' }),
    mandato_signer: Type.Unsafe<Static<typeof Person> | null>({
      anyOf: [Person, { type: 'null' }],
      description: 'Who signed the mandato of the empresa, to be held against the holder; null while none stands.',
    }),
    authority: OneOf(AUTHORITIES, {
      description:
        'Whether the SII lets the holder act for the empresa: `unproven` until it took or refused something of theirs.',
    }),
    refusals: Type.Array(
      Closed({
        road: OneOf(SII_ROADS, { description: '`boleta` for tipos 39 and 41, `dte` for the others.' }),
        reason: OneOf(SENDER_REFUSALS),
        sentence: Nullable(Type.String({ description: 'What the SII said, where it said anything.' })),
        advice: Type.String({ description: 'Who has to do what.' }),
        refused_at: Timestamp,
      }),
      {
        description:
          'Where the SII does not let the holder send: documents of that road wait, and no folio is drawn, until it takes ' +
          'one again, which the service tries ever less often, or another certificate is uploaded.',
      },
    ),
    chain: OneOf(CHAINS, {
      description:
        'Who vouches for it: `accredited` for a chain to a root that the operator trusts. Where documents have tax effect, a ' +
        '`self_signed` one is refused, and so is an `unknown` one if the operator has loaded roots.',
    }),
    issuer: Type.String(),
    serial: Type.String({ description: 'In hexadecimal.' }),
    not_before: Timestamp,
    not_after: Timestamp,
    fingerprint_sha256: Type.String({ description: 'Of the whole certificate (DER), in hexadecimal.' }),
    empresas: Type.Array(Closed({ id: Type.String(), rut: Type.String() }), {
      description:
        'The empresas of the account that it serves, within the reach of the credential; in an event, the one it is about.',
    }),
    uploaded_at: Timestamp,
    last_used_at: Nullable(Timestamp, { description: 'For this empresa, to the hour.' }),
  }),
)
export type Certificate = Static<typeof Certificate>

export const UploadCertificate = Closed({
  file: Type.Optional(
    Base64(CEILINGS.certificate_body_bytes, {
      description: 'The .pfx (PKCS#12) of a person, in base64; up to 256 KiB.',
    }),
  ),
  password: Type.Optional(Opaque(200, { description: 'It opens the file, once. It is not kept.' })),
  reuse: Type.Optional({
    ...Id,
    description: 'Instead of both: the id of a certificate that another empresa of the account has.',
  }),
})
export type UploadCertificate = Static<typeof UploadCertificate>
