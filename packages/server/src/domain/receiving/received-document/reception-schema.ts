import { type Static, Type } from 'typebox'
import { MODE_NAMES } from '../../../catalog/modes.ts'
import { Closed, Named, Nullable, OneOf, Timestamp } from '../../../kernel/schema.ts'

/** A file that came in, as the events of reception carry it. */
export const Reception = Named(
  'Reception',
  Closed({
    object: Type.Literal('reception'),
    id: Type.String(),
    mode: OneOf(MODE_NAMES),
    source: Type.String({ description: '`mail`, or `test_helper` in the sandbox.' }),
    sender: Nullable(Type.String({ description: 'Who the mail says it is from, which anybody can write.' })),
    file_name: Type.String(),
    emisor_rut: Nullable(Type.String({ description: 'As the file says; nobody proved it.' })),
    received_at: Timestamp,
    documents: Type.Array(Type.String(), { description: 'Ids of the received documents that it became.' }),
    quarantine: Type.Unsafe<{ reason: string; message: string; bytes_kept_until: string } | null>({
      anyOf: [Closed({ reason: Type.String(), message: Type.String(), bytes_kept_until: Timestamp }), { type: 'null' }],
      description: 'Why it was set aside; null where it was taken in.',
    }),
  }),
)
export type Reception = Static<typeof Reception>
