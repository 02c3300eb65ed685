import { Problem } from '../../../kernel/problem.ts'
import type { EmpresaContext } from '../../context.ts'
import { reachedRuts } from '../empresa/scope.ts'
import type { Certificate } from './schema.ts'
import { type CertificateRow, showCertificate } from './show.ts'
import { findCertificate, listServed } from './store.ts'

/** A certificate as its caller sees it: of the empresas that it serves, those within reach. */
export async function showTo(ctx: EmpresaContext, row: CertificateRow): Promise<Certificate> {
  const served = await listServed(ctx.sql, ctx.account, row.id, reachedRuts(ctx.caller))
  return showCertificate(row, ctx.empresa, served, ctx.now())
}

export async function readCertificate(ctx: EmpresaContext): Promise<Certificate> {
  const row = await findCertificate(ctx.sql, ctx.empresa)
  if (!row) throw new Problem('certificate_not_found')
  return showTo(ctx, row)
}
