import type { SimulationPlan } from '../simulation/business.ts'
import { CASE_RULES } from './case-rules.ts'
import { ENVELOPE_RULES } from './envelope-rules.ts'
import { type Circumstances, gatherFacts, type PlannedCase } from './facts.ts'
import { PARTY_RULES } from './party-rules.ts'
import { REFERENCE_RULES } from './reference-rules.ts'
import type { Finding, Rule } from './rule.ts'
import { SIMULATION_RULES } from './simulation-rules.ts'

/** The rules that hold in any envelope of certification, whatever it was made of. */
const SHARED: readonly string[] = [
  'totals_add_up',
  'document_valid',
  'original_first',
  'annulment_repeats',
  'difference_within_original',
  'one_emisor',
  'withholding_in_full',
  'nro_resol_zero',
  'folio_once',
  'acteco_known',
  'one_period',
]

/** Everything that the SII is known to refuse, or to take with a reparo, in a simulation. */
export const RULES_OF_SIMULATION: readonly Rule[] = [
  ...[...CASE_RULES, ...REFERENCE_RULES, ...PARTY_RULES, ...ENVELOPE_RULES].filter(({ id }) => SHARED.includes(id)),
  ...SIMULATION_RULES,
]

const NO_SET = { sections: [], general: [] }

/** What the SII would refuse in a simulation, each with its document and the rule. Empty when it may be sent. */
export function checkSimulation(plan: SimulationPlan, circumstances: Circumstances = {}): readonly Finding[] {
  const facts = gatherFacts(NO_SET, plan, circumstances)
  // An original stands before its note, and so is linked by then to what it corrects itself.
  const documents: PlannedCase[] = []
  for (const document of facts.documents)
    documents.push({ ...document, original: correctedBy(document, [...documents, ...facts.documents]) })
  return RULES_OF_SIMULATION.flatMap((rule) =>
    rule.check({ ...facts, documents }).map((complaint) => ({ rule: rule.id, ...complaint })),
  )
}

/** No case says what a note corrects: its own reference does. */
function correctedBy({ dte }: PlannedCase, documents: readonly PlannedCase[]): PlannedCase | undefined {
  const [reference] = dte.references ?? []
  return documents.find(
    (other) => other.dte.tipo_dte === reference?.tipo_dte && other.dte.folio === Number(reference.folio),
  )
}
