import { type Static, Type } from 'typebox'
import { ACTOR_KINDS, AUDIT_ACTIONS, AUDIT_OUTCOMES } from '../../../catalog/audit.ts'
import { MODE_NAMES } from '../../../catalog/modes.ts'
import { Closed, listQuery, Named, Nullable, OneOf, Opaque, Timestamp } from '../../../kernel/schema.ts'

export const AuditEntry = Named(
  'AuditEntry',
  Closed({
    object: Type.Literal('audit_entry'),
    id: Type.String(),
    created_at: Timestamp,
    action: Type.String({ description: 'The id of the operation; there will be more of them.' }),
    outcome: OneOf(AUDIT_OUTCOMES),
    code: Nullable(Type.String(), { description: 'Why it was refused.' }),
    mode: Nullable(OneOf(MODE_NAMES), { description: 'Null for an act on the account itself, such as a login.' }),
    empresa: Type.Unsafe<{ id: string; rut: string } | null>({
      anyOf: [Closed({ id: Type.String(), rut: Type.String() }), { type: 'null' }],
    }),
    actor: Closed({
      kind: OneOf(ACTOR_KINDS),
      id: Nullable(Type.String(), { description: 'The id of the key, session or grant. Never a secret.' }),
      ip: Nullable(Type.String()),
    }),
    subject: Nullable(Type.String(), { description: 'The id of what was acted upon.' }),
    request_id: Nullable(Type.String()),
  }),
)
export type AuditEntry = Static<typeof AuditEntry>

export const AuditQuery = listQuery({
  action: Type.Optional(OneOf(AUDIT_ACTIONS)),
  actor_id: Type.Optional(Opaque(64, { description: 'The id of a key, a session or a grant.' })),
  outcome: Type.Optional(OneOf(AUDIT_OUTCOMES)),
  'created_at[gte]': Type.Optional(Timestamp),
  'created_at[lte]': Type.Optional(Timestamp),
})
export type AuditQuery = Static<typeof AuditQuery>
