import { type Static, Type } from 'typebox'
import { FOLIO_REFUSAL_REASONS } from '../../../catalog/folio-refusals.ts'
import { JOB_POLL_SECONDS } from '../../../catalog/limits.ts'
import { MODE_NAMES, type Mode } from '../../../catalog/modes.ts'
import type { Sql } from '../../../kernel/db.ts'
import { Problem } from '../../../kernel/problem.ts'
import { Closed, Id, Named, Nullable, OneOf, Timestamp } from '../../../kernel/schema.ts'
import type { AccountContext } from '../../context.ts'
import { defineOperation } from '../../operation.ts'
import { reachesRut } from '../empresa/scope.ts'
import { joinEmpresa } from '../empresa/sql.ts'

const list = (names: readonly string[]) => names.map((name) => `\`${name}\``).join(', ')

const Loose = Type.Unsafe<Record<string, unknown> | null>({ type: ['object', 'null'], additionalProperties: true })

const JobError = Closed({
  code: Type.String(),
  message: Type.String(),
  details: Type.Optional(
    Type.Unsafe<Readonly<Record<string, unknown>>>({
      type: 'object',
      additionalProperties: true,
      description: `Facts for a program. Of \`folios_refused\` and \`folios_not_annulled\`: \`reason\`, one of ${list(FOLIO_REFUSAL_REASONS)}.`,
    }),
  ),
})
type JobError = Static<typeof JobError>

export const Job = Named(
  'Job',
  Closed({
    object: Type.Literal('job'),
    id: Type.String(),
    type: Type.String(),
    mode: OneOf(MODE_NAMES),
    empresa: Nullable(Type.String({ description: 'RUT of the empresa it works for.' })),
    status: OneOf(['queued', 'running', 'succeeded', 'failed']),
    attempts: Type.Integer(),
    result: Loose,
    error: Type.Unsafe<JobError | null>({
      anyOf: [JobError, { type: 'null' }],
      description: 'What went wrong last; on a failed job, why it was given up.',
    }),
    created_at: Timestamp,
    started_at: Nullable(Timestamp),
    finished_at: Nullable(Timestamp),
  }),
)
export type Job = Static<typeof Job>

interface JobRow {
  id: string
  type: string
  mode: Mode
  rut: string | null
  status: Job['status']
  attempts: number
  result: Record<string, unknown> | null
  error: JobError | null
  created_at: Date
  started_at: Date | null
  finished_at: Date | null
}

/** Those of an empresa that was deleted may still be there for a while, and are nobody's. */
async function findJob(sql: Sql, { account }: AccountContext, id: string): Promise<JobRow | null> {
  const [row] = await sql<JobRow>`
    select j.id, j.type, j.mode, e.rut, j.status, j.attempts, j.result, j.error, j.created_at, j.started_at,
      coalesce(j.clock_finished_at, j.finished_at) as finished_at
    from job j left ${joinEmpresa('j')}
    where j.id = ${id} and j.account_id = ${account.account_id} and j.mode = ${account.mode} and j.type is not null
      and (j.empresa_id is null or e.id is not null)`
  return row ?? null
}

export async function readJob(ctx: AccountContext, { job_id }: { job_id: string }): Promise<Job> {
  const row = await findJob(ctx.sql, ctx, job_id)
  if (!row || (row.rut !== null && !reachesRut(ctx.caller, row.rut))) throw new Problem('job_not_found')
  const { rut, created_at, started_at, finished_at, ...rest } = row
  return {
    object: 'job',
    ...rest,
    empresa: rut,
    created_at: created_at.toISOString(),
    started_at: started_at?.toISOString() ?? null,
    finished_at: finished_at?.toISOString() ?? null,
  }
}

/** Seconds to the next useful look at a job; null once it has ended. */
export const pollAfterJob = ({ status }: Pick<Job, 'status'>, mode: string): number | null =>
  status === 'queued' || status === 'running' ? JOB_POLL_SECONDS[mode as Mode] : null

export const jobOperations = [
  defineOperation({
    id: 'jobs.get',
    method: 'GET',
    path: '/jobs/{job_id}',
    summary: 'Read an asynchronous job',
    reach: 'account',
    params: Closed({ job_id: Id }),
    returns: Job,
    errors: ['job_not_found'],
    pollAfter: pollAfterJob,
    run: readJob,
  }),
]
