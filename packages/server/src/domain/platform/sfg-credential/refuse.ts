import type { EmpresaScope } from '../../../kernel/scope.ts'
import type { JobTransaction } from '../../job.ts'
import { changeCustody, lockForCustody } from '../empresa/change-custody.ts'
import { recordSfgRefusal } from './lookup.ts'

/** The SII refused the password: it is not tried again until one is stored anew. */
export async function refuseSfgCredential(tx: JobTransaction, scope: EmpresaScope): Promise<void> {
  const about = { id: scope.empresa_id, rut: scope.rut }
  const emit: JobTransaction['emit'] = (event) => tx.emit({ ...event, empresa: about })
  const ctx = { ...tx, emit, empresa: scope }
  const empresa = await lockForCustody(ctx)
  await recordSfgRefusal(tx.sql, scope)
  await changeCustody(ctx, empresa, { sfg_refused_at: tx.now() })
}
