import { MODES } from '../../../catalog/modes.ts'
import { secondsFrom } from '../../../kernel/clock.ts'
import { type FailureCode, GiveUp, type JobOutcome } from '../../../kernel/job.ts'
import { SiiUnreachable } from '../../../ports/sii.ts'
import type { JobContext } from '../../job.ts'
import { type JobEmpresa, jobEmpresa } from '../../platform/empresa/job-empresa.ts'
import { advanceFiling, type FilingFacts } from './advance-filing.ts'
import type { FilingError } from './filing-schema.ts'
import type { FilingRow } from './filing-show.ts'
import { FILE_ATTEMPTS } from './jobs.ts'
import type { FilingTrigger } from './machine.ts'
import { findFiling } from './store.ts'
import { writeUploadFile } from './upload-file.ts'

interface Work {
  readonly empresa: JobEmpresa
  readonly filing: FilingRow
}

const POLL_AGAIN_SECONDS = 600

function move(ctx: JobContext, { empresa, filing }: Work, trigger: FilingTrigger, facts?: FilingFacts) {
  return ctx.transact((tx) => advanceFiling(tx, empresa.scope, filing, trigger, facts))
}

async function submit(ctx: JobContext, work: Work): Promise<JobOutcome> {
  const { scope, row } = work.empresa
  const { id: filing_id, period, codes, total } = work.filing
  const file = writeUploadFile({ rut: row.rut, legal_name: row.legal_name, period }, codes)
  const order = { empresa: scope, period, filing_id, file, total, at: ctx.now() }
  const { track_id, ask_at } = await ctx.ports.sii[scope.mode].fileF29(order)
  await move(ctx, work, 'submitted', { track_id })
  return { again_at: ask_at }
}

function reasonOf(error: unknown): FilingError & { readonly code: FailureCode } {
  if (error instanceof SiiUnreachable) return { code: 'sii_unreachable', message: error.told }
  return { code: 'internal_error', message: 'Something failed on our side.' }
}

/** A declaration that never reached the SII fails after the last attempt, and may be filed again. */
async function submitOrFail(ctx: JobContext, work: Work): Promise<JobOutcome> {
  if (!MODES[work.empresa.scope.mode].files_f29) {
    await move(ctx, work, 'handed_over')
    return 'done'
  }
  try {
    return await submit(ctx, work)
  } catch (error) {
    if (ctx.attempt < FILE_ATTEMPTS) throw error
    const failure = reasonOf(error)
    await move(ctx, work, 'failed', { failure })
    throw new GiveUp(failure.code, failure.message)
  }
}

/** The SII has it and will decide: a poll that fails does not end the filing. */
async function pollFiling(ctx: JobContext, work: Work): Promise<JobOutcome> {
  const { scope } = work.empresa
  const { id: filing_id, period, track_id } = work.filing
  if (track_id === null) throw new Error(`the filing ${filing_id} was submitted without a track id`)
  const question = { empresa: scope, period, filing_id, track_id, at: ctx.now() }
  const answer = await ctx.ports.sii[scope.mode].f29StateOf(question).catch((error: unknown) => {
    if (error instanceof SiiUnreachable) return null
    throw error
  })
  if (answer === null) return { again_at: secondsFrom(ctx.now(), POLL_AGAIN_SECONDS) }
  if (answer.state === 'pending') return { again_at: answer.ask_at }
  if (answer.state === 'accepted') await move(ctx, work, 'accepted', { folio: answer.folio })
  else await move(ctx, work, 'failed', { errors: answer.errors, failure: REFUSED })
  return 'done'
}

const REFUSED = { code: 'f29_refused', message: 'The SII found the declaration wrong: `errors` holds its words.' }

/** One step from wherever the filing stands. Each step re-reads the row, so a crash at any instant loses none. */
export async function submitOrPollFiling(ctx: JobContext, { filing_id }: { filing_id: string }): Promise<JobOutcome> {
  const empresa = await jobEmpresa(ctx)
  const filing = empresa && (await findFiling(ctx.sql, empresa.scope, filing_id))
  if (!filing) return 'done'
  if (filing.status === 'queued') return submitOrFail(ctx, { empresa, filing })
  return filing.status === 'submitted' ? pollFiling(ctx, { empresa, filing }) : 'done'
}
