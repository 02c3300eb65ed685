import { advance } from '../../../kernel/advance.ts'
import { invalidField, Problem, together } from '../../../kernel/problem.ts'
import type { EmpresaScope } from '../../../kernel/scope.ts'
import type { EmpresaContext, Origin } from '../../context.ts'
import { proveRut } from '../certificate/prove-rut.ts'
import { lockForMandato, standByMandato } from '../empresa/stand-by-mandato.ts'
import { recordEvidence } from '../evidence/record.ts'
import { mandatoMachine } from './machine.ts'
import type { Mandato, MandatoTerms, MandatoVia, RecordMandato, Signer } from './schema.ts'
import { type MandatoRow, showMandato, signerOf } from './show.ts'
import { findMandato, insertMandato, saveSignature } from './store.ts'
import { findTerms, requireCurrent, termsToSign, unknownTerms } from './terms.ts'

/** What both verbs need, so that a hosted page can call them as an operation does. */
export type MandatoContext = Pick<
  EmpresaContext,
  'sql' | 'now' | 'ports' | 'addresses' | 'emit' | 'enqueue' | 'invalidate' | 'reactions'
>

export interface SignMandato extends Origin {
  readonly via: MandatoVia
  readonly terms_version: string
  readonly signer: Signer
}

/** The same text by the same person, and by a road that proves no more than the one that was taken. */
function stands(row: MandatoRow | null, { terms_version, signer, via }: SignMandato): boolean {
  if (row?.status !== 'signed' || row.terms_version !== terms_version) return false
  const before = signerOf(row)
  const same = before?.rut === signer.rut && before.name === signer.name && before.role === signer.role
  return same && (row.via === via || via === 'api')
}

async function writeSignature(
  ctx: MandatoContext,
  scope: EmpresaScope,
  terms: MandatoTerms,
  { signer, via, ip, user_agent }: SignMandato,
): Promise<MandatoRow> {
  const { version, sha256 } = terms
  const signed_at = ctx.now()
  await insertMandato(ctx.sql, scope)
  const id = await saveSignature(ctx.sql, scope, { terms_version: version, signer, via, signed_at })
  const { row } = await advance<MandatoRow, typeof mandatoMachine>(ctx.sql, mandatoMachine, scope, id, 'signed')
  const document = { version, sha256 }
  await recordEvidence({ sql: ctx.sql, now: () => signed_at }, scope, {
    step: 'mandato',
    act: 'mandato_signed',
    actor: signer,
    ip,
    user_agent,
    document,
    via,
  })
  return row
}

/**
 * Signs the mandato of an empresa. One that was suspended for want of it goes on where it stood. Signing what is signed
 * changes nothing, but that what was recorded over the API and is signed on a page is from then on the page's.
 */
export async function signMandato(ctx: MandatoContext, scope: EmpresaScope, signature: SignMandato): Promise<Mandato> {
  const terms = termsToSign(signature.terms_version)
  const empresa = await lockForMandato(ctx, scope)
  if (empresa.status === 'archived') throw new Problem('empresa_inactive')
  const before = await findMandato(ctx.sql, scope)
  if (stands(before, signature)) return showMandato(before, scope)
  const row = await writeSignature(ctx, scope, terms, signature)
  await proveRut(ctx, scope)
  const moved = await standByMandato(ctx, scope, empresa, { status: 'signed', terms_version: terms.version })
  // Its certificate signs again.
  if (moved) await ctx.reactions.certificateChanged(ctx, scope)
  await ctx.reactions.onboardingFactsChanged(ctx, scope)
  return showMandato(row, scope)
}

/** What was revoked, signed again: the text that was signed last, by whoever signed it. */
async function lastSignature(
  ctx: MandatoContext,
  scope: EmpresaScope,
): Promise<Pick<SignMandato, 'terms_version' | 'signer'>> {
  await lockForMandato(ctx, scope)
  const row = await findMandato(ctx.sql, scope)
  const signer = row && signerOf(row)
  if (row?.status !== 'revoked' || !signer) throw new Problem('mandato_not_revoked')
  return { terms_version: requireCurrent(row.terms_version ?? '').version, signer }
}

/** Records what was signed elsewhere. An empty body signs again what was revoked. */
export async function recordMandato(ctx: EmpresaContext, { terms_version, signer }: RecordMandato): Promise<Mandato> {
  const { ip, user_agent } = ctx.origin
  const from = { via: 'api', ip, user_agent } as const
  if (terms_version === undefined && signer === undefined)
    return signMandato(ctx, ctx.empresa, { ...from, ...(await lastSignature(ctx, ctx.empresa)) })
  if (terms_version === undefined) throw invalidField('terms_version', 'it is missing.')
  if (signer === undefined)
    throw together([invalidField('signer', 'it is missing.'), ...(findTerms(terms_version) ? [] : [unknownTerms()])])
  return signMandato(ctx, ctx.empresa, { ...from, terms_version, signer })
}
