// Jobs of tests, declared and handled in one place.

import { type HandledJob, handle, handleMany, type JobContext } from '../../src/domain/job.ts'
import { declareJob, type Entry, type Job, type JobOutcome, type Outcomes } from '../../src/kernel/job.ts'

type Verb<Payload> =
  | { readonly run: (ctx: JobContext, payload: Payload) => Promise<JobOutcome> }
  | { readonly runMany: (ctx: JobContext, entries: readonly Entry<Payload>[]) => Promise<Outcomes> }

/** A job of a test, declared and handled in one place: a world takes it, and its payload is checked when it is queued. */
export function defineJob<Payload>(
  job: Pick<Job<Payload>, 'name'> & Partial<Job<Payload>> & Verb<Payload>,
): HandledJob & Job<Payload> {
  const declared = declareJob<Payload>(job)
  const { runMany } =
    'runMany' in job ? handleMany(declared, async () => job.runMany) : handle(declared, async () => job.run)
  return { ...declared, runMany }
}
