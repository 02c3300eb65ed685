import { CEILINGS } from '../../../catalog/limits.ts'
import { defineOperation } from '../../operation.ts'
import { EmpresaPath } from '../../platform/empresa/schema.ts'
import { printsOnDocuments } from './agent-copy.ts'
import { measureLogo, readBranding, updateBranding } from './branding.ts'
import { Branding, UpdateBranding } from './schema.ts'

export const brandingOperations = [
  defineOperation({
    id: 'branding.get',
    method: 'GET',
    path: '/empresas/{empresa_id}/branding',
    summary: 'Read how the documents of an empresa are printed',
    reach: 'empresa',
    scope: 'empresas:read',
    params: EmpresaPath,
    returns: Branding,
    run: readBranding,
  }),
  defineOperation({
    id: 'branding.update',
    method: 'PATCH',
    path: '/empresas/{empresa_id}/branding',
    summary: 'Change how the documents of an empresa are printed',
    description: 'What is not sent stays as it was; null removes the logo or the footer.',
    reach: 'empresa',
    scope: 'empresas:write',
    params: EmpresaPath,
    body_bytes: 2 * CEILINGS.logo_bytes,
    body: UpdateBranding,
    returns: Branding,
    mcp: { irreversible: printsOnDocuments },
    audited: true,
    leaves: { object: 'branding' },
    prepare: measureLogo,
    run: updateBranding,
  }),
]
