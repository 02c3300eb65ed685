import type { Plan, PlannedDocument } from '../../src/index.ts'

export const documentsOf = (plan: Plan): readonly PlannedDocument[] =>
  plan.steps.flatMap((step) => (step.step === 'envelope' ? step.documents : []))

/** Net, exempt, IVA, withheld and total of each document, by its case. */
export const amountsOf = (plan: Plan) =>
  Object.fromEntries(
    documentsOf(plan).map(({ case_id, dte: { tipo_dte, totals } }) => [
      `${case_id} ${tipo_dte}`,
      [totals.net ?? 0, totals.exempt ?? 0, totals.iva ?? 0, totals.taxes?.[0]?.amount ?? 0, totals.total],
    ]),
  )
