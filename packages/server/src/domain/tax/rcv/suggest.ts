import type { Sql } from '../../../kernel/db.ts'
import type { EmpresaScope } from '../../../kernel/scope.ts'
import { readAutomationSettings } from '../../issuing/automation-settings/automation-settings.ts'
import type { JobContext } from '../../job.ts'
import { type DecideContext, decidedRow, saveDecided } from './decide.ts'
import { isLocked } from './period-lock.ts'
import type { RcvRow } from './row.ts'
import type { Suggested } from './show.ts'
import { type DecidedTipo, decidedTipos, lockPurchases } from './store.ts'

/** One decision about a supplier may have been an exception. */
const AGREEING_AT_LEAST = 2
const AGREEING_SHARE = 0.75
/** A first reading brings a hundred thousand entries: so many are looked at at a time. */
const BATCH = 1_000

/** Whether somebody may still decide about an entry, and nobody has. */
function isOpen({ side, characterized_by, untold, estado_contable, withdrawn_at_sii, folio }: RcvRow): boolean {
  const undecided = side === 'purchase' && characterized_by === 'sii' && !untold && folio !== null
  return undecided && estado_contable !== 'RECLAMADO' && withdrawn_at_sii === null
}

function suggestionFor(row: RcvRow, history: readonly DecidedTipo[]): Suggested {
  const of = history.reduce((sum, { entries }) => sum + entries, 0)
  const [most] = [...history].sort((a, b) => b.entries - a.entries)
  if (!most || most.entries < AGREEING_AT_LEAST || most.entries < of * AGREEING_SHARE) return null
  if (most.tipo_compra === row.tipo_compra) return null
  const reason = `${most.entries} of the last ${of} decisions about this supplier were tipo_compra ${most.tipo_compra}.`
  return { tipo_compra: most.tipo_compra, reason, agreeing: most.entries, of }
}

/** Suggestions for the entries that nobody decided about, by the id of the entry, from the history of their suppliers. */
export async function suggestionsFor(
  sql: Sql,
  scope: EmpresaScope,
  rows: readonly RcvRow[],
): Promise<Map<string, NonNullable<Suggested>>> {
  const open = rows.filter(isOpen)
  const ruts = [...new Set(open.flatMap(({ counterparty_rut }) => counterparty_rut ?? []))]
  if (ruts.length === 0) return new Map()
  const histories = new Map<string, DecidedTipo[]>()
  for (const one of await decidedTipos(sql, scope, ruts)) {
    histories.set(one.counterparty_rut, [...(histories.get(one.counterparty_rut) ?? []), one])
  }
  const found = new Map<string, NonNullable<Suggested>>()
  for (const row of open) {
    const suggestion = suggestionFor(row, histories.get(row.counterparty_rut ?? '') ?? [])
    if (suggestion) found.set(row.id, suggestion)
  }
  return found
}

/**
 * Characterizes new entries as suggested, where the automation settings of the empresa say so, each batch in a
 * transaction of its own: nobody else who decides about the month waits for all of it. The F29 is the caller's to request.
 */
export async function applySuggestions(
  ctx: Pick<JobContext, 'transact'>,
  scope: EmpresaScope,
  period: string,
  ids: readonly string[],
): Promise<void> {
  for (let at = 0; at < ids.length; at += BATCH) {
    const applies = await ctx.transact(async (tx) => {
      const settings = await readAutomationSettings({ sql: tx.sql, empresa: scope })
      if (!settings.apply_characterization_suggestions || (await isLocked(tx.sql, scope, period))) return false
      await applyTo(tx, scope, ids.slice(at, at + BATCH))
      return true
    })
    if (!applies) return
  }
}

async function applyTo(tx: DecideContext, scope: EmpresaScope, ids: readonly string[]): Promise<void> {
  const rows = await lockPurchases(tx.sql, scope, ids)
  const suggested = await suggestionsFor(tx.sql, scope, rows)
  const decided = rows.flatMap((row) => {
    const suggestion = suggested.get(row.id)
    return suggestion ? [decidedRow(row, { tipo_compra: suggestion.tipo_compra }, 'suggestion')] : []
  })
  await saveDecided(tx, scope, rows, decided)
}
