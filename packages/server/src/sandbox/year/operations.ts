import { type Static, Type } from 'typebox'
import type { EmpresaContext } from '../../domain/context.ts'
import { defineOperation } from '../../domain/operation.ts'
import { Job, pollAfterJob, readJob } from '../../domain/platform/job/operations.ts'
import { Closed } from '../../kernel/schema.ts'
import { seedYear } from './jobs.ts'

const MONTHS = 12
const MOST_MONTHS = 24

const SeedYear = Closed({
  months: Type.Optional(
    Type.Integer({ minimum: 1, maximum: MOST_MONTHS, default: MONTHS, description: 'The present one is the last.' }),
  ),
})
type SeedYear = Static<typeof SeedYear>

async function askForSeed(ctx: EmpresaContext, { months = MONTHS }: SeedYear): Promise<Job> {
  const { empresa_id } = ctx.empresa
  const job_id = await ctx.enqueue(seedYear, { payload: { months }, key: empresa_id, lane: empresa_id })
  return readJob(ctx, { job_id })
}

export const sandboxYearOperations = [
  defineOperation({
    id: 'test_helpers.seed',
    method: 'POST',
    path: '/test_helpers/seed',
    summary: 'Fill the sandbox with a believable year',
    description:
      'Facturas, boletas and notas de crédito issued and settled on their days, documents that suppliers signed, a register ' +
      'of purchases and sales, and the cartolas of a bank account and a card whose payments equal them, up to today. ' +
      '`apply_movement_matches` is turned on, unless somebody changed a setting, so that movements find what they paid. The ' +
      'same story for the same empresa each time: asking twice adds nothing. The registers are read and the cartolas ' +
      'imported by jobs of their own afterwards.',
    reach: 'empresa',
    scope: 'documents:write',
    test_only: true,
    body: SeedYear,
    returns: Job,
    pollAfter: pollAfterJob,
    status: 202,
    run: askForSeed,
  }),
]
