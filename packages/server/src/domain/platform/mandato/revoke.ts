import type { Person } from '../../../catalog/roles.ts'
import { advance } from '../../../kernel/advance.ts'
import { Problem } from '../../../kernel/problem.ts'
import type { EmpresaScope } from '../../../kernel/scope.ts'
import type { EmpresaContext, Origin } from '../../context.ts'
import { lockForMandato, standByMandato } from '../empresa/stand-by-mandato.ts'
import { recordEvidence } from '../evidence/record.ts'
import { mandatoMachine } from './machine.ts'
import type { Mandato } from './schema.ts'
import { type MandatoRow, showMandato } from './show.ts'
import type { MandatoContext } from './sign.ts'
import { findMandato, saveRevocation } from './store.ts'
import { findTerms } from './terms.ts'

export interface RevokeMandato extends Origin {
  /** Who revoked it, where a page asked them; null where a credential did. */
  readonly actor: Person | null
}

/**
 * Revokes the mandato: from the commit on nothing is done for the empresa at the SII (Código Civil, art. 2165: it takes effect
 * when the mandatario knows). It always can be, of an archived empresa too; what is revoked stays so.
 */
export async function revokeMandato(
  ctx: MandatoContext,
  scope: EmpresaScope,
  { actor, ...from }: RevokeMandato,
): Promise<Mandato> {
  const empresa = await lockForMandato(ctx, scope)
  const before = await findMandato(ctx.sql, scope)
  if (before?.status === 'revoked') return showMandato(before, scope)
  if (before?.status !== 'signed') throw new Problem('mandato_not_found')
  await saveRevocation(ctx.sql, scope, ctx.now())
  const { row } = await advance<MandatoRow, typeof mandatoMachine>(ctx.sql, mandatoMachine, scope, before.id, 'revoked')
  const terms = findTerms(before.terms_version ?? '')
  const document = terms && { version: terms.version, sha256: terms.sha256 }
  await recordEvidence(ctx, scope, { ...from, actor, step: 'mandato', act: 'mandato_revoked', document })
  await standByMandato(ctx, scope, empresa, { status: 'revoked', terms_version: before.terms_version })
  await ctx.reactions.onboardingFactsChanged(ctx, scope)
  return showMandato(row, scope)
}

export async function removeMandato(ctx: EmpresaContext): Promise<null> {
  await revokeMandato(ctx, ctx.empresa, { ...ctx.origin, actor: null })
  return null
}
