import { type Static, Type } from 'typebox'
import { LASTING_ACTS, LASTING_OBJECTS } from '../../../catalog/lasting.ts'
import { MODE_NAMES } from '../../../catalog/modes.ts'
import { SCOPE_NAMES } from '../../../catalog/scopes.ts'
import { Closed, Id, listQuery, Named, Nullable, OneOf, Timestamp } from '../../../kernel/schema.ts'

const GRANT_STATUSES = ['active', 'revoked', 'expired'] as const

const Pesos = Nullable(Type.Integer({ minimum: 1 }))

const Limits = Named(
  'AgentGrantLimits',
  Closed({
    max_clp_per_document: Pesos,
    max_clp_per_day: Pesos,
    tipos: Nullable(Type.Array(Type.Integer()), { description: 'The tipos it may issue; null for all.' }),
    receptores: Nullable(Type.Array(Type.String()), { description: 'RUTs it may issue to; null for anybody.' }),
  }),
)

const Making = Named(
  'AgentMaking',
  Closed({
    object: Type.String({ description: `\`public_link\`, ${LASTING_OBJECTS.map((one) => `\`${one}\``).join(', ')}.` }),
    id: Type.String({
      description: 'Of a counterparty its RUT; of what an empresa has one of, the id of the empresa.',
    }),
    label: Type.String({ description: 'What a person knows it by: a host, a folio, an address, a name.' }),
    act: OneOf(LASTING_ACTS, { description: 'What the agent last did to it.' }),
    fields: Type.Array(Type.String(), {
      description: 'The fields that it sent, where it set up or changed something.',
    }),
    ends_with_grant: Type.Boolean({
      description:
        'Whether it stops when the grant ends. What is of an empresa stays, and so does a bank that a person linked.',
    }),
    created_at: Timestamp,
  }),
)
export type AgentMaking = Static<typeof Making>

export const AgentGrant = Named(
  'AgentGrant',
  Closed({
    object: Type.Literal('agent_grant'),
    id: Type.String(),
    status: OneOf(GRANT_STATUSES),
    mode: OneOf(MODE_NAMES),
    client: Closed({
      id: Type.String(),
      name: Type.String({ description: 'As the client calls itself; nobody checked it.' }),
      host: Type.String({ description: 'Where the person was sent back to.' }),
    }),
    scopes: Type.Array(OneOf(SCOPE_NAMES)),
    empresas: Type.Array(Type.String(), { description: 'RUTs the agent reaches, or `*` for all.' }),
    two_steps: Type.Boolean({ description: 'Whether what cannot be undone is shown first and then confirmed.' }),
    limits: Limits,
    spent_today: Type.Integer({ description: 'Pesos issued today, by the calendar of Santiago.' }),
    made: Closed(
      {
        total: Type.Integer(),
        newest: Type.Array(Making, { description: 'At most 20, newest first.' }),
      },
      { description: 'What the agent left: made, pointed elsewhere, changed or deleted; also once the grant ended.' },
    ),
    created_at: Timestamp,
    expires_at: Timestamp,
    last_used_at: Nullable(Timestamp),
    revoked_at: Nullable(Timestamp),
  }),
)
export type AgentGrant = Static<typeof AgentGrant>

export const GrantPath = Closed({ grant_id: Id })

export const GrantQuery = listQuery({ status: Type.Optional(OneOf(GRANT_STATUSES)) })
export type GrantQuery = Static<typeof GrantQuery>
