import type { StageContext, StageOutcome } from './stage.ts'
import { findCertification, saveCertification } from './store.ts'

/** The day of the authorisation to certify, as the SII shows it once the company applied. */
export async function resolucionOn({ ctx, scope, sii }: StageContext): Promise<{ readonly on: string } | StageOutcome> {
  const { resolucion_on } = await findCertification(ctx.sql, scope)
  if (resolucion_on !== null) return { on: resolucion_on }
  const authorisation = await sii.resolucionOf({ empresa: scope })
  if (!authorisation) return { outcome: 'wait', block: 'sii_propagation' }
  await ctx.transact((tx) => saveCertification(tx.sql, scope, { resolucion_on: authorisation.date }))
  return { on: authorisation.date }
}
