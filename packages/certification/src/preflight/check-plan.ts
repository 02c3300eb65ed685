import type { Plan } from '../plan/plan.ts'
import type { CertificationSet } from '../set/set.ts'
import { BOOK_RULES } from './book-rules.ts'
import { CASE_RULES } from './case-rules.ts'
import { ENVELOPE_RULES } from './envelope-rules.ts'
import { type Circumstances, gatherFacts } from './facts.ts'
import { PARTY_RULES } from './party-rules.ts'
import { REFERENCE_RULES } from './reference-rules.ts'
import type { Finding, Rule } from './rule.ts'

/** Everything that the SII is known to refuse in a set, and can be told beforehand. Printed samples come later. */
export const RULES: readonly Rule[] = [
  ...CASE_RULES,
  ...REFERENCE_RULES,
  ...PARTY_RULES,
  ...ENVELOPE_RULES,
  ...BOOK_RULES,
]

/** What the SII would refuse in a plan, each with its case, its line in the set and the rule. Empty when it may be sent. */
export function checkPlan(set: CertificationSet, plan: Plan, circumstances: Circumstances = {}): readonly Finding[] {
  const facts = gatherFacts(set, plan, circumstances)
  return RULES.flatMap((rule) => rule.check(facts).map((complaint) => ({ rule: rule.id, ...complaint })))
}
