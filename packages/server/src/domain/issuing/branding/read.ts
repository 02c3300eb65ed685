import type { EmpresaContext } from '../../context.ts'
import type { Branding } from './schema.ts'
import { PLAIN, showBranding } from './show.ts'
import { findBranding } from './store.ts'

export async function readBranding(ctx: EmpresaContext): Promise<Branding> {
  return showBranding(ctx.empresa.empresa_id, (await findBranding(ctx.sql, ctx.empresa)) ?? PLAIN)
}
