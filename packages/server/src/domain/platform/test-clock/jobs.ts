import { declareJob } from '../../../kernel/job.ts'

export interface Journey {
  readonly empresa_id: string | null
  readonly from: string
  /** Up to when timers fire. */
  readonly target: string
  /** What the clock itself says it is going to. */
  readonly towards: string
  /** Whether the clock stands still on arrival. */
  readonly freezes: boolean
  /** Whether the clock is given up on arrival. */
  readonly returns?: boolean
}

/** Takes a test clock from where it stands to its target, stopping at every timer on the way and firing it there. */
export const advanceClock = declareJob<Journey>({ name: 'test_clock.advance', max_attempts: 100, backoff_seconds: [1] })
