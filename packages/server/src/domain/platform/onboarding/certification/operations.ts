import { defineOperation } from '../../../operation.ts'
import { EmpresaPath } from '../../empresa/schema.ts'
import { readCertification, refuseToCertify } from './read.ts'
import { Certification, CertificationInputs, SetFile } from './schema.ts'

const CERTIFICATION = '/empresas/{empresa_id}/onboarding/certification'
const NOT_YET = { not: 'Nothing takes it yet: people of the operator run the certification.' }
const takes = {
  method: 'POST',
  reach: 'empresa',
  scope: 'onboarding:write',
  params: EmpresaPath,
  returns: Certification,
  errors: ['certification_run_by_operator'],
  mcp: NOT_YET,
  run: refuseToCertify,
} as const

export const certificationOperations = [
  defineOperation({
    id: 'onboarding.certification.get',
    method: 'GET',
    path: CERTIFICATION,
    summary: 'Read the certification of an empresa',
    description:
      'Which tipos the SII still has to authorise, and the steps of the onboarding that lead there. People of the operator run ' +
      'it today: `set` is null, and `cases` and `inputs` are empty.',
    reach: 'empresa',
    scope: 'empresas:read',
    params: EmpresaPath,
    returns: Certification,
    run: readCertification,
  }),
  defineOperation({
    ...takes,
    id: 'onboarding.certification.set_file',
    path: `${CERTIFICATION}/set_file`,
    summary: 'Hand in the set de pruebas',
    description: 'Refused today: people of the operator fetch the set and run it.',
    body: SetFile,
  }),
  defineOperation({
    ...takes,
    id: 'onboarding.certification.inputs',
    path: `${CERTIFICATION}/inputs`,
    summary: 'Answer what the certification asks',
    description: 'Refused today: `inputs` of the certification asks nothing while people of the operator run it.',
    body: CertificationInputs,
  }),
]
