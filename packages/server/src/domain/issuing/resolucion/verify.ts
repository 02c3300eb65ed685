import { advance } from '../../../kernel/advance.ts'
import { secondsFrom, systemNow } from '../../../kernel/clock.ts'
import { Problem } from '../../../kernel/problem.ts'
import { SiiUnreachable } from '../../../ports/sii.ts'
import type { AfterCommit, OperatorContext } from '../../context.ts'
import { resolucionMachine } from '../../platform/empresa/machine.ts'
import { readEmpresa } from '../../platform/empresa/read.ts'
import { certifyDeclared } from '../../platform/empresa/record-emission.ts'
import {
  lockClaim,
  saveVerificationAnswer,
  saveVerificationRequest,
  withdrawVerificationRequest,
} from '../../platform/empresa/resolucion.ts'
import type { EmpresaRow } from '../../platform/empresa/row.ts'
import type { Empresa, VerificationRequest, VerifyResolucion } from '../../platform/empresa/schema.ts'
import { showEmpresa } from '../../platform/empresa/show.ts'
import { previousAttributes } from '../../previous-attributes.ts'
import { type CafFile, fetchCaf } from '../folio/fetch-caf.ts'
import { emitReceived, saveCaf } from '../folio/save-caf.ts'

/** A request that the SII did not answer within this time died with its process and may be made again. */
const ANSWER_SECONDS = 300

/** The tipo whose folios are requested: the most common one that the empresa declares. */
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
 * The operator's decision to spend one folio request of the taxpayer on its claim. It only records that the SII is
 * about to be asked, so that no second call asks it too; `verifyWithSii` goes on once that is committed.
 */
export async function verifyResolucion(ctx: OperatorContext, { confirm }: VerifyResolucion): Promise<Empresa> {
  if (confirm !== true) throw new Problem('confirmation_required', { param: 'confirm' })
  const row = await lockClaim(ctx.sql, ctx.empresa)
  if (!row) throw new Problem('empresa_not_found')
  const now = new Date(systemNow())
  const reason = reasonAgainst(row, now)
  if (reason !== null) throw new Problem('resolucion_verification_not_allowed', { details: { reason } })
  return showEmpresa(
    await saveVerificationRequest(ctx.sql, ctx.empresa, requestFor(row), { by: ctx.request_id, at: now }),
    ctx,
  )
}

const overtaken = () =>
  new Problem('resolucion_verification_not_allowed', { details: { reason: 'claim_changed_meanwhile' } })

/** Locks the claim that this very call verifies; refused when another call took its place. */
async function lockOwnClaim(ctx: OperatorContext): Promise<EmpresaRow> {
  const row = await lockClaim(ctx.sql, ctx.empresa)
  if (row?.resolucion_asked_by !== ctx.request_id) throw overtaken()
  return row
}

/** The range, or the words with which the SII gave none. */
type RangeAnswer = CafFile | { readonly sentence: string }

async function requestRange(ctx: OperatorContext, row: EmpresaRow): Promise<RangeAnswer> {
  const { resolucion_request, resolucion_numero, legal_name } = row
  if (!resolucion_request || resolucion_numero === null) throw overtaken()
  const { tipo, quantity, ambiente } = resolucion_request
  return fetchCaf(ctx, ctx.empresa, { legal_name, tipo_dte: tipo, quantity, resolucion_numero, ambiente })
}

/** The granted folios are the taxpayer's, and go into custody with all its others. */
async function saveRange(ctx: OperatorContext, range: CafFile): Promise<void> {
  const { saved, row } = await saveCaf(ctx, ctx.empresa, range, 'resolucion')
  if (saved) await emitReceived(ctx, ctx.empresa, row)
}

async function recordAnswer(ctx: OperatorContext, answer: RangeAnswer): Promise<Empresa> {
  const before = await lockOwnClaim(ctx)
  const granted = 'caf' in answer
  if (granted) await saveRange(ctx, answer)
  await saveVerificationAnswer(ctx.sql, ctx.empresa, {
    verified_at: granted ? ctx.now() : null,
    refusal: granted ? null : answer.sentence,
  })
  const trigger = granted ? 'granted' : 'refused'
  await advance(ctx.sql, resolucionMachine, ctx.empresa, before.id, trigger)
  if (granted) await certifyDeclared(ctx.sql, ctx.empresa)
  await ctx.reactions.onboardingFactsChanged(ctx, ctx.empresa)
  const after = await readEmpresa(ctx)
  // The caller compares with what it saw before the request: the request itself is no change.
  const unasked = showEmpresa({ ...before, resolucion_request: null }, ctx)
  ctx.emit({
    type: 'empresa.updated',
    object: after,
    previous_attributes: previousAttributes(unasked, after) ?? {},
  })
  return after
}

/**
 * Asks the SII for the range and writes its answer, in that order and never in one transaction. When the SII cannot be
 * asked nothing has changed. A crash in between leaves the request on the row; it lapses and may be made again.
 */
export async function verifyWithSii(ctx: AfterCommit<OperatorContext>): Promise<Empresa> {
  const claim = await lockOwnClaim(ctx)
  let answer: RangeAnswer
  try {
    answer = await requestRange(ctx, claim)
  } catch (error) {
    await ctx.transact((tx) => withdrawVerificationRequest(tx.sql, ctx.empresa, ctx.request_id))
    if (error instanceof SiiUnreachable) throw new Problem('sii_unreachable', { message: error.told })
    throw error
  }
  return ctx.transact((tx) => recordAnswer(tx, answer))
}
