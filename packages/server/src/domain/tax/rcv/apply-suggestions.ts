import type { EmpresaScope } from '../../../kernel/scope.ts'
import { readAutomationSettings } from '../../issuing/automation-settings/automation-settings.ts'
import { type Deciding, decide, decidedRow } from './decide.ts'
import { isLocked } from './lock.ts'
import { lockPurchases } from './store.ts'
import { suggestionsFor } from './suggest.ts'

/** Characterizes entries that are new as their suppliers' history suggests, where the empresa asked for that. */
export async function applySuggestions(
  tx: Deciding,
  scope: EmpresaScope,
  period: string,
  ids: readonly string[],
): Promise<void> {
  if (ids.length === 0) return
  const settings = await readAutomationSettings({ sql: tx.sql, empresa: scope })
  if (!settings.apply_characterization_suggestions || (await isLocked(tx.sql, scope, period))) return
  const rows = await lockPurchases(tx.sql, scope, ids)
  const suggested = await suggestionsFor(tx.sql, scope, rows)
  const decided = rows.flatMap((row) => {
    const suggestion = suggested.get(row.id)
    return suggestion ? [decidedRow(row, { tipo_compra: suggestion.tipo_compra }, 'suggestion')] : []
  })
  await decide(tx, scope, rows, decided)
}
