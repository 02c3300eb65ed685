// Generated from the operation table: `npm run generate` writes it anew.

import { type ResourceOf, resource } from '../../resource.ts'
import type { CallOptions } from '../../shapes.ts'
import type { Job } from '../types.ts'

export interface JobsResource {
  /**
   * Read an asynchronous job.
   *
   * @see http://127.0.0.1:3000/docs/reference/jobs#jobs.get
   */
  get(job_id: string, options?: CallOptions): Promise<Job>
}

export const jobs: ResourceOf<JobsResource> = /* @__PURE__ */ resource<JobsResource>({
  get: 'GET /jobs/{job_id} ',
})
