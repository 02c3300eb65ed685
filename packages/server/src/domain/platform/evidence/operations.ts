import { RETENTION } from '../../../catalog/retention.ts'
import { listOf } from '../../../kernel/schema.ts'
import { defineExport } from '../../export.ts'
import { defineOperation } from '../../operation.ts'
import { EmpresaPath } from '../empresa/schema.ts'
import { listEvidence } from './read.ts'
import { Evidence, EvidenceQuery } from './schema.ts'

const path = '/empresas/{empresa_id}/onboarding/evidence'

export const evidenceOperations = [
  defineOperation({
    id: 'onboarding.evidence.list',
    method: 'GET',
    path,
    summary: 'Read what people did on the way of an empresa to emitting',
    description:
      'Every act of a person: who, when, from where, and which text they were shown; newest first. Entries are never changed, ' +
      `and kept as long as the documents that rest on them: ${RETENTION.evidence_years} years after the last. Those of an ` +
      'archived or suspended empresa can be read too; those of a sandbox empresa go with it.',
    reach: 'empresa',
    scope: 'empresas:read',
    params: EmpresaPath,
    query: EvidenceQuery,
    returns: listOf(Evidence),
    errors: ['invalid_cursor'],
    run: listEvidence,
  }),
  defineExport({
    id: 'onboarding.evidence.export',
    path,
    summary: 'Download the evidence of an empresa as CSV or XLSX',
    scope: 'empresas:read',
    params: EmpresaPath,
    query: EvidenceQuery,
    item: Evidence,
    name: () => 'evidence',
    list: listEvidence,
  }),
]
