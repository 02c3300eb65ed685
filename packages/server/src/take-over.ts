import { setTimeout as sleep } from 'node:timers/promises'
import type { Config } from './config.ts'
import type { Database } from './kernel/db.ts'
import type { Log } from './kernel/log.ts'
import { requeueAbandonedJobs } from './kernel/queue.ts'

/** Whether nobody else can be at work: the lock of the data folder lets in one process, and that one does everything. */
export function worksAlone({ database_url, role }: Pick<Config, 'database_url' | 'role'>): boolean {
  return database_url === null && role === 'all'
}

const PATIENCE_MS = 3_000

/**
 * Goes on at once with what a killed process had in hand, instead of waiting for its leases. Its connections may outlive
 * it for a moment; who stays longer than that is somebody else, and the leases decide as ever.
 */
export async function takeOverJobs({ sql }: Database, log: Log): Promise<void> {
  for (let waited = 0; waited <= PATIENCE_MS; waited += 100) {
    const { alone, jobs } = await requeueAbandonedJobs(sql)
    if (alone && jobs > 0) log.info({ jobs }, 'going on with what an earlier process had in hand')
    if (alone) return
    await sleep(100)
  }
}
