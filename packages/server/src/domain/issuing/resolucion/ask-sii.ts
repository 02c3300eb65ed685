import { advance } from '../../../kernel/advance.ts'
import { Problem } from '../../../kernel/problem.ts'
import { SiiUnreachable } from '../../../ports/sii.ts'
import type { AfterCommit, OperatorContext } from '../../context.ts'
import { previousAttributes } from '../../platform/empresa/previous.ts'
import { lockClaim, takeBackAsked, writeAnswer } from '../../platform/empresa/resolucion-claim.ts'
import { resolucionMachine } from '../../platform/empresa/resolucion-machine.ts'
import type { EmpresaRow } from '../../platform/empresa/row.ts'
import type { Empresa } from '../../platform/empresa/schema.ts'
import { showEmpresa } from '../../platform/empresa/show.ts'
import { requestFile } from '../folio/fetch-file.ts'
import { type CafFile, keepCaf } from '../folio/keep-caf.ts'
import { tellReceived } from '../folio/received.ts'

const overtaken = () =>
  new Problem('resolucion_verification_not_allowed', { details: { reason: 'claim_changed_meanwhile' } })

/** The claim this very call asks about, or a refusal when another one took its place. */
async function ownClaim(ctx: OperatorContext): Promise<EmpresaRow> {
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
  return requestFile(ctx, ctx.empresa, { legal_name, tipo_dte: tipo, quantity, resolucion_numero, ambiente })
}

/** The granted folios are the taxpayer's, and go into custody with all its others. */
async function keepRange(ctx: OperatorContext, range: CafFile): Promise<void> {
  const { kept, row } = await keepCaf(ctx, ctx.empresa, range, 'resolucion')
  if (kept) await tellReceived(ctx, ctx.empresa, row)
}

async function record(ctx: OperatorContext, answer: RangeAnswer): Promise<Empresa> {
  const before = await ownClaim(ctx)
  const granted = 'caf' in answer
  if (granted) await keepRange(ctx, answer)
  await writeAnswer(ctx.sql, ctx.empresa, {
    verified_at: granted ? ctx.now() : null,
    refusal: granted ? null : answer.sentence,
  })
  const trigger = granted ? 'granted' : 'refused'
  const { row } = await advance<EmpresaRow, typeof resolucionMachine>(
    ctx.sql,
    resolucionMachine,
    ctx.empresa,
    before.id,
    trigger,
  )
  const after = showEmpresa(row)
  // What the caller saw before the question was asked: the question itself is no news.
  const unasked = showEmpresa({ ...before, resolucion_request: null })
  ctx.emit({
    type: 'empresa.updated',
    object: after,
    previous_attributes: previousAttributes(unasked, after) ?? {},
  })
  return after
}

/**
 * Asks the SII for the range and writes its answer, in that order and never in one transaction. When it cannot be
 * asked nothing has changed. A crash in between leaves the question on the row; it lapses and may be asked again.
 */
export async function askSii(ctx: AfterCommit<OperatorContext>): Promise<Empresa> {
  const claim = await ownClaim(ctx)
  let answer: RangeAnswer
  try {
    answer = await requestRange(ctx, claim)
  } catch (error) {
    await ctx.transact((tx) => takeBackAsked(tx.sql, ctx.empresa, ctx.request_id))
    if (error instanceof SiiUnreachable) throw new Problem('sii_unreachable')
    throw error
  }
  return ctx.transact((tx) => record(tx, answer))
}
