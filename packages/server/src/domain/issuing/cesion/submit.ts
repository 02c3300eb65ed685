import { GiveUp, type JobOutcome } from '../../../kernel/job.ts'
import type { CesionOrder } from '../../../ports/sii-cesion.ts'
import type { JobContext } from '../../job.ts'
import { certificateGap } from '../../platform/empresa/custody.ts'
import type { JobEmpresa } from '../../platform/empresa/job-empresa.ts'
import { creditedOf } from '../credit-note/credited.ts'
import { advanceCesion } from '../document/advance-cesion.ts'
import { findSignedXml } from '../document/read.ts'
import type { Failure } from '../document/schema.ts'
import type { CesionFacts, DocumentRow } from '../document/show.ts'
import { asSiiDocument } from '../document/show.ts'
import { buildAec } from './build-aec.ts'
import { lookAgainAt } from './copies.ts'
import { REASONS, type ReasonCode, reasonOfSii, reasonsToday } from './reasons.ts'
import { type CesionRow, countSend, saveAec } from './store.ts'

/** A cesión with its empresa and its document, as the job finds them. */
export interface CesionWork {
  readonly empresa: JobEmpresa
  readonly cesion: CesionRow
  readonly document: DocumentRow
  /** What the document shows of it so far. */
  readonly facts: CesionFacts
}

/** The facts that every question to the register carries. */
export function questionOf(ctx: JobContext, { empresa, cesion, document }: CesionWork) {
  return {
    empresa: empresa.scope,
    document: asSiiDocument(document),
    sent_at: document.sent_at ?? document.created_at,
    cesionario_rut: cesion.terms.cesionario.rut,
    at: ctx.now(),
  }
}

export async function failCesion(
  ctx: JobContext,
  { empresa, document, facts }: CesionWork,
  failure: Failure,
  answer: Partial<CesionFacts> = {},
): Promise<void> {
  await ctx.transact((tx) => {
    const failed = { ...facts, ...answer, failure, settled_at: tx.now().toISOString() }
    return advanceCesion(tx, empresa.scope, document, 'failed', failed)
  })
}

const notCedible = (reason: ReasonCode) => new GiveUp('document_not_cedible', REASONS[reason])

/** Checks again: much may have happened since the request. The SII is asked last, right before it gets the cesión. */
async function refuseUncedible(ctx: JobContext, work: CesionWork): Promise<void> {
  const { empresa, document } = work
  if (empresa.row.status !== 'active') {
    throw new GiveUp('empresa_inactive', 'The empresa was archived or suspended before the cesión was submitted.')
  }
  if (certificateGap(empresa.row, ctx.now())) {
    throw new GiveUp('empresa_inactive', 'The empresa had no valid certificate when the cesión was submitted.')
  }
  const credited = await creditedOf(ctx.sql, empresa.scope, document)
  const [reason] = reasonsToday({ document, channel: empresa.row.emission_channel, credited })
  if (reason) throw notCedible(reason)
  const of_sii = reasonOfSii(await ctx.ports.sii[empresa.scope.mode].cedibilityOf(questionOf(ctx, work)))
  if (of_sii) throw notCedible(of_sii)
}

/** Signs once and stores before sending: after a crash the very same file is sent again. */
async function aecOf(ctx: JobContext, { empresa, cesion, document }: CesionWork): Promise<Uint8Array> {
  const { scope } = empresa
  if (cesion.aec) return cesion.aec
  const xml = await findSignedXml(ctx.sql, scope, document.id)
  if (!xml) throw new Error(`the document ${document.id} was accepted and has no XML`)
  const signer = await ctx.ports.sii[scope.mode].signerFor(scope)
  const built = await buildAec({ document, xml, terms: cesion.terms, signer, at: ctx.now() })
  const stored = await ctx.transact((tx) => saveAec(tx.sql, scope, cesion.id, built))
  if (!stored) throw new Error(`the cesión ${cesion.id} is gone`)
  return stored
}

/** Sends the cesión, unless an earlier run did and crashed before it could record that. */
async function sendToRegister(
  ctx: JobContext,
  work: CesionWork,
): Promise<{ track_id: string | null; ask_at: Date } | { again_at: Date }> {
  const sii = ctx.ports.sii[work.empresa.scope.mode]
  const question = questionOf(ctx, work)
  const found = work.cesion.aec && (await sii.findCesion(question))
  if (found) return { track_id: found.track_id, ask_at: ctx.now() }
  // A copy was refused, and one before it may still be registered: no further one leaves meanwhile.
  const again_at = work.cesion.refused_since && lookAgainAt(work.cesion, work.cesion.sends, ctx.now())
  if (again_at) return { again_at }
  await refuseUncedible(ctx, work)
  const aec = await aecOf(ctx, work)
  const order: CesionOrder = { ...question, aec, notify_email: work.cesion.terms.contact.email }
  await ctx.transact((tx) => countSend(tx.sql, work.empresa.scope, work.cesion.id))
  const receipt = await sii.cede(order)
  if ('refused' in receipt) throw new GiveUp(receipt.refused.code, receipt.refused.message)
  return receipt
}

export async function submitCesion(ctx: JobContext, work: CesionWork): Promise<JobOutcome> {
  const sent = await sendToRegister(ctx, work)
  if ('again_at' in sent) return sent
  const { track_id, ask_at } = sent
  const { empresa, document, facts } = work
  await ctx.transact((tx) => {
    const submitted = { ...facts, track_id, submitted_at: tx.now().toISOString() }
    return advanceCesion(tx, empresa.scope, document, 'submitted', submitted)
  })
  return { again_at: ask_at }
}
