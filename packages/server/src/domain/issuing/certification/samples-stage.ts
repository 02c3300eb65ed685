import { isDeepStrictEqual } from 'node:util'
import { dropDecision } from '../../platform/onboarding/open-step.ts'
import { letterheadOf } from '../branding/lookup.ts'
import type { FileKind, FileRow } from './file.ts'
import {
  contentOf,
  insertFiles,
  listFiles,
  moveFiles,
  saveFileWords,
  saveSending,
  supersedeFiles,
  wasRefused,
} from './file-store.ts'
import { goOn } from './go-on.ts'
import { isStillApproved, prepare, unapproved } from './material.ts'
import { flawsOf, printSamples } from './samples.ts'
import { AGAIN, notDone, type Stage, type StageContext, type StageOutcome } from './stage.ts'
import { saveWords } from './store.ts'

const idsOf = (files: readonly FileRow[]) => files.map(({ id }) => id)

/** Sections of a set that are documents; books are not printed. */
const PRINTED: readonly FileKind[] = ['basico', 'guias', 'exenta', 'compra']

async function contents({ ctx, scope }: StageContext, files: readonly FileRow[]): Promise<Uint8Array[]> {
  const found: Uint8Array[] = []
  for (const { id } of files) {
    const content = await contentOf(ctx.sql, scope, id)
    if (!content) throw new Error(`the file ${id} was approved and has no bytes`)
    found.push(content)
  }
  return found
}

/** Prints the documents that the SII approved, once: what the titular approves is what is handed in. */
async function print(at: StageContext): Promise<StageOutcome> {
  const { ctx, scope, step } = at
  const { chooseSamples } = await import('@timbre/certification')
  const set = await listFiles(ctx.sql, scope, 'set_de_pruebas')
  const simulation = await listFiles(ctx.sql, scope, 'simulacion')
  const samples = chooseSamples({
    set: await contents(
      at,
      set.filter(({ kind }) => PRINTED.includes(kind)),
    ),
    simulation: await contents(
      at,
      simulation.filter(({ kind }) => kind === 'simulacion'),
    ),
  })
  if (samples.length === 0) return { outcome: 'operator', why: 'No hay documentos de la certificación que imprimir.' }
  const printed = await printSamples(ctx, scope, samples, await letterheadOf(ctx.sql, scope))
  const flaws = flawsOf(printed)
  if (flaws.length > 0) return { outcome: 'refused', block: 'preflight_failed', sentence: flaws.join(' ') }
  const files = printed.map(({ file_name, pdf: content, facts: sample }, position) => {
    const status = 'printed' as const
    return { step: step.key, kind: 'sample' as const, position, file_name, content, sample, status }
  })
  return prepare(at, (tx) => insertFiles(tx.sql, scope, files, tx.now()))
}

/** Whether these samples still stand, and their approval. */
async function isStillWanted(at: StageContext, files: readonly FileRow[]): Promise<boolean> {
  const { ctx, scope, step } = at
  const standing = await listFiles(ctx.sql, scope, step.key)
  return isDeepStrictEqual(idsOf(standing), idsOf(files)) && isStillApproved(at)
}

/**
 * Hands the samples in, unless the SII has them. It shows the last review until it has another: a refusal may be that of samples
 * before these, where there were any. Then they are handed in, at worst a second time.
 */
async function handIn(at: StageContext, files: readonly FileRow[]): Promise<StageOutcome> {
  const { ctx, scope, sii } = at
  const told = await sii.samplesReviewOf({ empresa: scope })
  if (told.outcome !== 'done') return notDone(told)
  const stale = told.state === 'refused' && (await wasRefused(ctx.sql, scope, at.step.key, 'sample'))
  const ours = files.some(({ sent_at }) => sent_at !== null)
  // Whatever the SII has was handed in by somebody else, or before these were printed: nobody approved it here.
  if (told.state !== 'to_do' && !stale && !ours)
    return { outcome: 'operator', why: `El SII ya tiene muestras que no son estas: ${told.words}.` }
  if (told.state !== 'to_do' && !stale) {
    await ctx.transact((tx) => moveFiles(tx.sql, scope, idsOf(files), 'declared', tx.now(), { sent_at: tx.now() }))
    return AGAIN
  }
  const samples = await Promise.all(
    files.map(async ({ id, file_name }) => ({ file_name, pdf: (await contentOf(ctx.sql, scope, id)) as Uint8Array })),
  )
  await ctx.transact((tx) => saveSending(tx.sql, scope, idsOf(files), tx.now()))
  let withdrawn = false
  const still_wanted = async () => {
    withdrawn = !(await isStillWanted(at, files))
    return !withdrawn
  }
  const answer = await sii.submitSamples({ empresa: scope, samples, still_wanted })
  if (withdrawn) return AGAIN
  if (answer.outcome === 'operator') return notDone(answer)
  await ctx.transact(async (tx) => {
    const [now, words] = [tx.now(), answer.sentence]
    if (answer.outcome === 'done')
      await moveFiles(tx.sql, scope, idsOf(files), 'declared', now, { words, sent_at: now })
    else await moveFiles(tx.sql, scope, idsOf(files), 'refused', now, { words })
    await saveWords(tx.sql, scope, words, now)
  })
  return AGAIN
}

async function look({ ctx, scope, sii }: StageContext, files: readonly FileRow[]): Promise<StageOutcome> {
  const told = await sii.samplesReviewOf({ empresa: scope })
  if (told.outcome !== 'done') return notDone(told)
  const { state, words, findings } = told
  await ctx.transact(async (tx) => {
    if (state === 'approved' || state === 'refused')
      await moveFiles(tx.sql, scope, idsOf(files), state, tx.now(), { words, findings })
    else await saveFileWords(tx.sql, scope, idsOf(files), words)
    await saveWords(tx.sql, scope, words, tx.now())
  })
  return state === 'approved' || state === 'refused' ? AGAIN : { outcome: 'wait', words, block: 'sii_reviewing' }
}

/** The SII did not take them: other ones are printed when somebody asks for another try, and the titular looks at those. */
function giveUp({ scope, step }: StageContext, [first]: readonly FileRow[]): StageOutcome {
  const { words = null, findings = [] } = first ?? {}
  return {
    outcome: 'refused',
    sentence: [words, ...findings].filter((one) => one !== null).join(' · '),
    details: { findings },
    clear: async (tx) => {
      await supersedeFiles(tx.sql, scope, step.key, ['sample'], tx.now())
      await dropDecision(tx.sql, scope, step.key)
    },
  }
}

/** The printed samples: printed, looked at and approved by the titular, handed in as they are, and reviewed by the SII. */
export const runSamples: Stage = async (at) => {
  const { ctx, scope, step } = at
  const files = await listFiles(ctx.sql, scope, step.key)
  if (files.length === 0) return print(at)
  const refused = files.filter(({ status }) => status === 'refused')
  if (refused.length > 0) return giveUp(at, refused)
  const waits = await unapproved(at)
  if (waits) return waits
  const printed = files.filter(({ status }) => status === 'printed')
  if (printed.length > 0) return handIn(at, printed)
  const in_review = files.filter(({ status }) => status === 'in_review')
  return in_review.length > 0 ? look(at, in_review) : goOn(at, 'muestras_impresas')
}
