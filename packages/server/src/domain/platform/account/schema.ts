import { type Static, Type } from 'typebox'
import { LASTING_OBJECTS, type LastingObject } from '../../../catalog/lasting.ts'
import { CEILINGS } from '../../../catalog/limits.ts'
import { MODE_NAMES } from '../../../catalog/modes.ts'
import { PLAN_NAMES } from '../../../catalog/plans.ts'
import { COLD_START_SCOPES, SCOPE_NAMES, SCOPES } from '../../../catalog/scopes.ts'
import { addFormat } from '../../../kernel/ajv.ts'
import { Closed, Id, Named, OneLine, OneOf, OneTimeSecret, Opaque, Timestamp } from '../../../kernel/schema.ts'
import { LatinLine } from '../../latin-text.ts'
import { Rut } from '../../rut.ts'
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
    limits: Closed({
      requests_per_minute: Type.Integer(),
      emissions_per_second: Type.Integer(),
      api_keys: Type.Integer({ description: 'Keys that work, in each mode.' }),
      empresas: Type.Integer({ description: 'Empresas, in each mode.' }),
      webhook_endpoints: Type.Integer({ description: 'Webhook endpoints, in each mode.' }),
      public_links: Type.Integer({ description: 'Public links that live, in each mode.' }),
    }),
  }),
)
export type Account = Static<typeof Account>

export const AccountPath = Closed({ account_id: Id })

export const RecordPlan = Closed({
  plan: OneOf(PLAN_NAMES, { description: '`house` needs no subscription for any of its empresas; `starter` does.' }),
})
export type RecordPlan = Static<typeof RecordPlan>

export const AccountPlan = Named(
  'AccountPlan',
  Closed({
    object: Type.Literal('account_plan'),
    id: Type.String({ description: 'The id of the account: it has exactly one plan.' }),
    plan: OneOf(PLAN_NAMES),
  }),
)
export type AccountPlan = Static<typeof AccountPlan>

const MAILBOX =
  /^[\w!#$%&'*+/=?^`{|}~-]+(?:\.[\w!#$%&'*+/=?^`{|}~-]+)*@(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z0-9-]{2,63}$/i

/** The one way an address is written once we have it. */
export function normalizeEmail(email: string): string {
  return email.trim().toLowerCase()
}

addFormat('typed_email', {
  check: (value) => MAILBOX.test(normalizeEmail(value)),
  code: 'invalid_field',
  says: 'it must be an e-mail address',
})

/** An address as a person types it: blanks around it and capitals do not matter. */
const TypedEmail = Type.Unsafe<string>({
  type: 'string',
  format: 'typed_email',
  minLength: 3,
  maxLength: 254,
  examples: ['ana@example.cl'],
})

const NewPassword = Opaque(1000, {
  description:
    '10 to 200 characters that few guesses would find: no common password, sequence, e-mail or name, however dressed up. ' +
    'Anything else is `weak_password`.',
})
const Password = Opaque(1000, { minLength: 1 })
const Token = Opaque(200, { minLength: 1, description: 'What the link in the letter carries.' })

const SANDBOX_SCOPES = SCOPE_NAMES.filter((scope) => !SCOPES[scope].root_only && !SCOPES[scope].go_live)

export const Bootstrap = Closed(
  {
    sandbox_key: Type.Optional(
      Closed({
        name: Type.Optional(OneLine(100)),
        scopes: Type.Optional(
          Type.Array(OneOf(SANDBOX_SCOPES), {
            minItems: 1,
            maxItems: SANDBOX_SCOPES.length,
            uniqueItems: true,
            description: `Default: ${COLD_START_SCOPES.join(', ')}. \`keys:write\` and the go-live scopes are refused.`,
          }),
        ),
      }),
    ),
    empresa: Type.Optional(Closed({ rut: Rut, legal_name: LatinLine(CEILINGS.legal_name) })),
  },
  { description: 'Asks for a sandbox key, and for an empresa if one is named. Anything wrong is `invalid_bootstrap`.' },
)
export type Bootstrap = Static<typeof Bootstrap>

export const Register = Closed({
  email: TypedEmail,
  password: NewPassword,
  name: Type.Optional(OneLine(100, { description: 'Account name. Default: what stands before the @ of the e-mail.' })),
  bootstrap: Type.Optional(Bootstrap),
})
export type Register = Static<typeof Register>

export const Next = Named(
  'NextStep',
  Closed(
    {
      action: Type.String(),
      method: Type.String(),
      url: Type.String(),
      headers: Type.Record(Type.String(), Type.String()),
      body: Type.Record(Type.String(), Type.Unknown(), { description: 'A body that works as it is.' }),
    },
    { description: 'The call to make next. A value in angle brackets names a field of this same answer.' },
  ),
)
export type Next = Static<typeof Next>

const Token1h = OneTimeSecret('Session token, a JWT valid for one hour.')

export const Registered = Named(
  'Registered',
  Closed({
    token: Token1h,
    api_key: Type.Optional(
      Closed({
        object: Type.Literal('api_key'),
        id: Type.String(),
        secret: OneTimeSecret('`sk_test_…`, shown this once.'),
      }),
    ),
    empresa: Type.Optional(
      Closed({ object: Type.Literal('empresa'), id: Type.String(), rut: Type.String(), mode: OneOf(MODE_NAMES) }),
    ),
    empresa_error: Type.Optional(
      Closed(
        { code: Type.Literal('empresa_exists'), message: Type.String() },
        { description: 'The RUT is taken on another account; account and key were created all the same.' },
      ),
    ),
    next: Next,
  }),
)
export type Registered = Static<typeof Registered>

export const Login = Closed({ email: TypedEmail, password: Password })
export type Login = Static<typeof Login>

export const LoggedIn = Named('LoggedIn', Closed({ token: Token1h }))

export const Session = Named(
  'Session',
  Closed({
    object: Type.Literal('session'),
    id: Type.String(),
    created_at: Timestamp,
    expires_at: Timestamp,
    account: Closed({
      object: Type.Literal('account'),
      id: Type.String(),
      name: Type.String(),
      email: Type.String(),
      email_verified: Type.Boolean(),
      plan: Type.String(),
      created_at: Timestamp,
    }),
  }),
)
export type Session = Static<typeof Session>

export const VerifyEmail = Closed({ token: Token })
export const VerifiedEmail = Named(
  'VerifiedEmail',
  Closed({ email: Type.String(), email_verified: Type.Literal(true) }),
)
export type VerifiedEmail = Static<typeof VerifiedEmail>

const Count = Type.Integer({ minimum: 0 })
const pending = {
  sessions: Count,
  links: Type.Integer({ minimum: 0, description: 'Links of letters that nobody had followed yet.' }),
}
export const RecoveredItem = Named(
  'RecoveredItem',
  Closed(
    {
      object: OneOf(LASTING_OBJECTS),
      id: Type.String({
        description:
          'Of a counterparty its RUT; of what an empresa has one of, such as a certificate, the id of the empresa.',
      }),
      mode: OneOf(MODE_NAMES),
      name: Type.String({
        description:
          'The name and last characters of a key, the name of an agent, the URL of an endpoint, the name of the empresa, ' +
          'after that of what it has several of.',
      }),
      status: OneOf(['ended', 'disabled', 'kept', 'changed', 'deleted'], {
        description:
          '`changed`: it was made or changed then and stays as it is, for you to look at. `deleted`: it was deleted, ' +
          'revoked or deactivated then, and is to be made again if it was yours.',
      }),
    },
    { description: 'Something that an intruder could have made or changed, for the owner to judge.' },
  ),
)
export type RecoveredItem = Static<typeof RecoveredItem>

const makings = { api_keys: Count, agent_grants: Count, webhook_endpoints: Count }
const items = Type.Array(RecoveredItem, { description: 'The newest 50 of each kind.' })
const ended = (description: string) =>
  Closed(
    {
      ...pending,
      ...makings,
      webhook_endpoints_disabled: Type.Integer({
        minimum: 0,
        description: 'Those that were made before, and whose URL or secret was changed then.',
      }),
      certificates: Type.Integer({
        minimum: 0,
        description: 'Certificates put into custody then. They are taken out of it: upload yours again.',
      }),
      sfg_credentials: Type.Integer({ minimum: 0, description: 'SFG credentials stored then: store yours again.' }),
      connections: Type.Integer({ minimum: 0, description: 'Bank connections made then.' }),
      connections_disabled: Type.Integer({
        minimum: 0,
        description: 'Those that were made before, and whose bank was linked anew then: `needs_reconnect`.',
      }),
      public_links: Count,
      bank_pages: Type.Integer({ minimum: 0, description: 'Pages where a person would have linked a bank.' }),
      onboarding_pages: Type.Integer({
        minimum: 0,
        description: 'Pages where a person would have signed, uploaded or decided something of an onboarding.',
      }),
      items,
    },
    { description },
  )
/** What stays though somebody left it in distrust, by the name of its count: for the owner to judge. */
export const CHANGED_COUNTS = {
  contacts_changed: {
    object: 'counterparty_contact',
    description:
      'Contacts of counterparties that were made, changed or deleted then: look who receives your documents.',
  },
  counterparties_changed: {
    object: 'counterparty',
    description: 'Counterparties whose name, giro or address was recorded then: look at what your documents would say.',
  },
  empresas_changed: {
    object: 'empresa',
    description: 'Empresas that were made, changed or archived then. They stay: look at their data.',
  },
  mandatos_changed: {
    object: 'mandato',
    description: 'Mandatos that were recorded or revoked then. They stay: look who may act for your empresas.',
  },
  onboardings_changed: {
    object: 'onboarding',
    description: 'Empresas of which acts or decisions of the onboarding were recorded then: look whose they were.',
  },
  branding_changed: {
    object: 'branding',
    description: 'Empresas whose logo, footer or print format was changed then: look at what your documents say.',
  },
  automation_settings_changed: {
    object: 'automation_settings',
    description: 'Empresas of which it was changed then what the service does by itself.',
  },
  certificates_changed: { object: 'certificate', description: 'Certificates that were deleted then.' },
  sfg_credentials_changed: { object: 'sfg_credential', description: 'SFG credentials that were deleted then.' },
  cafs_changed: { object: 'caf', description: 'CAFs that were uploaded, deactivated or annulled then.' },
  connections_changed: { object: 'connection', description: 'Bank connections that were deleted then.' },
  webhook_endpoints_changed: {
    object: 'webhook_endpoint',
    description: 'Endpoints that were deleted then, or of which something else than the URL or the secret was changed.',
  },
  api_keys_changed: { object: 'api_key', description: 'Keys that were revoked then.' },
  agent_grants_changed: { object: 'agent_grant', description: 'Grants that were revoked then.' },
} as const satisfies Record<string, { readonly object: LastingObject; readonly description: string }>
export type ChangedCount = keyof typeof CHANGED_COUNTS

const changedCounts = Object.fromEntries(
  Object.entries(CHANGED_COUNTS).map(([name, { description }]) => [name, Type.Integer({ minimum: 0, description })]),
) as Record<ChangedCount, ReturnType<typeof Type.Integer>>

const kept = Closed(
  {
    ...makings,
    ...changedCounts,
    items,
  },
  { description: 'Made and last changed at another time, but for what says so: it goes on.' },
)

export const Recovery = Named(
  'Recovery',
  Closed({
    ended: ended(
      'Of keys, grants, endpoints, certificates, credentials, banks, links and pages, those made or changed before an address of the account was first ' +
        'confirmed, or by a credential of that time.',
    ),
    kept,
  }),
)
export type Recovery = Static<typeof Recovery>

export const RestoreEmail = Closed({ token: Token })
export const RestoredEmail = Named(
  'RestoredEmail',
  Closed({
    email: Type.String(),
    ended: ended(
      'Of keys, grants, endpoints, certificates, credentials, banks, links and pages, those made or changed (rolled, rotated, sent elsewhere, enabled) since ' +
        'the session began that asked for the change of address, or an earlier one, of the 72 hours before, from a network ' +
        'that the account was not used from.',
    ),
    kept,
  }),
)
export type RestoredEmail = Static<typeof RestoredEmail>

export const Disown = Closed({ token: Token })
export const Disowned = Named(
  'Disowned',
  Closed({
    email: Type.String(),
    ended: ended('All that whoever opened the account held or made.'),
  }),
)
export type Disowned = Static<typeof Disowned>

export const ForgotPassword = Closed({ email: TypedEmail })
export const ResetPassword = Closed({ token: Token, password: NewPassword })
export const ChangePassword = Closed({ current_password: Password, password: NewPassword })
export const ChangeEmail = Closed({ email: TypedEmail, password: Password })
export const CloseAccount = Closed({ password: Password })
