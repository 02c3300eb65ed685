import type { AnsweredDte, Signer } from '@timbre/dte'
import { santiagoTimestamp } from '@timbre/dte/values'
import { MODES } from '../../../catalog/modes.ts'
import { GiveUp, type JobOutcome } from '../../../kernel/job.ts'
import { MailRefused } from '../../../ports/mail.ts'
import type { JobContext } from '../../job.ts'
import { empresaOfJob, type JobEmpresa } from '../../platform/empresa/of-job.ts'
import type { EmpresaRow } from '../../platform/empresa/row.ts'
import { composeLetter } from '../../platform/mail/compose.ts'
import type { EnvelopeFacts } from './answer-post.ts'
import { type AnswerRow, endAnswer, findAnswer, keepAnswerXml } from './answer-store.ts'
import { answerLetter } from './copy.ts'
import { ANSWER_ATTEMPTS } from './jobs.ts'
import { type ReceptionRow, showReception } from './reception.ts'
import { documentsOf, findReception } from './reception-store.ts'

/** What a ResultadoDTE or an EnvioRecibos says. */
export interface ResultFacts {
  readonly document: AnsweredDte
  readonly accepted: boolean
  readonly reason: string | null
}
export interface ReceiptFacts {
  readonly document: AnsweredDte
  readonly place: string | null
  readonly person_rut: string | null
}

const FILE_NAMES = { recepcion_envio: 'RecepcionEnvio', resultado_dte: 'ResultadoDTE', envio_recibos: 'EnvioRecibos' }
const PLACE_CHARS = 80

interface Work {
  readonly empresa: JobEmpresa
  readonly answer: AnswerRow
  readonly reception: ReceptionRow
}

/** Where goods are received when nobody says: at the address of the empresa. */
function placeOf({ street, comuna }: EmpresaRow): string {
  return (
    [street, comuna]
      .filter((word) => word)
      .join(', ')
      .slice(0, PLACE_CHARS) || 'Casa matriz'
  )
}

async function write(ctx: JobContext, { empresa, answer, reception }: Work, signer: Signer) {
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

/** Signed once and kept before it leaves: what is sent again after a crash is the very same file. */
async function fileOf(ctx: JobContext, work: Work): Promise<Uint8Array> {
  const { empresa, answer } = work
  if (answer.xml) return answer.xml
  const signer = await ctx.ports.sii[empresa.scope.mode].signerFor(empresa.scope)
  const written = await write(ctx, work, signer)
  if (!written.ok) throw new GiveUp('build_refused', `The answer cannot be built: ${written.refusal.message}`)
  const { latin1Bytes } = await import('@timbre/dte')
  const xml = latin1Bytes(written.value)
  await ctx.transact((tx) => keepAnswerXml(tx.sql, empresa.scope, answer.id, xml))
  return xml
}

async function mail(ctx: JobContext, { empresa, answer, reception }: Work, xml: Uint8Array): Promise<void> {
  // The suppliers of a sandbox are played by it: they have no mailbox.
  if (!MODES[empresa.scope.mode].mails_strangers) return
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

/** Why it ended, or null when it should be tried again. */
function endOf(ctx: JobContext, error: unknown): string | null {
  if (error instanceof GiveUp) return error.code
  if (error instanceof MailRefused) return 'refused'
  return ctx.attempt >= ANSWER_ATTEMPTS ? 'undeliverable' : null
}

async function end(ctx: JobContext, { empresa, answer, reception }: Work, failure: string | null): Promise<void> {
  const { scope } = empresa
  await ctx.transact(async (tx) => {
    const sent_at = failure === null ? tx.now() : null
    if (!(await endAnswer(tx.sql, scope, answer.id, { sent_at, failure }))) return
    const documents = await documentsOf(tx.sql, scope, reception.id)
    const { kind, recipient: to, received_document_id } = answer
    tx.emit({
      type: failure === null ? 'reception.acuse_sent' : 'reception.acuse_failed',
      object: showReception(reception, { documents, fault: null }),
      empresa: { id: scope.empresa_id, rut: scope.rut },
      detail: { kind, to, received_document_id, ...(failure !== null && { reason: failure }) },
    })
  })
}

export async function answerSender(ctx: JobContext, { answer_id }: { answer_id: string }): Promise<JobOutcome> {
  const empresa = await empresaOfJob(ctx)
  const answer = empresa && (await findAnswer(ctx.sql, empresa.scope, answer_id))
  const reception = answer && (await findReception(ctx.sql, empresa.scope, answer.reception_id))
  if (!reception || answer.sent_at || answer.failure) return 'done'
  const work = { empresa, answer, reception }
  try {
    await mail(ctx, work, await fileOf(ctx, work))
  } catch (error) {
    const failure = endOf(ctx, error)
    if (failure === null) throw error
    await end(ctx, work, failure)
    return 'done'
  }
  await end(ctx, work, null)
  return 'done'
}
