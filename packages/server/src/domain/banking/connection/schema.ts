import { type Static, Type } from 'typebox'
import { BANK_CURRENCIES } from '../../../catalog/bank.ts'
import { MODE_NAMES } from '../../../catalog/modes.ts'
import {
  CivilDate,
  Closed,
  Id,
  listQuery,
  Named,
  Nullable,
  OneLine,
  OneOf,
  OneTimeSecret,
  Timestamp,
} from '../../../kernel/schema.ts'
import { CONNECTION_STATUSES, LIVING_STATUSES } from './machine.ts'

const optional = Type.Optional
const HOLDER_TYPES = ['individual', 'business'] as const

export const FAILURES = [
  'bank_unreachable',
  'bank_unreadable',
  'bank_refused',
  'bank_refresh_failed',
  'bank_rejected',
  'bank_link_gone',
] as const

export const ConnectedAccount = Closed({
  id: Type.String({ description: 'The account at the provider.' }),
  name: Type.String(),
  number: Type.String({ description: 'Its last four digits; the others are not kept.', examples: ['••••4321'] }),
  type: Type.String({ examples: ['checking_account'] }),
  currency: Type.String({ examples: ['CLP'] }),
  balance: Closed(
    { available: Nullable(Type.Integer()), current: Nullable(Type.Integer()) },
    { description: 'In the smallest unit of the currency: whole pesos, or cents.' },
  ),
  refreshed_at: Nullable(Timestamp, { description: 'When the provider last read it at the bank.' }),
  last_post_date: Nullable(CivilDate, { description: 'Of the latest movement that is known.' }),
  not_read: Nullable(OneOf(['unsupported_currency']), {
    description: `Why its movements are left alone. Currencies that are read: ${BANK_CURRENCIES.join(', ')}.`,
  }),
})
export type ConnectedAccount = Static<typeof ConnectedAccount>

const Failure = Closed({ code: OneOf(FAILURES), at: Timestamp })
export type Failure = Static<typeof Failure>

const Institution = Closed({ id: Type.String(), name: Type.String() })

const fields = {
  object: Type.Literal('connection'),
  id: Type.String({ examples: ['con_01h5k3vq8n5r6t7w8x9y0z1a2b'] }),
  mode: OneOf(MODE_NAMES),
  status: OneOf(CONNECTION_STATUSES, {
    description:
      '`pending_link`: a person has to link the bank. `active`: read every day. `refreshing`: the bank is being asked. ' +
      '`needs_reconnect`: the bank wants the person again, and nothing is asked of it until somebody reconnects.',
  }),
  provider: Type.String({ examples: ['fintoc'] }),
  name: Nullable(Type.String()),
  holder_type: OneOf(HOLDER_TYPES),
  requested_institution: Nullable(Type.String({ description: 'As it was asked for.' })),
  institution: Type.Unsafe<Static<typeof Institution> | null>({
    anyOf: [Institution, { type: 'null' }],
    description: 'The bank that was linked.',
  }),
  holder_rut: Nullable(Type.String(), { description: 'Whose account it is, as the bank says.' }),
  accounts: Type.Array(ConnectedAccount),
  last_synced_at: Nullable(Timestamp),
  next_refresh_allowed_at: Nullable(Timestamp, { description: 'POST …/sync is refused until then.' }),
  failures: Type.Integer({ description: 'Readings that went wrong since the last that did not.' }),
  failure: Type.Unsafe<Failure | null>({ anyOf: [Failure, { type: 'null' }], description: 'Why the last one did.' }),
  created_at: Timestamp,
}

export const Connection = Named('Connection', Closed(fields))
export type Connection = Static<typeof Connection>

const Link = Closed(
  {
    widget_token: OneTimeSecret('For the widget of the provider, where it runs on a page of yours.'),
    public_key: Type.String(),
    expires_at: Timestamp,
    url: OneTimeSecret('A page of ours where the person links the bank. It works once.'),
  },
  { description: 'Only in this answer: it is not shown again.' },
)

export const ConnectionWithLink = Named('ConnectionWithLink', Closed({ ...fields, link: Link }))
export type ConnectionWithLink = Static<typeof ConnectionWithLink>

export const CreateConnection = Closed({
  holder_type: optional(
    OneOf(HOLDER_TYPES, {
      default: 'business',
      description: 'Whose portal of the bank it is: a person’s or a company’s.',
    }),
  ),
  institution: optional(OneLine(60, { description: 'The bank the person is expected to choose.' })),
  name: optional(OneLine(80, { description: 'What you call it.' })),
})
export type CreateConnection = Static<typeof CreateConnection>

export const ExchangeToken = Closed({
  exchange_token: Type.String({
    minLength: 1,
    maxLength: 400,
    pattern: '^[\\x21-\\x7e]+$',
    description: 'What the widget gave when the person was done. In test mode `sandbox_` and a bank of the sandbox.',
  }),
})
export type ExchangeToken = Static<typeof ExchangeToken>

export const ConnectionPath = Closed({ connection_id: Id })
export type ConnectionPath = Static<typeof ConnectionPath>

export const ConnectionQuery = listQuery({ status: optional(OneOf(LIVING_STATUSES)) })
export type ConnectionQuery = Static<typeof ConnectionQuery>
