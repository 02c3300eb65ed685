import type { Sql } from '../../../kernel/db.ts'
import type { EmpresaScope } from '../../../kernel/scope.ts'
import type { RcvRow } from './row.ts'
import type { Suggested } from './show.ts'
import { type DecidedTipo, decidedTipos } from './suggest-store.ts'

/** A supplier that was decided about once may have been an exception. */
const AGREEING_AT_LEAST = 2
const AGREEING_SHARE = 0.75

/** Whether anybody may still decide about it, and nobody has. */
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

/** What the history of each supplier suggests for entries that nobody decided about, by the id of the entry. */
export async function suggestionsFor(
  sql: Sql,
  scope: EmpresaScope,
  rows: readonly RcvRow[],
): Promise<Map<string, NonNullable<Suggested>>> {
  const open = rows.filter(isOpen)
  const ruts = [...new Set(open.flatMap(({ counterparty_rut }) => counterparty_rut ?? []))]
  if (ruts.length === 0) return new Map()
  const decided = await decidedTipos(sql, scope, ruts)
  const found = new Map<string, NonNullable<Suggested>>()
  for (const row of open) {
    const history = decided.filter(({ counterparty_rut }) => counterparty_rut === row.counterparty_rut)
    const suggestion = suggestionFor(row, history)
    if (suggestion) found.set(row.id, suggestion)
  }
  return found
}
