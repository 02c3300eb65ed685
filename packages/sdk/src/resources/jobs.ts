import type { Client } from '../client.ts'
import { jobs as generated, type JobsResource } from '../generated/resources/jobs.ts'
import type { Job } from '../generated/types.ts'
import { segment } from '../resource.ts'
import { type WaitOptions, waitFor } from '../wait.ts'

export interface Jobs extends JobsResource {
  /** Waits until a job has `succeeded` or `failed`; `job.error` says why it failed. */
  wait(job_id: string, options?: WaitOptions): Promise<Job>
}

const isDone = ({ status }: Job) => status === 'succeeded' || status === 'failed'

/** Jobs, with what waits for them. */
export function jobs(client: Client): Jobs {
  const path = (id: string) => `/jobs/${segment(id, () => 'jobs.wait needs job_id')}`
  const request = { method: 'GET', empresa: false, keyed: false, credential: 'key', answers: 'json' } as const
  return {
    ...generated(client),
    wait: async (job_id, options = {}) =>
      waitFor<Job>(
        { what: `Job ${job_id}`, isDone, read: (call) => client.send({ ...request, path: path(job_id) }, call) },
        options,
      ),
  }
}
