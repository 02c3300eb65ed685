import { type Static, Type } from 'typebox'
import { MODE_NAMES } from '../../../catalog/modes.ts'
import { Closed, Named, Nullable, OneLine, OneOf, Opaque, Timestamp } from '../../../kernel/schema.ts'
import { Rut } from '../../rut.ts'

/**
 * Who may sign: whoever represents the taxpayer, which a natural person does for itself. The other roles of the contract
 * administer, hold a certificate or own the account, and none of that lets them bind the taxpayer.
 */
export const SIGNER_ROLES = ['representante_legal'] as const

export const MandatoTerms = Named(
  'MandatoTerms',
  Closed({
    object: Type.Literal('mandato_terms'),
    version: Type.String({ description: 'What a signature names as `terms_version`.' }),
    published_at: Timestamp,
    title: Type.String(),
    text: Type.String({ description: 'The whole text in Chilean Spanish, to be shown to whoever signs as it is.' }),
    clauses: Type.Array(Closed({ title: Type.String(), text: Type.String() })),
    sha256: Type.String({ description: 'Of `text` in UTF-8, in hexadecimal: what the evidence of a signature names.' }),
  }),
)
export type MandatoTerms = Static<typeof MandatoTerms>

export const TermsQuery = Closed({
  version: Type.Optional(Opaque(64, { description: 'An older one; today’s by default.' })),
})

const Signer = Closed({ rut: Type.String(), name: Type.String(), role: OneOf(SIGNER_ROLES) })
export type Signer = Static<typeof Signer>

export const MANDATO_STATUSES = ['none', 'pending', 'signed', 'revoked'] as const
export const MANDATO_VIAS = ['api', 'hosted_page'] as const
export type MandatoVia = (typeof MANDATO_VIAS)[number]

export const Mandato = Named(
  'Mandato',
  Closed({
    object: Type.Literal('mandato'),
    mode: OneOf(MODE_NAMES),
    status: OneOf(MANDATO_STATUSES, {
      description:
        '`none` until somebody is asked for it, `pending` until they sign; `revoked` until it is signed again.',
    }),
    terms_version: Nullable(Type.String(), { description: 'The text that was signed last.' }),
    signer: Type.Unsafe<Signer | null>({ anyOf: [Signer, { type: 'null' }], description: 'Who signed last.' }),
    via: Nullable(OneOf(MANDATO_VIAS), {
      description:
        'On a `hosted_page` by whoever had its link, or recorded over the `api`, which proves nothing about the signer.',
    }),
    signed_at: Nullable(Timestamp),
    revoked_at: Nullable(Timestamp, {
      description: 'Null again once it is signed anew; the evidence tells all of it.',
    }),
  }),
)
export type Mandato = Static<typeof Mandato>

export const RecordMandato = Closed({
  terms_version: Type.Optional(Opaque(64, { description: '`version` of GET /mandato_terms, as it was signed.' })),
  signer: Type.Optional(
    Closed({
      rut: Rut,
      name: OneLine(150),
      role: OneOf(SIGNER_ROLES),
    }),
  ),
})
export type RecordMandato = Static<typeof RecordMandato>
