import type { CertificationSet, Product, SimulationInputs } from '@timbre/certification'
import { santiagoDate, type TipoDte } from '@timbre/dte/values'
import { bringFolios, fileOf, type Needs, storeBuilt } from './build.ts'
import { businessOf } from './business.ts'
import { listFiles, listLatestFiles } from './file-store.ts'
import { goOn } from './go-on.ts'
import { askedOf, planInputs, productsIn } from './inputs.ts'
import { certifiedTipos } from './postulation-stage.ts'
import { giveUpRefused } from './refused.ts'
import { resolucionOn } from './resolucion.ts'
import { reviewFiles } from './review.ts'
import { sendFiles } from './send.ts'
import type { Stage, StageContext, StageOutcome } from './stage.ts'
import { findCertification, findSet } from './store.ts'

/** What its people named; a price that they did not tell is one of the set. */
function named(given: Readonly<Record<string, string>>, set: CertificationSet | null): Product[] {
  const items = set?.sections.flatMap(({ cases }) => cases.flatMap((one) => one.items)) ?? []
  const prices = items.map(({ unit_price }) => unit_price).filter((price) => price !== undefined)
  return productsIn(given).flatMap((product, i) => {
    const unit_price = product.unit_price ?? prices[i % prices.length]
    return unit_price === undefined ? [] : [{ ...product, unit_price }]
  })
}

async function readOwnSet({ ctx, scope }: StageContext): Promise<CertificationSet | null> {
  const { readSet } = await import('@timbre/certification')
  const set = await findSet(ctx.sql, scope, 'facturas')
  return set && readSet(set.file)
}

/** Folios that stand for those to come: what a simulation lacks is found out before any is asked for. */
const standIns = (needs: Needs): Partial<Record<TipoDte, number[]>> =>
  Object.fromEntries([...needs].map(([tipo_dte, count]) => [tipo_dte, Array.from({ length: count }, (_, i) => i + 1)]))

/** Plans documents such as the empresa issues, with folios of their own, and stores them. Another try draws others. */
async function build(at: StageContext, resolucion_date: string): Promise<StageOutcome> {
  const { ctx, scope, row, step } = at
  const { checkSimulation, planSimulation, simulationNeeds } = await import('@timbre/certification')
  const { inputs: given } = await findCertification(ctx.sql, scope)
  const set = await readOwnSet(at)
  const business = await businessOf(ctx.sql, scope, named(given, set))
  const before = (await listLatestFiles(ctx.sql, scope)).find(({ kind }) => kind === 'simulacion')
  const inputs: SimulationInputs = {
    ...planInputs(at, given, { resolucion_date, issue_date: santiagoDate(ctx.now()) }),
    tipos: certifiedTipos(row),
    seed: `${scope.rut} ${before?.attempt ?? 0}`,
    ...(set && { set }),
  }
  const needs: Needs = new Map(
    Object.entries(simulationNeeds(business, inputs.tipos)).map(([tipo, count]) => [Number(tipo) as TipoDte, count]),
  )
  const { missing } = planSimulation(business, { ...inputs, folios: standIns(needs) })
  const asked = askedOf(missing)
  if (asked.length > 0) return { outcome: 'inputs', missing: asked }
  if (missing.length > 0)
    return { outcome: 'refused', block: 'emisor_incomplete', sentence: missing.map(({ name }) => name).join(', ') }
  const waits = await bringFolios(at, needs)
  if (waits) return waits
  return storeBuilt(at, needs, ({ folios, cafs }, today) => {
    const plan = planSimulation(business, { ...inputs, folios })
    const files = plan.steps.map((one, position) => ({
      ...{ step: step.key, kind: 'simulacion' as const },
      ...fileOf(one, position, cafs),
    }))
    return { findings: checkSimulation(plan, { today }), files }
  })
}

/** Ten documents or a few more of the empresa's own business, in one envelope that the SII takes without a reparo. */
export const runSimulation: Stage = async (at) => {
  const { ctx, scope, step } = at
  const known = await resolucionOn(at)
  if ('outcome' in known) return known
  const files = await listFiles(ctx.sql, scope, step.key)
  if (files.length === 0) return build(at, known.on)
  return (
    (await sendFiles(at, files, known.on)) ??
    (await reviewFiles(at, files)) ??
    giveUpRefused(at, files) ??
    goOn(at, 'simulacion')
  )
}
