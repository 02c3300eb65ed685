import { secondsFrom, systemNow } from '../../../kernel/clock.ts'
import { Problem } from '../../../kernel/problem.ts'
import type { OperatorContext } from '../../context.ts'
import { lockClaim, writeAsked } from '../../platform/empresa/resolucion-claim.ts'
import type { VerificationRequest, VerifyResolucion } from '../../platform/empresa/resolucion-schema.ts'
import type { EmpresaRow } from '../../platform/empresa/row.ts'
import type { Empresa } from '../../platform/empresa/schema.ts'
import { showEmpresa } from '../../platform/empresa/show.ts'

/** A question nobody answered within this time died with its process and may be asked again. */
const ANSWER_SECONDS = 300

/** The tipo whose folios are asked for: the most common one that the empresa declares. */
const PREFERRED = [33, 34, 61, 56, 52, 46, 39, 41]

function requestFor(row: EmpresaRow): VerificationRequest {
  const tipo = PREFERRED.find((candidate) => row.doc_types.includes(candidate)) ?? 33
  return { tipo, quantity: 1, ambiente: 'produccion' }
}

function reasonAgainst(row: EmpresaRow, now: Date): string | null {
  const { status, resolucion_status, resolucion_asked_at } = row
  if (status !== 'active') return 'empresa_inactive'
  if (resolucion_status === null) return 'no_resolucion'
  if (resolucion_status === 'verified') return 'already_verified'
  if (resolucion_status === 'refused') return 'refused_redeclare_first'
  const running = resolucion_asked_at !== null && secondsFrom(resolucion_asked_at, ANSWER_SECONDS) > now
  return running ? 'verification_running' : null
}

/**
 * The operator's decision to spend one folio request of the taxpayer on its claim. Here it is only written down that
 * the SII is about to be asked, so that no second call asks it too; `askSii` goes on once that is committed.
 */
export async function verifyResolucion(ctx: OperatorContext, { confirm }: VerifyResolucion): Promise<Empresa> {
  if (confirm !== true) throw new Problem('confirmation_required', { param: 'confirm' })
  const row = await lockClaim(ctx.sql, ctx.empresa)
  if (!row) throw new Problem('empresa_not_found')
  const now = new Date(systemNow())
  const reason = reasonAgainst(row, now)
  if (reason !== null) throw new Problem('resolucion_verification_not_allowed', { details: { reason } })
  return showEmpresa(await writeAsked(ctx.sql, ctx.empresa, requestFor(row), { by: ctx.request_id, at: now }))
}
