import { type Static, Type } from 'typebox'
import { MODE_NAMES } from '../../../catalog/modes.ts'
import { QUARANTINE_REASONS } from '../../../catalog/reception.ts'
import { Closed, Id, listQuery, Named, Nullable, OneOf, Timestamp } from '../../../kernel/schema.ts'

const QUARANTINE_STATUSES = ['quarantined', 'released', 'discarded'] as const
export type QuarantineStatus = (typeof QUARANTINE_STATUSES)[number]

export const QuarantinedFile = Named(
  'QuarantinedFile',
  Closed({
    object: Type.Literal('quarantined_file'),
    id: Type.String({ examples: ['rcp_01h5k3vq8n5r6t7w8x9y0z1a2b'] }),
    mode: OneOf(MODE_NAMES),
    status: OneOf(QUARANTINE_STATUSES),
    source: Type.String({ description: '`mail`, or `test_helper` in the sandbox.' }),
    sender: Nullable(Type.String({ description: 'Who the mail says it is from, which anybody can write.' })),
    file_name: Type.String(),
    emisor_rut: Nullable(Type.String({ description: 'As the file says; nobody proved it.' })),
    reason: OneOf(QUARANTINE_REASONS),
    message: Type.String(),
    received_at: Timestamp,
    bytes: Nullable(Type.Integer(), { description: 'Its size; null once its bytes are no longer kept.' }),
    bytes_kept_until: Nullable(Timestamp, { description: 'Null for answers of other taxpayers, which are kept.' }),
    settled_at: Nullable(Timestamp, { description: 'When a person released or discarded it.' }),
    documents: Type.Array(Type.String(), { description: 'Ids of the received documents that a release left here.' }),
  }),
)
export type QuarantinedFile = Static<typeof QuarantinedFile>

export const QuarantinedFilePath = Closed({ quarantined_file_id: Id })
export type QuarantinedFilePath = Static<typeof QuarantinedFilePath>

export const QuarantineQuery = listQuery({
  status: Type.Optional(OneOf(QUARANTINE_STATUSES)),
  reason: Type.Optional(OneOf(QUARANTINE_REASONS)),
})
export type QuarantineQuery = Static<typeof QuarantineQuery>
