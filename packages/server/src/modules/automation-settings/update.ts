import type { EmpresaContext } from '../../kernel/context.ts'
import { type AutomationSettings, SWITCH_NAMES, type UpdateAutomationSettings } from './schema.ts'
import { showAutomationSettings } from './show.ts'
import { lockSettings, saveSettings } from './store.ts'

/** Turns the switches that were sent and leaves the others. */
export async function updateAutomationSettings(
  ctx: EmpresaContext,
  input: UpdateAutomationSettings,
): Promise<AutomationSettings> {
  const row = await lockSettings(ctx.sql, ctx.empresa)
  const chosen = Object.fromEntries(SWITCH_NAMES.map((name) => [name, input[name] ?? row[name]]))
  const changed = SWITCH_NAMES.some((name) => chosen[name] !== row[name])
  const saved = { ...row, ...chosen, updated_at: changed ? ctx.now() : row.updated_at }
  if (changed) await saveSettings(ctx.sql, ctx.empresa, saved)
  return showAutomationSettings(ctx.empresa.empresa_id, saved)
}
