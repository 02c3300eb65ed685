import { NOT_INCLUDED, NOT_RECOVERABLE } from '../../../catalog/rcv.ts'
import type { JobOutcome } from '../../../kernel/job.ts'
import type { EmpresaScope } from '../../../kernel/scope.ts'
import { SiiRefused } from '../../../ports/sii.ts'
import type { JobContext } from '../../job.ts'
import { jobEmpresa } from '../../platform/empresa/job-empresa.ts'
import type { RcvRow } from './row.ts'
import { markSent, saveRefusal, unsentEntries } from './store.ts'

/** Sending twice does no harm: the SII is told what an entry is, not how to change it. */
async function send(ctx: JobContext, empresa: EmpresaScope, row: RcvRow): Promise<void> {
  const { tipo_compra, tipo_doc, folio, counterparty_rut, period, estado_contable } = row
  if (tipo_compra === null || folio === null || counterparty_rut === null) return
  const sii = ctx.ports.sii[empresa.mode]
  const order = { empresa, period, tipo_doc, folio, counterparty_rut, at: ctx.now() }
  const code = tipo_compra === NOT_RECOVERABLE ? row.iva_not_recoverable_code : null
  await sii.characterize({ ...order, tipo_compra, iva_not_recoverable_code: code })
  // Tipo 7 moves an entry by itself, and any other brings back to PENDIENTE what only waits there.
  if (tipo_compra === NOT_INCLUDED || estado_contable === null) return
  if (estado_contable !== 'PENDIENTE' || isPutOff(row)) await sii.moveEstado({ ...order, estado_contable })
}

/** Whether somebody here put it off. An entry that always waited moves by itself when it is answered. */
function isPutOff({ before }: RcvRow): boolean {
  return before !== null && before.estado_contable !== 'PENDIENTE'
}

/**
 * Sends the SII the decisions it does not know yet, one entry after the other and with no transaction open. One that it
 * refuses does not keep the others from it: its words are shown with the entry, and it is tried again with the job.
 */
export async function sendDecisions(
  ctx: JobContext,
  { entry_ids }: { readonly entry_ids: readonly string[] },
): Promise<JobOutcome> {
  const empresa = await jobEmpresa(ctx)
  if (!empresa) return 'done'
  const { scope } = empresa
  let refused: SiiRefused | null = null
  for (const row of await unsentEntries(ctx.sql, scope, entry_ids)) {
    try {
      await send(ctx, scope, row)
      await ctx.transact((tx) => markSent(tx.sql, scope, row))
    } catch (error) {
      if (!(error instanceof SiiRefused)) throw error
      await ctx.transact((tx) => saveRefusal(tx.sql, scope, row, error.message, tx.now()))
      refused ??= error
    }
  }
  if (refused) throw refused
  return 'done'
}
