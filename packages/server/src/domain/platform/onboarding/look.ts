import { isDeepStrictEqual } from 'node:util'
import { santiagoDate } from '@timbre/dte/values'
import { secondsFrom } from '../../../kernel/clock.ts'
import type { JobOutcome } from '../../../kernel/job.ts'
import type { EmpresaScope } from '../../../kernel/scope.ts'
import { SignerMissing, SiiUnreachable } from '../../../ports/sii.ts'
import type { Authorisation, SiiTaxpayer } from '../../../ports/sii-taxpayer.ts'
import type { JobContext, JobTransaction } from '../../job.ts'
import { lockEmisor } from '../empresa/emisor.ts'
import { jobEmpresa } from '../empresa/job-empresa.ts'
import { recordRutProof } from '../empresa/proof.ts'
import { savePublished } from '../empresa/record-emission.ts'
import type { EmpresaRow, RutProof } from '../empresa/row.ts'
import { recordEvidence } from '../evidence/record.ts'
import { blockedReason } from './block.ts'
import type { BlockName } from './copy.ts'
import { driveOnboarding } from './drive.ts'
import { finishStep, reopenStep } from './finish.ts'
import { LOOK_AGAIN_SECONDS, nextLook } from './follow.ts'
import { type Probe, type StepKey, stepOf } from './lanes.ts'
import { listSteps, type StepRow, saveBlock } from './store.ts'
import { tellChange } from './tell-change.ts'
import { isBoleta } from './walk.ts'

/** What a look at the SII found. */
type Found =
  | { readonly done: true; readonly authorisation?: Authorisation }
  | {
      readonly done: false
      readonly block: BlockName
      readonly details?: Readonly<Record<string, unknown>>
      /** The SII said nothing about it: what was done, or attested, stands. */
      readonly silent?: true
    }

type Ask = (sii: SiiTaxpayer, scope: EmpresaScope, row: EmpresaRow, key: StepKey, now: Date) => Promise<Found>

const LOOKED: Readonly<Record<Probe, Ask>> = {
  async authorisation(sii, scope, row, key, now) {
    const authorisation = await sii.authorisationOf({ rut: scope.rut, on: santiagoDate(now) })
    // On the way to the first resolución nobody is listed yet, and nobody has to do anything about it.
    if (!authorisation)
      return { done: false, block: key === 'resolucion' ? 'sii_propagation' : 'emitter_not_authorised' }
    const missing = row.doc_types.filter((tipo) => !isBoleta(tipo) && !authorisation.tipos.includes(tipo))
    if (missing.length > 0) return { done: false, block: 'tipos_not_authorised', details: { tipos: missing } }
    return { done: true, authorisation }
  },
  async portal_companies(sii, scope) {
    const works = await sii.worksOnPortal({ empresa: scope })
    if (works) return { done: true }
    return {
      done: false,
      block: 'user_not_authorised',
      ...(works === null && { silent: true, details: { told: 'nothing' } }),
    }
  },
}

async function ask(ctx: JobContext, scope: EmpresaScope, row: EmpresaRow, key: StepKey): Promise<Found | null> {
  const { probe } = stepOf(key)
  const { taxpayer } = ctx.ports.sii[scope.mode]
  if (!probe || !taxpayer) return null
  try {
    return await LOOKED[probe](taxpayer, scope, row, key, ctx.now())
  } catch (error) {
    if (error instanceof SiiUnreachable) return { done: false, block: 'sii_unreachable', silent: true }
    if (error instanceof SignerMissing) return { done: false, block: 'certificate_missing', silent: true }
    throw error
  }
}

/** The SII says so: what it authorised counts from now on, whoever declared what before. */
async function close(
  tx: JobTransaction,
  scope: EmpresaScope,
  key: StepKey,
  found: Found & { done: true },
): Promise<void> {
  if (found.authorisation && key === 'resolucion') await savePublished(tx.sql, scope, found.authorisation, tx.now())
  await recordEvidence(tx, scope, {
    step: key,
    act: 'sii_confirmed',
    actor: null,
    document: null,
    via: 'sii',
    ip: null,
    user_agent: null,
  })
  const proof = PROVES[key]
  if (proof) await recordRutProof(tx.sql, scope, proof, tx.now())
  await finishStep(tx, scope, key)
}

/** Steps at which the SII's own word shows whose the RUT is, where it gives it; what somebody attests shows nothing. */
const PROVES: Readonly<Partial<Record<StepKey, RutProof>>> = {
  usuario_autorizado: 'sii',
  emisor_verificado: 'published',
}

/** The longest interval. */
const LAST_LOOK = Number.POSITIVE_INFINITY

/** One look may be wrong, and the page of an SII that falters lists nothing: what was done is undone by the second. */
const LOOKS_TO_UNDO = 2

async function stillDone(tx: JobTransaction, scope: EmpresaScope, step: StepRow, found: Found): Promise<Date> {
  const doubted = !found.done && !found.silent
  const looks = doubted ? step.looks + 1 : 0
  await saveBlock(tx.sql, scope, step.key, { ...step, looks })
  if (!found.done && looks >= LOOKS_TO_UNDO) {
    const reason = blockedReason(found.block, tx.now(), null, found.details)
    await reopenStep(tx, scope, step.key, reason)
    return nextLook(0, tx.now())
  }
  return doubted ? nextLook(1, tx.now()) : secondsFrom(tx.now(), LOOK_AGAIN_SECONDS)
}

async function notYet(
  tx: JobTransaction,
  scope: EmpresaScope,
  step: StepRow,
  found: Found & { done: false },
): Promise<Date> {
  const next_poll_at = nextLook(step.looks + 1, tx.now())
  const blocked_reason = blockedReason(found.block, tx.now(), step.blocked_reason, found.details)
  const save = () => saveBlock(tx.sql, scope, step.key, { blocked_reason, next_poll_at, looks: step.looks + 1 })
  // A look that found what the last one found is no news.
  if (isDeepStrictEqual(blocked_reason, step.blocked_reason)) await save()
  else await tellChange(tx, scope, save)
  return next_poll_at
}

/** Applies what was found to the step as it stands, and says when to look again. */
async function applyFound(
  tx: JobTransaction,
  scope: EmpresaScope,
  key: StepKey,
  found: Found,
  once: boolean,
): Promise<Date | null> {
  const step = (await listSteps(tx.sql, scope)).get(key)
  if (!step || step.status === 'pending' || step.status === 'skipped') return null
  if (step.status === 'completed') return once ? null : stillDone(tx, scope, step, found)
  if (!found.done) return notYet(tx, scope, step, found)
  await close(tx, scope, key, found)
  return secondsFrom(tx.now(), LOOK_AGAIN_SECONDS)
}

/** Looks whether a step is done, or still is. It runs again until the step falls away. */
export async function lookAt(
  ctx: JobContext,
  { step: key, once = false }: { step: StepKey; once?: boolean },
): Promise<JobOutcome> {
  const empresa = await jobEmpresa(ctx)
  if (!empresa || empresa.row.status === 'archived') return 'done'
  const { scope, row } = empresa
  // One that is suspended keeps the position it held; nobody asks the SII for it meanwhile.
  if (row.status === 'suspended') return once ? 'done' : { again_at: nextLook(LAST_LOOK, ctx.now()) }
  const found = await ask(ctx, scope, row, key)
  if (!found) {
    // Nothing is asked here: what the step waits for is asked for again where it is due.
    await ctx.transact((tx) => driveOnboarding(tx, scope))
    return 'done'
  }
  return ctx.transact(async (tx): Promise<JobOutcome> => {
    const current = await lockEmisor(tx.sql, scope)
    // What the SII was asked about has changed meanwhile: its answer tells nothing of what stands now.
    if (!current || current.status !== row.status || !isDeepStrictEqual(current.doc_types, row.doc_types))
      return { again_at: tx.now() }
    const again_at = await applyFound(tx, scope, key, found, once)
    return again_at === null || once ? 'done' : { again_at }
  })
}
