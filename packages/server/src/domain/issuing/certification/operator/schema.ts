import { type Static, Type } from 'typebox'
import { PERSON_ROLES } from '../../../../catalog/roles.ts'
import { Closed, Id, listQuery, Named, Nullable, OneOf, Timestamp } from '../../../../kernel/schema.ts'
import { EXECUTIONS } from '../../../platform/onboarding/lanes.ts'
import { OPERATOR_ACTS } from '../../../platform/onboarding/operator/under-way.ts'
import { CERTIFICATION_STEPS, WAITS_FOR } from '../../../platform/onboarding/operator/waits-for.ts'
import { BlockedReason } from '../../../platform/onboarding/schema.ts'
import { STEP_STATUSES } from '../../../platform/onboarding/settle.ts'
import { Rut } from '../../../rut.ts'
import { FILE_KINDS } from '../file.ts'
import { FILE_STATES } from '../schema.ts'

const UnderWayFile = Closed({
  id: Type.String(),
  kind: OneOf(FILE_KINDS),
  attempt: Type.Integer(),
  file_name: Type.String(),
  bytes: Type.Integer({ description: '0 until it is signed.' }),
  state: OneOf(FILE_STATES),
  track_id: Nullable(Type.String()),
  sent_at: Nullable(Timestamp),
  words: Nullable(Type.String()),
  findings: Type.Array(Type.String()),
})

export const FilePath = Closed({ empresa_id: Id, file_id: Id })

export const CertificationUnderWay = Named(
  'CertificationUnderWay',
  Closed({
    object: Type.Literal('certification_under_way'),
    account: Closed({ id: Type.String(), name: Type.String() }),
    empresa: Closed({ id: Type.String(), rut: Type.String(), legal_name: Type.String() }),
    doc_types: Type.Array(Type.Integer(), { description: 'What the empresa declares today.' }),
    step: Type.String({ description: 'The one that is open.' }),
    status: OneOf(STEP_STATUSES),
    since: Timestamp,
    waits_for: OneOf(WAITS_FOR, {
      description:
        'A person of the operator, something that only the taxpayer knows, the decision of a person of the taxpayer, ourselves, or the SII.',
    }),
    role: Nullable(OneOf(PERSON_ROLES), { description: 'Whose decision it waits for.' }),
    execution: OneOf(EXECUTIONS),
    taken_by: Nullable(Type.String()),
    taken_at: Nullable(Timestamp),
    why: Nullable(Type.String(), { description: 'Why a person has it in the place of the job.' }),
    blocked_reason: Nullable(BlockedReason),
    words: Nullable(Type.String(), { description: 'The last words of the SII.' }),
    said_at: Nullable(Timestamp),
    next_look_at: Nullable(Timestamp),
    attempt: Type.Integer({ description: 'How often the files of the step were made; 0 before any was.' }),
    findings: Type.Array(Type.String(), { description: 'What the SII found, or would find.' }),
    folios: Type.Array(Closed({ tipo_dte: Type.Integer(), first: Type.Integer(), last: Type.Integer() }), {
      description: 'Folios of certification in use.',
    }),
    files: Type.Array(UnderWayFile, {
      description: 'The last attempt at each file of the step; `GET …/files/{file_id}` has its bytes.',
    }),
    acts: Type.Array(OneOf(OPERATOR_ACTS), {
      description: 'What can be done about it now: the last word of `POST …/onboarding/steps/{step}/…`.',
    }),
    version: Type.String({ description: 'Send it as `seen` with an act: what changed since is not acted upon.' }),
  }),
)
export type CertificationUnderWay = Static<typeof CertificationUnderWay>

export const UnderWayQuery = listQuery({
  step: Type.Optional(OneOf(CERTIFICATION_STEPS)),
  waits_for: Type.Optional(OneOf(WAITS_FOR)),
  rut: Type.Optional(Rut),
})
export type UnderWayQuery = Static<typeof UnderWayQuery>
