import { artifact, listOf } from '../../../../kernel/schema.ts'
import { defineOperation } from '../../../operation.ts'
import { ActOnStep } from '../../../platform/onboarding/operator/schema.ts'
import { Onboarding, StepPath } from '../../../platform/onboarding/schema.ts'
import { downloadFile } from './download.ts'
import { listCertifications } from './list.ts'
import { restartCertification } from './restart.ts'
import { CertificationUnderWay, FilePath, UnderWayQuery } from './schema.ts'

export const certificationOperatorOperations = [
  defineOperation({
    id: 'onboarding.certifications.list',
    method: 'GET',
    path: '/onboarding/certifications',
    summary: 'List the certifications under way',
    description:
      'For the operator alone: of every account, the open step of each certification, whom it waits for, what the SII last said ' +
      'and what can be done about it. Those that wait for people come first, and of these the oldest.',
    reach: 'installation',
    query: UnderWayQuery,
    returns: listOf(CertificationUnderWay),
    errors: ['invalid_cursor'],
    run: listCertifications,
  }),
  defineOperation({
    id: 'onboarding.certifications.file',
    method: 'GET',
    path: '/onboarding/certifications/{empresa_id}/files/{file_id}',
    summary: 'Download a file of a certification',
    description: 'For the operator alone: the very bytes that go to the SII, or came from it.',
    reach: 'operator',
    params: FilePath,
    returns: artifact('application/octet-stream'),
    errors: ['certification_file_not_found'],
    run: downloadFile,
  }),
  defineOperation({
    id: 'onboarding.steps.restart',
    method: 'POST',
    path: '/empresas/{empresa_id}/onboarding/steps/{step}/restart',
    summary: 'Begin a step again',
    description:
      'For the operator alone: a step that failed, or that is under way, begins anew. What the SII has not approved by then is ' +
      'made again, with fresh folios; who executes it is as if it had never begun.',
    reach: 'operator',
    params: StepPath,
    body: ActOnStep,
    returns: Onboarding,
    errors: [
      'onboarding_step_not_found',
      'step_not_operators',
      'step_not_open',
      'step_changed',
      'step_taken',
      'empresa_inactive',
    ],
    audited: true,
    run: restartCertification,
  }),
]
