import type { Plan, PlanStep } from '@timbre/certification'
import type { Caf } from '@timbre/dte'
import { santiagoTimestamp } from '@timbre/dte/values'
import { readStampingCaf } from '../folio/stamping-caf.ts'
import { cafKey, type FileRow } from './file.ts'
import type { StageContext } from './stage.ts'

/** Number 0 is the SII's own for everything that is certified. */
const NUMBER = 0

/** Signs what was planned, with the person in custody and the ranges that the folios were drawn from. */
export async function signFile(
  { ctx, scope }: StageContext,
  { plan, cafs }: FileRow & { readonly plan: PlanStep },
  resolucion_on: string,
): Promise<Uint8Array> {
  const [{ signStep }, { latin1Bytes }, signer] = await Promise.all([
    import('@timbre/certification'),
    import('@timbre/dte/emission'),
    ctx.ports.sii[scope.mode].signerFor(scope),
  ])
  const ranges = new Map<string, Caf>()
  for (const [folio, id] of Object.entries(cafs)) ranges.set(folio, await readStampingCaf(ctx, scope, id))
  const cafOf = (tipo_dte: number, folio: number) => {
    const caf = ranges.get(cafKey(tipo_dte, folio))
    if (!caf) throw new Error(`folio ${folio} of tipo ${tipo_dte} was drawn from no range`)
    return caf
  }
  const whole: Plan = {
    emisor_rut: scope.rut,
    resolucion: { date: resolucion_on, number: NUMBER },
    steps: [plan],
    not_built: [],
    missing: [],
  }
  const tmst_firma = santiagoTimestamp(ctx.now())
  const signed = await signStep(whole, plan, { signer, envia_rut: signer.rut ?? '', tmst_firma, cafOf })
  if (!signed.ok) throw new Error(`a certification file cannot be signed: ${signed.refusal.message}`)
  return latin1Bytes(signed.value)
}
