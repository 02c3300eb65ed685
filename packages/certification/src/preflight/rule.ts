import type { PlanStep, StepSection } from '../plan/plan.ts'
import type { Facts, PlannedCase } from './facts.ts'

/** Something that the SII would refuse. */
export interface Finding {
  readonly rule: string
  readonly section: StepSection | null
  readonly attention: string | null
  /** The case, where the rule is about one. */
  readonly case_id: string | null
  /** The line of the set that asks for it. */
  readonly line: number | null
  readonly message: string
}

export interface Rule {
  readonly id: string
  /** What holds in every plan that the SII accepts. */
  readonly sentence: string
  /** Where the SII says so, or who saw it refuse. */
  readonly source: string
  readonly check: (facts: Facts) => readonly Complaint[]
}

export type Complaint = Omit<Finding, 'rule'>

export const MANUAL = 'SII, manual de certificación'
export const FORMAT = 'SII, Formato DTE v2.4.2'
export const IECV = 'SII, Formato IECV'

export function ofCase({ step, planned, asked }: PlannedCase, message: string, line?: number): Complaint {
  const { section, attention } = step
  return { section, attention, case_id: planned.case_id, line: line ?? asked?.line ?? planned.line, message }
}

export function ofStep({ section, attention }: PlanStep, message: string, line: number | null = null): Complaint {
  return { section, attention, case_id: null, line, message }
}

export function ofPlan(message: string): Complaint {
  return { section: null, attention: null, case_id: null, line: null, message }
}
