import type { Sql } from './db.ts'

/** Says how far a running job is, as the result it has so far. What it ends with takes its place. */
export async function recordProgress(sql: Sql, job_id: string, so_far: object): Promise<void> {
  await sql`update job set result = ${JSON.stringify(so_far)}::json where id = ${job_id} and finished_at is null`
}
