import { part } from './db.ts'
import type { Job } from './job.ts'
import type { SealedStore, VersionCount } from './sealed.ts'

interface SealedPayload {
  readonly id: string
  readonly payload: Readonly<Record<string, unknown>> & { readonly sealed: string }
}

/** Jobs that wait with something sealed in their payload, as base64 under `sealed`. */
export function sealedPayloads<Payload extends { readonly sealed: string }>(
  what: string,
  job: Job<Payload>,
  owner: (payload: Payload) => string,
): SealedStore {
  const version = part`get_byte(decode(left(payload->>'sealed', 4), 'base64'), 0)`
  const open = part`name = ${job.name} and status in ('queued', 'running')`
  return {
    what,
    count: (sql) =>
      sql<VersionCount>`select ${version} as version, count(*) as count from job where ${open} group by 1`,
    async reseal(sql, vault, after, limit) {
      const rows = await sql<SealedPayload>`
        select id, payload from job where ${open} and id > ${after} and ${version} < ${vault.version}::integer
        order by id limit ${limit}`
      for (const { id, payload } of rows) {
        const whose = owner(payload as unknown as Payload)
        const clear = vault.open(whose, Buffer.from(payload.sealed, 'base64'))
        const sealed = Buffer.from(vault.seal(whose, clear)).toString('base64')
        await sql`update job set payload = ${JSON.stringify({ ...payload, sealed })}::json where id = ${id} and ${open}`
      }
      return rows.at(-1)?.id ?? null
    },
  }
}
