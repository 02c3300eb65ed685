import { artifact } from '../../../kernel/schema.ts'
import { defineOperation } from '../../operation.ts'
import { EmpresaPath } from '../../platform/empresa/schema.ts'
import { giveInputs } from './give-inputs.ts'
import { downloadSample, downloadSamples, readCertification } from './read.ts'
import { Certification, CertificationInputs, SamplePath, SetFile } from './schema.ts'
import { readSetFile, takeSet } from './take-set.ts'

const CERTIFICATION = '/empresas/{empresa_id}/onboarding/certification'

export const certificationOperations = [
  defineOperation({
    id: 'onboarding.certification.get',
    method: 'GET',
    path: CERTIFICATION,
    summary: 'Read the certification of an empresa',
    description:
      'Which tipos the SII still has to authorise, the sets de pruebas as they were understood, the document that is built for ' +
      'each case with its totals, every file that went to the SII with its words, and what is asked of the taxpayer.',
    reach: 'empresa',
    scope: 'empresas:read',
    params: EmpresaPath,
    returns: Certification,
    run: readCertification,
  }),
  defineOperation({
    id: 'onboarding.certification.samples.get',
    method: 'GET',
    path: `${CERTIFICATION}/samples/{file_id}`,
    summary: 'Download a printed sample',
    description:
      'The PDF that the titular approves and the SII reviews, the same bytes for both. `samples` of the certification lists ' +
      'them. It carries no watermark, because the SII judges the page that customers get: resolución 0 tells that it is a test.',
    reach: 'empresa',
    scope: 'empresas:read',
    params: SamplePath,
    returns: artifact('application/pdf'),
    limit: 'artifacts',
    errors: ['certification_sample_not_found'],
    run: downloadSample,
  }),
  defineOperation({
    id: 'onboarding.certification.samples.zip',
    method: 'GET',
    path: '/onboarding/certifications/{empresa_id}/samples',
    summary: 'Download all printed samples of a certification',
    description:
      'For the operator alone: one file with every sample as it was approved, for a person who hands them in where the SII has ' +
      'no wire for it.',
    reach: 'operator',
    params: EmpresaPath,
    returns: artifact('application/zip'),
    errors: ['certification_sample_not_found'],
    run: downloadSamples,
  }),
  defineOperation({
    id: 'onboarding.certification.set_file',
    method: 'POST',
    path: `${CERTIFICATION}/set_file`,
    summary: 'Hand in a set de pruebas',
    description:
      'In place of the one that the service asks the SII for: the answer shows its cases and what each comes to, and what is ' +
      'not understood, with its line. Nothing is sent while anything is not understood, but for exportación, which is left out ' +
      'by name. With a test key nothing is ever sent: it shows what would be.',
    reach: 'empresa',
    scope: 'onboarding:write',
    params: EmpresaPath,
    body: SetFile,
    returns: Certification,
    errors: [
      'invalid_set_file',
      'onboarding_step_not_found',
      'step_not_open',
      'certification_under_way',
      'empresa_inactive',
    ],
    leaves: { object: 'onboarding' },
    audited: true,
    mcp: { not: 'A set de pruebas comes from the SII by itself, or from a file of a person.' },
    prepare: readSetFile,
    run: takeSet,
  }),
  defineOperation({
    id: 'onboarding.certification.inputs',
    method: 'POST',
    path: `${CERTIFICATION}/inputs`,
    summary: 'Answer what the certification asks',
    description:
      'What only the taxpayer knows: `inputs` of the certification tells which, how each is written, and what waits for it.',
    reach: 'empresa',
    scope: 'onboarding:write',
    params: EmpresaPath,
    body: CertificationInputs,
    returns: Certification,
    leaves: { object: 'onboarding' },
    audited: true,
    mcp: { not: 'The taxpayer answers it: no agent knows for them.' },
    run: giveInputs,
  }),
]
