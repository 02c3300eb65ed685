import { type Static, Type } from 'typebox'
import { Closed, Named, Nullable, OneTimeSecret, Timestamp } from '../../../kernel/schema.ts'

export const CreatePublicLink = Closed({
  cedible: Type.Optional(Type.Boolean({ description: 'Leads to the cedible copy, for the tipos that have one.' })),
  expires_at: Type.Optional({ ...Timestamp, description: 'When it stops working. Left out: never.' }),
})
export type CreatePublicLink = Static<typeof CreatePublicLink>

const fields = {
  object: Type.Literal('public_link'),
  id: Type.String(),
  document_id: Type.String(),
  cedible: Type.Boolean(),
  created_at: Timestamp,
  expires_at: Nullable(Timestamp),
  revoked_at: Nullable(Timestamp, { description: 'Null while it works.' }),
}

export const PublicLink = Named('PublicLink', Closed(fields))
export type PublicLink = Static<typeof PublicLink>

export const PublicLinkWithUrl = Named(
  'PublicLinkWithUrl',
  Closed({ ...fields, url: OneTimeSecret('Whoever has it reads the document. It is told this once.') }),
)
export type PublicLinkWithUrl = Static<typeof PublicLinkWithUrl>
