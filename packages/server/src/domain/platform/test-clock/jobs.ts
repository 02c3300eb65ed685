import { declareJob } from '../../../kernel/job.ts'

export interface ClockMove {
  readonly empresa_id: string | null
  readonly from: string
  /** Up to when timers fire. */
  readonly target: string
  /** The target that the clock itself shows. */
  readonly towards: string
  /** Whether the clock stands still once it is there. */
  readonly freezes: boolean
  /** Whether the clock is deleted once it is there. */
  readonly returns?: boolean
}

/** Takes a test clock from where it stands to its target, stopping at every timer on the way and firing it there. */
export const advanceClock = declareJob<ClockMove>({
  name: 'test_clock.advance',
  max_attempts: 100,
  backoff_seconds: [1],
})
