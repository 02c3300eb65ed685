import { type Static, Type } from 'typebox'
import { Closed, Named } from '../../../kernel/schema.ts'
import { ApiKey } from '../api-key/schema.ts'

export const Account = Named(
  'Account',
  Closed({
    object: Type.Literal('account'),
    id: Type.String(),
    name: Type.String(),
    email: Type.String(),
    plan: Type.String({ description: '`starter` or `house`; more may come.' }),
    key: Type.Unsafe<ApiKey | null>({
      anyOf: [ApiKey, { type: 'null' }],
      description: 'The credential in use; null on a session.',
    }),
    empresas_ready: Type.Integer({
      description: 'Empresas of this mode that the credential reaches and that can emit.',
    }),
    empresas_total: Type.Integer({ description: 'Empresas of this mode that the credential reaches.' }),
    limits: Closed({ requests_per_minute: Type.Integer(), emissions_per_second: Type.Integer() }),
  }),
)
export type Account = Static<typeof Account>
