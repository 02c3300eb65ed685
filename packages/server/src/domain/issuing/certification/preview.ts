import type { CertificationSet, Finding, MissingInput, Plan } from '@timbre/certification'
import { santiagoDate, type TipoDte } from '@timbre/dte/values'
import type { EmpresaRow } from '../../platform/empresa/row.ts'
import { needsOf } from './build.ts'
import type { CertificationRow, SetRow } from './file.ts'
import { planInputs } from './inputs.ts'

/** A set as it is understood, and what would be built of it today. */
export interface Preview {
  readonly set: SetRow
  readonly content: CertificationSet
  readonly plan: Plan
  readonly findings: readonly Finding[]
  readonly missing: readonly MissingInput[]
}

/** Folios that stand for those to come. */
const upTo = (count: number): number[] => Array.from({ length: count }, (_, i) => i + 1)

/** What a set will come to, without a folio drawn or a word to the SII. */
export async function previewOf(
  { row, now }: { readonly row: EmpresaRow; readonly now: Date },
  { inputs, resolucion_on }: CertificationRow,
  set: SetRow,
): Promise<Preview> {
  const { checkPlan, planSet, PUBLIC_BODIES, readSet } = await import('@timbre/certification')
  const content = readSet(set.file)
  const today = santiagoDate(now)
  const day = { resolucion_date: resolucion_on ?? today, issue_date: today }
  const wanted = { receptores: PUBLIC_BODIES, ...planInputs({ row }, inputs, day) }
  const draft = planSet(content, wanted)
  const folios: Partial<Record<TipoDte, number[]>> = {}
  for (const [tipo_dte, count] of needsOf(draft)) folios[tipo_dte] = upTo(count)
  const plan = planSet(content, { ...wanted, folios })
  const circumstances = { today, downloaded_on: set.downloaded_on }
  const findings = plan.missing.length > 0 ? [] : checkPlan(content, plan, circumstances)
  return { set, content, plan, findings, missing: plan.missing }
}
