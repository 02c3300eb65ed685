import type { EmpresaContext } from '../../context.ts'
import type { AutomationSettings } from './schema.ts'
import { DEFAULTS, showAutomationSettings } from './show.ts'
import { findSettings } from './store.ts'

export async function readAutomationSettings(
  ctx: Pick<EmpresaContext, 'sql' | 'empresa'>,
): Promise<AutomationSettings> {
  return showAutomationSettings(ctx.empresa.empresa_id, (await findSettings(ctx.sql, ctx.empresa)) ?? DEFAULTS)
}
