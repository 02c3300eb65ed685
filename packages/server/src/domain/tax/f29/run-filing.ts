import { MODES } from '../../../catalog/modes.ts'
import { secondsFrom } from '../../../kernel/clock.ts'
import { GiveUp, type JobOutcome } from '../../../kernel/job.ts'
import { SiiUnreachable } from '../../../ports/sii.ts'
import type { JobContext } from '../../job.ts'
import { empresaOfJob, type JobEmpresa } from '../../platform/empresa/of-job.ts'
import type { FilingError } from './filing-schema.ts'
import type { FilingRow } from './filing-show.ts'
import { findFiling } from './filing-store.ts'
import { FILE_ATTEMPTS } from './jobs.ts'
import type { FilingTrigger } from './machine.ts'
import { type FilingFacts, moveFiling } from './move-filing.ts'
import { writeUploadFile } from './upload-file.ts'

interface Work {
  readonly empresa: JobEmpresa
  readonly filing: FilingRow
}

const PATIENCE_SECONDS = 600

function move(ctx: JobContext, { empresa, filing }: Work, trigger: FilingTrigger, facts?: FilingFacts) {
  return ctx.transact((tx) => moveFiling(tx, empresa.scope, filing, trigger, facts))
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

function reasonOf(error: unknown): FilingError {
  if (error instanceof SiiUnreachable) return { code: 'sii_unreachable', message: 'The SII did not answer.' }
  return { code: 'internal_error', message: 'Something failed on our side.' }
}

/** What never left is over when it cannot be done, and may be filed again. */
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

/** The SII has it and will decide: no failure of ours to ask ends that. */
async function follow(ctx: JobContext, work: Work): Promise<JobOutcome> {
  const { scope } = work.empresa
  const { id: filing_id, period, track_id } = work.filing
  if (track_id === null) throw new Error(`the filing ${filing_id} was submitted without a track id`)
  const question = { empresa: scope, period, filing_id, track_id, at: ctx.now() }
  const said = await ctx.ports.sii[scope.mode].f29StateOf(question).catch((error: unknown) => {
    if (error instanceof SiiUnreachable) return null
    throw error
  })
  if (said === null) return { again_at: secondsFrom(ctx.now(), PATIENCE_SECONDS) }
  if (said.state === 'pending') return { again_at: said.ask_at }
  if (said.state === 'accepted') await move(ctx, work, 'accepted', { folio: said.folio })
  else await move(ctx, work, 'failed', { errors: said.errors, failure: REFUSED })
  return 'done'
}

const REFUSED = { code: 'f29_refused', message: 'The SII found the declaration wrong: `errors` holds its words.' }

/** One step from wherever the filing stands: each reads what the last one left, so a crash at any instant loses none. */
export async function runFiling(ctx: JobContext, { filing_id }: { filing_id: string }): Promise<JobOutcome> {
  const empresa = await empresaOfJob(ctx)
  const filing = empresa && (await findFiling(ctx.sql, empresa.scope, filing_id))
  if (!filing) return 'done'
  if (filing.status === 'queued') return submitOrFail(ctx, { empresa, filing })
  return filing.status === 'submitted' ? follow(ctx, { empresa, filing }) : 'done'
}
