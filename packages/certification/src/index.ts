/** The public face of the package. What is not listed here is private to it. */

export type { MissingInput, PlanInputs } from './plan/inputs.ts'
export type * from './plan/plan.ts'
export { planSet } from './plan/plan-set.ts'
export { type Signing, signStep } from './plan/sign-step.ts'
export { checkPlan, RULES } from './preflight/check-plan.ts'
export type { Circumstances } from './preflight/facts.ts'
export type { Finding, Rule } from './preflight/rule.ts'
export { chooseSamples, type Sample, type SampledDocument, type SampledFiles } from './samples/choose-samples.ts'
export { readSet } from './set/read.ts'
export type * from './set/set.ts'
export { SetError, type SetErrorRule } from './set/set-error.ts'
