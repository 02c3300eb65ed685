import { type Static, type TObject, Type } from 'typebox'
import { EVIDENCE_ACT_NAMES, EVIDENCE_ACTS, EVIDENCE_VIAS } from '../../../catalog/evidence.ts'
import { PERSON_ROLES } from '../../../catalog/roles.ts'
import { Closed, listQuery, Named, Nullable, OneOf, Opaque, Timestamp } from '../../../kernel/schema.ts'

const Actor = Closed({
  rut: Nullable(Type.String({ description: 'Null of a person of the operator.' })),
  name: Type.String(),
  role: Nullable(OneOf(PERSON_ROLES), { description: 'Null of a person of the operator.' }),
})
const Shown = Closed({ version: Type.String(), sha256: Type.String({ description: 'In hexadecimal.' }) })

const orNull = <T extends TObject>(schema: T, description: string) =>
  Type.Unsafe<Static<T> | null>({ anyOf: [schema, { type: 'null' }], description })

/** The order of the fields is that of the columns of the file. */
export const Evidence = Named(
  'Evidence',
  Closed({
    object: Type.Literal('evidence'),
    id: Type.String(),
    step: Nullable(Type.String({ description: 'The key of a step of the onboarding; null where it belongs to none.' })),
    act: Type.String({
      description: `What was done; there will be more. ${EVIDENCE_ACT_NAMES.map((act) => `\`${act}\`: ${EVIDENCE_ACTS[act]}`).join(' ')}`,
    }),
    actor: orNull(Actor, 'Who did it, as far as it was told; null where a credential acted and named nobody.'),
    at: Timestamp,
    ip: Nullable(Type.String()),
    user_agent: Nullable(Type.String({ description: 'As the program of the caller called itself.' })),
    document: orNull(
      Shown,
      'What the person was shown or handed over: the version of a text, or the id of a certificate, and its digest.',
    ),
    via: OneOf(EVIDENCE_VIAS, {
      description:
        'How it reached us. `api` is what a credential told: it says whom the caller named and proves nothing about them. On a ' +
        '`hosted_page` whoever had its link acted.',
    }),
  }),
)
export type Evidence = Static<typeof Evidence>

export const EvidenceQuery = listQuery({
  step: Type.Optional(Opaque(64, { description: 'The key of a step.' })),
  act: Type.Optional(OneOf(EVIDENCE_ACT_NAMES)),
})
export type EvidenceQuery = Static<typeof EvidenceQuery>
