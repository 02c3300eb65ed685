import type { Signer } from '@timbre/dte'
import { santiagoTimestamp } from '@timbre/dte/values'
import { MODES } from '../../../catalog/modes.ts'
import { GiveUp, type JobOutcome } from '../../../kernel/job.ts'
import { MailRefused } from '../../../ports/mail.ts'
import type { JobContext } from '../../job.ts'
import { type JobEmpresa, jobEmpresa } from '../../platform/empresa/job-empresa.ts'
import { placeOf } from '../../platform/empresa/place.ts'
import { composeLetter } from '../../platform/mail/compose.ts'
import {
  type AnswerRow,
  type EnvelopeFacts,
  findAnswer,
  type ReceiptFacts,
  type ResultFacts,
  recordAnswerEnd,
  saveAnswerXml,
} from './answer-store.ts'
import { answerLetter } from './copy.ts'
import { ANSWER_ATTEMPTS } from './jobs.ts'
import { findReception } from './reception-store.ts'
import { type ReceptionRow, showReception } from './show.ts'
import { documentIdsOf } from './store.ts'

const FILE_NAMES = { recepcion_envio: 'RecepcionEnvio', resultado_dte: 'ResultadoDTE', envio_recibos: 'EnvioRecibos' }

interface AnswerJob {
  readonly empresa: JobEmpresa
  readonly answer: AnswerRow
  readonly reception: ReceptionRow
}

async function buildXml(ctx: JobContext, { empresa, answer, reception }: AnswerJob, signer: Signer) {
  const engine = await import('@timbre/dte')
  const now = santiagoTimestamp(ctx.now())
  const recibe_rut = reception.emisor_rut ?? ''
  const respuesta = { responde_rut: empresa.row.rut, recibe_rut, number: answer.number, tmst_firma: now }
  const [envelope_code, person] = [reception.number, signer.rut ?? empresa.row.rut]
  if (answer.kind === 'recepcion_envio') {
    const facts = answer.facts as EnvelopeFacts
    const received = { ...facts, code: envelope_code, received_at: santiagoTimestamp(reception.received_at) }
    return engine.buildRecepcionEnvio(respuesta, [received], signer)
  }
  if (answer.kind === 'resultado_dte') {
    const { document, accepted, reason } = answer.facts as ResultFacts
    const result = { ...document, envelope_code, state: accepted ? 0 : 2, ...(reason !== null && { reason }) } as const
    return engine.buildResultadoDte({ ...respuesta, recibe_rut: document.emisor_rut }, [result], signer)
  }
  const { document, place, person_rut } = answer.facts as ReceiptFacts
  const { number: _, ...envio } = { ...respuesta, recibe_rut: document.emisor_rut }
  const where = place ?? placeOf(empresa.row)
  const recibo = { ...document, place: where, firma_rut: person_rut ?? person, tmst_firma: now }
  return engine.buildEnvioRecibos(envio, [recibo], signer)
}

/** Signed once and saved before it leaves: what is sent again after a crash is the very same file. */
async function signedXml(ctx: JobContext, work: AnswerJob): Promise<Uint8Array> {
  const { empresa, answer } = work
  if (answer.xml) return answer.xml
  const signer = await ctx.ports.sii[empresa.scope.mode].signerFor(empresa.scope)
  const built = await buildXml(ctx, work, signer)
  if (!built.ok) throw new GiveUp('build_refused', `The answer cannot be built: ${built.refusal.message}`)
  const { latin1Bytes } = await import('@timbre/dte')
  const xml = latin1Bytes(built.value)
  await ctx.transact((tx) => saveAnswerXml(tx.sql, empresa.scope, answer.id, xml))
  return xml
}

async function mail(ctx: JobContext, { empresa, answer, reception }: AnswerJob, xml: Uint8Array): Promise<void> {
  // The suppliers of a sandbox are played by it: they have no mailbox.
  if (!MODES[empresa.scope.mode].mails_strangers || !ctx.ports.sii[empresa.scope.mode].tax_effect) return
  if (answer.recipient === null) throw new GiveUp('no_address', 'The document came without an address to answer to.')
  const filename = `${FILE_NAMES[answer.kind]}-${answer.number}.xml`
  await ctx.ports.mail.send({
    id: answer.id,
    ...composeLetter(answerLetter(empresa.row, { to: answer.recipient, kind: answer.kind, reception })),
    from_name: empresa.row.legal_name,
    ...(empresa.row.reception_email !== null && { reply_to: empresa.row.reception_email }),
    attachments: [{ filename, media_type: 'application/xml', bytes: xml }],
  })
}

/** The failure that ends it, or null when it should be tried again. */
function failureOf(ctx: JobContext, error: unknown): string | null {
  if (error instanceof GiveUp) return error.code
  if (error instanceof MailRefused) return 'refused'
  return ctx.attempt >= ANSWER_ATTEMPTS ? 'undeliverable' : null
}

async function end(ctx: JobContext, { empresa, answer, reception }: AnswerJob, failure: string | null): Promise<void> {
  const { scope } = empresa
  await ctx.transact(async (tx) => {
    const sent_at = failure === null ? tx.now() : null
    if (!(await recordAnswerEnd(tx.sql, scope, answer.id, { sent_at, failure }))) return
    const documents = await documentIdsOf(tx.sql, scope, reception.id)
    const { kind, recipient: to, received_document_id } = answer
    tx.emit({
      type: failure === null ? 'reception.acuse_sent' : 'reception.acuse_failed',
      object: showReception(reception, { documents, fault: null }),
      empresa: { id: scope.empresa_id, rut: scope.rut },
      detail: { kind, to, received_document_id, ...(failure !== null && { reason: failure }) },
    })
  })
}

/** Mails a signed exchange answer to whoever sent the document. */
export async function deliverAnswer(ctx: JobContext, { answer_id }: { answer_id: string }): Promise<JobOutcome> {
  const empresa = await jobEmpresa(ctx)
  const answer = empresa && (await findAnswer(ctx.sql, empresa.scope, answer_id))
  const reception = answer && (await findReception(ctx.sql, empresa.scope, answer.reception_id))
  if (!reception || answer.sent_at || answer.failure) return 'done'
  const work = { empresa, answer, reception }
  try {
    await mail(ctx, work, await signedXml(ctx, work))
  } catch (error) {
    const failure = failureOf(ctx, error)
    if (failure === null) throw error
    await end(ctx, work, failure)
    return 'done'
  }
  await end(ctx, work, null)
  return 'done'
}
