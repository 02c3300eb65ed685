import type { EmpresaContext } from '../../context.ts'
import { type AutomationSettings, SWITCH_NAMES, type UpdateAutomationSettings } from './schema.ts'
import { DEFAULTS, showAutomationSettings } from './show.ts'
import { findSettings, lockSettings, saveSettings } from './store.ts'

export async function readAutomationSettings(
  ctx: Pick<EmpresaContext, 'sql' | 'empresa'>,
): Promise<AutomationSettings> {
  return showAutomationSettings(ctx.empresa.empresa_id, (await findSettings(ctx.sql, ctx.empresa)) ?? DEFAULTS)
}

/** Turns the switches that were sent and leaves the others. */
export async function updateAutomationSettings(
  ctx: EmpresaContext,
  input: UpdateAutomationSettings,
): Promise<AutomationSettings> {
  const row = await lockSettings(ctx.sql, ctx.empresa)
  const chosen = Object.fromEntries(SWITCH_NAMES.map((name) => [name, input[name] ?? row[name]]))
  const changed = SWITCH_NAMES.some((name) => chosen[name] !== row[name])
  const saved = { ...row, ...chosen, updated_at: changed ? ctx.now() : row.updated_at }
  if (changed) {
    await saveSettings(ctx.sql, ctx.empresa, saved)
    ctx.invalidate(ctx.empresa.empresa_id)
  }
  // Movements that were reviewed while the switch was off are matched now.
  if (saved.apply_movement_matches && !row.apply_movement_matches)
    await ctx.reactions.matchingTurnedOn(ctx, ctx.empresa)
  return showAutomationSettings(ctx.empresa.empresa_id, saved)
}
