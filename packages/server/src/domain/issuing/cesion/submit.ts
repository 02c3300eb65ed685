import { GiveUp, type JobOutcome } from '../../../kernel/job.ts'
import type { CesionOrder } from '../../../ports/sii-cesion.ts'
import type { JobContext } from '../../job.ts'
import type { JobEmpresa } from '../../platform/empresa/of-job.ts'
import { creditedOf } from '../credit-note/credited.ts'
import { advanceCesion } from '../document/advance-cesion.ts'
import type { Failure } from '../document/schema.ts'
import type { CesionFacts, DocumentRow } from '../document/show.ts'
import { asSiiDocument } from '../document/show.ts'
import { buildAec } from './build-aec.ts'
import { REASONS, type ReasonCode, reasonOfSii, reasonsToday } from './reasons.ts'
import { type CesionRow, findSignedXml, keepAec } from './store.ts'

/** A cesión with everything around it, as it is now. */
export interface Work {
  readonly empresa: JobEmpresa
  readonly cesion: CesionRow
  readonly document: DocumentRow
  /** What the document shows of it so far. */
  readonly facts: CesionFacts
}

/** What every question to the register carries. */
export function questionOf(ctx: JobContext, { empresa, cesion, document }: Work) {
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
  { empresa, document, facts }: Work,
  failure: Failure,
  said: Partial<CesionFacts> = {},
): Promise<void> {
  await ctx.transact((tx) => {
    const failed = { ...facts, ...said, failure, settled_at: tx.now().toISOString() }
    return advanceCesion(tx, empresa.scope, document, 'failed', failed)
  })
}

const notCedible = (reason: ReasonCode) => new GiveUp('document_not_cedible', REASONS[reason])

/** Much may have happened since it was asked for; the SII is asked last, right before it gets the cesión. */
async function refuseUncedible(ctx: JobContext, work: Work): Promise<void> {
  const { empresa, document } = work
  if (empresa.row.status !== 'active') {
    throw new GiveUp('empresa_inactive', 'The empresa was archived or suspended before the cesión was submitted.')
  }
  const credited = await creditedOf(ctx.sql, empresa.scope, document)
  const [reason] = reasonsToday({ document, channel: empresa.row.emission_channel, credited })
  if (reason) throw notCedible(reason)
  const said = reasonOfSii(await ctx.ports.sii[empresa.scope.mode].cedibilityOf(questionOf(ctx, work)))
  if (said) throw notCedible(said)
}

/** Signed once and kept before it leaves: what is sent again after a crash is the very same file. */
async function aecOf(ctx: JobContext, { empresa, cesion, document }: Work): Promise<Uint8Array> {
  const { scope } = empresa
  if (cesion.aec) return cesion.aec
  const xml = await findSignedXml(ctx.sql, scope, document.id)
  if (!xml) throw new Error(`the document ${document.id} was accepted and has no XML`)
  const signer = await ctx.ports.sii[scope.mode].signerFor(scope)
  const built = await buildAec({ document, xml, terms: cesion.terms, signer, at: ctx.now() })
  const kept = await ctx.transact((tx) => keepAec(tx.sql, scope, cesion.id, built))
  if (!kept) throw new Error(`the cesión ${cesion.id} is gone`)
  return kept
}

/** Hands the cesión over, unless an earlier run did and did not live to say so. */
async function handOver(ctx: JobContext, work: Work): Promise<{ track_id: string; ask_at: Date }> {
  const sii = ctx.ports.sii[work.empresa.scope.mode]
  const question = questionOf(ctx, work)
  const found = work.cesion.aec && (await sii.findCesion(question))
  if (found) return { track_id: found.track_id, ask_at: ctx.now() }
  await refuseUncedible(ctx, work)
  const aec = await aecOf(ctx, work)
  const order: CesionOrder = { ...question, aec, notify_email: work.cesion.terms.contact.email }
  return sii.cede(order)
}

export async function submit(ctx: JobContext, work: Work): Promise<JobOutcome> {
  const { track_id, ask_at } = await handOver(ctx, work)
  const { empresa, document, facts } = work
  await ctx.transact((tx) => {
    const submitted = { ...facts, track_id, submitted_at: tx.now().toISOString() }
    return advanceCesion(tx, empresa.scope, document, 'submitted', submitted)
  })
  return { again_at: ask_at }
}
