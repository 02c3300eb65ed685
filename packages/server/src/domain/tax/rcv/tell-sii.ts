import type { JobOutcome } from '../../../kernel/job.ts'
import type { EmpresaScope } from '../../../kernel/scope.ts'
import type { JobContext } from '../../job.ts'
import { empresaOfJob } from '../../platform/empresa/of-job.ts'
import { noteTold, untoldEntries } from './decide-store.ts'
import type { TellOrder } from './jobs.ts'
import type { RcvRow } from './row.ts'
import { NOT_INCLUDED, NOT_RECOVERABLE } from './tipos.ts'

/** Twice is no harm: the SII is told what an entry is, not how to change it. */
async function tell(ctx: JobContext, empresa: EmpresaScope, row: RcvRow): Promise<void> {
  const { tipo_compra, tipo_doc, folio, counterparty_rut, period, estado_contable } = row
  if (tipo_compra === null || folio === null || counterparty_rut === null) return
  const sii = ctx.ports.sii[empresa.mode]
  const order = { empresa, period, tipo_doc, folio, counterparty_rut, at: ctx.now() }
  const code = tipo_compra === NOT_RECOVERABLE ? row.iva_not_recoverable_code : null
  await sii.characterize({ ...order, tipo_compra, iva_not_recoverable_code: code })
  // Tipo 7 moved it by itself, and any other brings back what only waits to where it waited.
  if (tipo_compra === NOT_INCLUDED || estado_contable === null) return
  if (estado_contable !== 'PENDIENTE' || isPutOff(row)) await sii.moveEstado({ ...order, estado_contable })
}

/** Whether somebody here put it off. What waits since ever is left to wait: it moves on by itself when it is answered. */
function isPutOff({ before }: RcvRow): boolean {
  return before !== null && before.estado_contable !== 'PENDIENTE'
}

/** Tells the SII, one entry after the other and with no transaction open, whatever was decided and it does not know. */
export async function runTell(ctx: JobContext, { entry_ids }: TellOrder): Promise<JobOutcome> {
  const empresa = await empresaOfJob(ctx)
  if (!empresa) return 'done'
  const { scope } = empresa
  for (const row of await untoldEntries(ctx.sql, scope, entry_ids)) {
    await tell(ctx, scope, row)
    await ctx.transact((tx) => noteTold(tx.sql, scope, row))
  }
  return 'done'
}
