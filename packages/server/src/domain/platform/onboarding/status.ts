import { isShown, type Lane, type StepKey, stepOf, stepsOf } from './lanes.ts'
import { isClosed, type StepStatus } from './settle.ts'

export const ONBOARDING_STATUSES = [
  'mandato_pending',
  'certificate_pending',
  'credential_pending',
  'certifying',
  'waiting_sii',
  'action_required',
  'go_live_pending',
  'emitting',
  'suspended',
  'blocked',
] as const
export type OnboardingStatus = (typeof ONBOARDING_STATUSES)[number]

/** The steps of an empresa by their key, as far as others than the onboarding ask. */
export type StepStatuses = Readonly<Partial<Record<StepKey, StepStatus>>>

export interface Walk {
  readonly lane: Lane
  readonly boletas: boolean
  readonly steps: StepStatuses
  /** Nothing moves: the mandato was revoked, or the empresa archived. */
  readonly suspended: boolean
  readonly emitting: boolean
}

const OWN_STATUS: Readonly<Partial<Record<StepKey, OnboardingStatus>>> = {
  mandato: 'mandato_pending',
  certificate: 'certificate_pending',
  credential: 'credential_pending',
  emitting: 'go_live_pending',
}

const statusIn = ({ steps }: Walk, key: StepKey): StepStatus => steps[key] ?? 'pending'

/** The first step that is open; null when all are closed. */
export function currentStep(walk: Walk): StepKey | null {
  return stepsOf(walk.lane, walk.boletas).find((key) => !isClosed(statusIn(walk, key))) ?? null
}

/** Where an empresa stands, derived from its steps: nothing stores it. */
export function statusOf(walk: Walk): OnboardingStatus {
  if (walk.suspended) return 'suspended'
  const current = currentStep(walk)
  // What comes after the first document (boletas of an SFG empresa, another tipo) does not stop the others.
  if (walk.emitting || current === null) return 'emitting'
  const status = statusIn(walk, current)
  if (status === 'failed') return 'blocked'
  if (OWN_STATUS[current]) return OWN_STATUS[current]
  if (status === 'action_required') return 'action_required'
  const { actor, stall_actor } = stepOf(current)
  return actor === 'sii' || stall_actor === 'sii' ? 'waiting_sii' : 'certifying'
}

/** Of an empresa without steps, which was born emitting. */
export const statusWithoutSteps = ({ status }: { readonly status: string }): OnboardingStatus =>
  status === 'archived' ? 'suspended' : 'emitting'

/** The share of the steps that is closed, to the hundredth. */
export function progressOf(walk: Walk): number {
  const shown = stepsOf(walk.lane, walk.boletas).filter((key) => isShown(walk.lane, key))
  const closed = shown.filter((key) => isClosed(statusIn(walk, key)))
  return Math.floor((closed.length / shown.length) * 100) / 100
}
