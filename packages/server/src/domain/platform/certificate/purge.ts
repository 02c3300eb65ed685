import type { Sql } from '../../../kernel/db.ts'
import { Problem } from '../../../kernel/problem.ts'
import type { EmpresaContext } from '../../context.ts'
import { changeCustody, lockForCustody } from '../empresa/change-custody.ts'
import { askLogOut } from './log-out.ts'
import { dropIdentity } from './lookup.ts'
import { showInEvent } from './show.ts'
import { deleteCertificate, deleteCertificatesOf } from './store.ts'

/** Deletes the certificate of an empresa for good, where it has one. Other empresas keep theirs, of the same person too. */
export async function purgeCertificate(
  ctx: Pick<EmpresaContext, 'sql' | 'now' | 'emit' | 'empresa' | 'enqueue' | 'ports'>,
): Promise<boolean> {
  const row = await deleteCertificate(ctx.sql, ctx.empresa)
  dropIdentity(ctx.empresa)
  if (!row) return false
  ctx.emit({ type: 'certificate.deleted', object: showInEvent(row, ctx.empresa, ctx.now()) })
  await askLogOut(ctx, row)
  return true
}

export async function removeCertificate(ctx: EmpresaContext): Promise<null> {
  const empresa = await lockForCustody(ctx)
  if (!(await purgeCertificate(ctx))) throw new Problem('certificate_not_found')
  await changeCustody(ctx, empresa, { certificate_until: null, certificate_refused: {} })
  return null
}

/** Those of an account that closes. */
export async function purgeCertificatesOf(sql: Sql, account_id: string): Promise<void> {
  await deleteCertificatesOf(sql, account_id)
}
