import { type Static, Type } from 'typebox'
import { MODE_NAMES } from '../../../catalog/modes.ts'
import { SCOPE_NAMES } from '../../../catalog/scopes.ts'
import { Closed, Id, Named, Nullable, OneLine, OneOf, OneTimeSecret, Timestamp } from '../../../kernel/schema.ts'
import { RutOrAll } from '../../rut.ts'

const fields = {
  object: Type.Literal('api_key'),
  id: Type.String(),
  name: Type.String(),
  mode: OneOf(MODE_NAMES),
  root: Type.Boolean(),
  last4: Type.String({ description: 'Last four characters of the secret.' }),
  scopes: Type.Array(OneOf(SCOPE_NAMES)),
  empresas: Type.Array(Type.String(), { description: 'RUTs the key reaches, or `*` for all.' }),
  created_at: Timestamp,
  last_used_at: Nullable(Timestamp),
}

export const ApiKey = Named('ApiKey', Closed(fields))
export type ApiKey = Static<typeof ApiKey>

export const ApiKeyWithSecret = Named(
  'ApiKeyWithSecret',
  Closed({ ...fields, secret: OneTimeSecret('Shown this once and never readable again.') }),
)
export type ApiKeyWithSecret = Static<typeof ApiKeyWithSecret>

export const CreateApiKey = Closed({
  name: OneLine(100),
  scopes: Type.Array(OneOf(SCOPE_NAMES), { minItems: 1, maxItems: SCOPE_NAMES.length, uniqueItems: true }),
  mode: Type.Optional(OneOf(MODE_NAMES, { description: 'Inherited from the minter; another one is refused.' })),
  empresas: Type.Optional(
    Type.Array(RutOrAll, {
      minItems: 1,
      maxItems: 1000,
      uniqueItems: true,
      description: 'RUTs the key will reach; a single one makes an empresa token. Default: what the minter reaches.',
    }),
  ),
})
export type CreateApiKey = Static<typeof CreateApiKey>

export const KeyPath = Closed({ key_id: Id })
