import { advance } from '../../kernel/advance.ts'
import type { OperatorContext } from '../../kernel/context.ts'
import type { Settling } from '../../kernel/operation.ts'
import { Problem } from '../../kernel/problem.ts'
import { type CafAnswer, SiiUnreachable } from '../../ports/sii.ts'
import { previousAttributes } from '../empresa/previous.ts'
import type { Empresa } from '../empresa/schema.ts'
import { type EmpresaRow, showEmpresa } from '../empresa/show.ts'
import { resolucionMachine } from './machine.ts'
import { lockClaim, takeBackAsked, writeAnswer } from './store.ts'

const overtaken = () =>
  new Problem('resolucion_verification_not_allowed', { details: { reason: 'claim_changed_meanwhile' } })

/** The claim this very call asks about, or a refusal when another one took its place. */
async function ownClaim(ctx: OperatorContext): Promise<EmpresaRow> {
  const row = await lockClaim(ctx.sql, ctx.empresa)
  if (row?.resolucion_asked_by !== ctx.request_id) throw overtaken()
  return row
}

async function requestRange(ctx: OperatorContext, row: EmpresaRow): Promise<CafAnswer> {
  const { resolucion_request, resolucion_numero } = row
  if (!resolucion_request || resolucion_numero === null) throw overtaken()
  const { tipo, quantity, ambiente } = resolucion_request
  return ctx.ports.sii[ctx.account.mode].requestCaf({
    rut: row.rut,
    tipo_dte: tipo,
    quantity,
    resolucion_numero,
    ambiente,
  })
}

/** Granted or refused, with the range in custody: it holds a private key, and its folios are the taxpayer's. */
async function record(ctx: OperatorContext, answer: CafAnswer): Promise<Empresa> {
  const before = await ownClaim(ctx)
  const xml = answer.granted ? answer.caf_xml : null
  await writeAnswer(ctx.sql, ctx.empresa, {
    verified_at: answer.granted ? ctx.now() : null,
    refusal: answer.granted ? null : answer.sentence,
    caf: xml === null ? null : ctx.ports.vault.seal(`${before.id}:resolucion_caf`, Buffer.from(xml)),
  })
  const trigger = answer.granted ? 'granted' : 'refused'
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
export async function askSii(ctx: Settling<OperatorContext>): Promise<Empresa> {
  const claim = await ownClaim(ctx)
  let answer: CafAnswer
  try {
    answer = await requestRange(ctx, claim)
  } catch (error) {
    await ctx.transact((tx) => takeBackAsked(tx.sql, ctx.empresa, ctx.request_id))
    if (error instanceof SiiUnreachable) throw new Problem('sii_unreachable')
    throw error
  }
  return ctx.transact((tx) => record(tx, answer))
}
