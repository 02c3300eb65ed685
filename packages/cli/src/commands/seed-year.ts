import { pollUntil } from '../api/api.ts'
import { requireSandbox } from '../api/connect.ts'
import type { Context } from '../command.ts'
import { CliError } from '../exit.ts'

interface Job {
  readonly id: string
  readonly status: string
  readonly error?: { readonly message: string } | null
}

export async function run(ctx: Context): Promise<void> {
  const { options, out, signal } = ctx
  const months = options.text('months')
  if (months !== undefined && !/^\d{1,2}$/.test(months)) throw new CliError('usage', `--months cannot be "${months}".`)
  const api = await ctx.api()
  requireSandbox(api, 'A year of business')
  const asked = await api.call<Job>('POST', '/test_helpers/seed', { body: months ? { months: Number(months) } : {} })
  const progress = out.progress('A year of business')
  const look = async () => {
    const job = await api.call<Job>('GET', `/jobs/${asked.id}`, { empresa: null })
    progress.update(0, 0)
    return job
  }
  const job = await pollUntil(look, ({ status }) => !['queued', 'running', 'pending'].includes(status), {
    signal,
    everyMs: 500,
  })
  progress.end()
  if (job.status !== 'succeeded') {
    throw new CliError(
      'failure',
      `The year was not finished: ${job.error?.message ?? job.status}.`,
      `timbre api GET /jobs/${job.id} says more.`,
    )
  }
  out.result(job, 'The empresa has its year: documents, registers, bank and F29. The registers settle within a minute.')
}
