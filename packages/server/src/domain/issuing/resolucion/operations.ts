import { defineOperation } from '../../operation.ts'
import { Empresa, EmpresaPath, VerifyResolucion } from '../../platform/empresa/schema.ts'
import { verifyResolucion, verifyWithSii } from './verify.ts'

export const resolucionOperations = [
  defineOperation({
    id: 'resolucion.verify',
    method: 'POST',
    path: '/empresas/{empresa_id}/resolucion/verify',
    summary: 'Verify a declared resolución with the SII',
    description:
      'For the operator alone. It asks the SII for one folio range of production: granted, the claim is verified; ' +
      'answered without a range, it is refused with the words of the SII. Nothing else ever verifies a claim.',
    reach: 'operator',
    params: EmpresaPath,
    body: VerifyResolucion,
    returns: Empresa,
    errors: ['confirmation_required', 'resolucion_verification_not_allowed', 'sii_unreachable'],
    afterCommit: verifyWithSii,
    audited: true,
    run: verifyResolucion,
  }),
]
