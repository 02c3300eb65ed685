import { type Static, Type } from 'typebox'
import { isEventPattern } from '../../../catalog/events.ts'
import { MODE_NAMES } from '../../../catalog/modes.ts'
import { addFormat } from '../../../kernel/ajv.ts'
import { Closed, Id, listQuery, Named, OneOf, Opaque, Timestamp } from '../../../kernel/schema.ts'
import { Rut } from '../../rut.ts'

addFormat('event_pattern', {
  check: isEventPattern,
  code: 'invalid_field',
  says: 'it must be an event type, a family of them such as document.*, or *',
})

/** An event type, a family of them (`document.*`), or `*` for all, present and future. */
export const EventPattern = Type.Unsafe<string>({
  type: 'string',
  format: 'event_pattern',
  maxLength: 100,
  examples: ['document.accepted', 'document.*', '*'],
})

const Loose = Type.Unsafe<Record<string, unknown>>({ type: 'object', additionalProperties: true })

export const Event = Named(
  'Event',
  Closed({
    id: Type.String(),
    object: Type.Literal('event'),
    type: Type.String(),
    api_version: Type.Literal('v1'),
    mode: OneOf(MODE_NAMES),
    created_at: Timestamp,
    empresa: Type.Unsafe<{ id: string; rut: string } | null>({
      anyOf: [Closed({ id: Type.String(), rut: Type.String() }), { type: 'null' }],
      description:
        'Null for events of the account itself; a key that reaches some empresas sees those of keys, grants and endpoints ' +
        'that reach no further.',
    }),
    data: Closed({
      object: Loose,
      previous_attributes: Type.Optional(Loose),
      detail: Type.Optional(Loose),
    }),
  }),
)
export type Event = Static<typeof Event>

export const EventQuery = listQuery({
  after: Type.Optional(
    Opaque(500, {
      description: 'Read forward, oldest first, strictly newer than this event id or forward cursor.',
    }),
  ),
  type: Type.Optional({ ...EventPattern, description: 'A type, or a family of them such as `document.*`.' }),
  empresa_rut: Type.Optional(Rut),
  'created_at[gte]': Type.Optional(Timestamp),
  'created_at[lte]': Type.Optional(Timestamp),
})
export type EventQuery = Static<typeof EventQuery>

export const EventPath = Closed({ event_id: Id })
