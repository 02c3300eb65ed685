import type { EmpresaScope } from '../../../kernel/scope.ts'
import type { BaseContext } from '../../context.ts'
import { maySignFor, proofBy, recordRutProof } from '../empresa/proof.ts'
import { signerOnPage } from '../mandato/lookup.ts'
import { findCertificate } from './store.ts'

/** Records what the certificate in custody shows of the RUT, whenever it or the mandato changes. */
export async function proveRut({ sql, now }: Pick<BaseContext, 'sql' | 'now'>, scope: EmpresaScope): Promise<void> {
  const row = await findCertificate(sql, scope)
  const proof = row && proofBy(row, { rut: scope.rut, signer_rut: await signerOnPage(sql, scope) })
  if (!proof || (proof === 'signer' && !(await maySignFor(sql, scope, row.holder_rut)))) return
  await recordRutProof(sql, scope, proof, now(), row.holder_rut)
}
