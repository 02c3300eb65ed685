import { listOf } from '../../../../kernel/schema.ts'
import { defineOperation } from '../../../operation.ts'
import { listCertifications } from './list.ts'
import { CertificationUnderWay, UnderWayQuery } from './schema.ts'

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
]
