import { santiagoTimestamp } from '@timbre/dte/values'
import { placeOf } from '../../platform/empresa/place.ts'
import type { FileKind, FileRow, NewFile } from './file.ts'
import { contentOf, insertFiles, listFiles, moveFiles, supersedeFiles } from './file-store.ts'
import { goOn } from './go-on.ts'
import { AGAIN, notDone, type Stage, type StageContext, type StageOutcome } from './stage.ts'
import { saveWords } from './store.ts'

const RECEIVED = 'exchange_received'
/** The three answers, in the order in which the SII takes them. */
const ANSWERS = ['exchange_reception', 'exchange_receipts', 'exchange_results'] as const satisfies readonly FileKind[]
type Answer = (typeof ANSWERS)[number]
const KINDS: readonly FileKind[] = [RECEIVED, ...ANSWERS]

const FILE_NAMES = {
  exchange_received: 'EnvioDTE.xml',
  exchange_reception: 'RecepcionEnvio.xml',
  exchange_receipts: 'EnvioRecibos.xml',
  exchange_results: 'ResultadoDTE.xml',
} as const

function fileAs(kind: typeof RECEIVED | Answer, content: Uint8Array): NewFile {
  const position = KINDS.indexOf(kind)
  return { step: 'intercambio', kind, position, file_name: FILE_NAMES[kind], content }
}

/** The SII's envelope, as it came. It gives the same one until it was answered well. */
async function fetchEnvelope({ ctx, scope, sii }: StageContext): Promise<StageOutcome> {
  const answer = await sii.exchangeEnvelope({ empresa: scope })
  if (answer.outcome !== 'done') return notDone(answer)
  const received = { ...fileAs(RECEIVED, answer.file), status: 'received' as const }
  await ctx.transact((tx) => insertFiles(tx.sql, scope, [received], tx.now()))
  return AGAIN
}

/** An envelope that cannot be answered is left for a person; whoever tries again fetches it anew. */
async function leaveToPeople({ ctx, scope }: StageContext, why: string): Promise<StageOutcome> {
  await ctx.transact((tx) => supersedeFiles(tx.sql, scope, 'intercambio', KINDS, tx.now()))
  return { outcome: 'operator', why: `No se puede responder el sobre de intercambio del SII: ${why}` }
}

/** Signed once and stored before they are sent. */
async function prepare(at: StageContext, received: FileRow): Promise<StageOutcome> {
  const { ctx, scope, row } = at
  const { answerExchange } = await import('@timbre/certification')
  const [file, signer] = await Promise.all([
    contentOf(ctx.sql, scope, received.id),
    ctx.ports.sii[scope.mode].signerFor(scope),
  ])
  const answered = await answerExchange(file ?? new Uint8Array(), {
    rut: scope.rut,
    name: row.legal_name,
    ...(row.reception_email !== null && { contact: { email: row.reception_email } }),
    signer,
    at: santiagoTimestamp(ctx.now()),
    recinto: placeOf(row),
    file_name: received.file_name,
  })
  if (!answered.ok) return leaveToPeople(at, answered.refusal.message)
  const { reception, receipts, results, envelope_state } = answered.value
  if (!receipts || !results) return leaveToPeople(at, `EstadoRecepEnv ${envelope_state}`)
  const files = { exchange_reception: reception, exchange_receipts: receipts, exchange_results: results }
  await ctx.transact(async (tx) => {
    const now = tx.now()
    await insertFiles(
      tx.sql,
      scope,
      ANSWERS.map((kind) => fileAs(kind, files[kind])),
      now,
    )
    const made = (await listFiles(tx.sql, scope, 'intercambio')).filter(({ status }) => status === 'planned')
    const ids = made.map(({ id }) => id)
    await moveFiles(tx.sql, scope, ids, 'signed', now)
  })
  return AGAIN
}

/** Handed over and confirmed in one go. Asked twice, the SII says the same of answers that it took. */
async function handOver({ ctx, scope, sii }: StageContext, answers: readonly FileRow[]): Promise<StageOutcome> {
  const bytesOf = async (kind: Answer) => {
    const id = answers.find((file) => file.kind === kind)?.id ?? ''
    const content = await contentOf(ctx.sql, scope, id)
    if (!content) throw new Error(`the answer ${kind} of ${scope.empresa_id} has no bytes`)
    return content
  }
  const [reception, receipts, results] = await Promise.all(ANSWERS.map(bytesOf))
  const files = { reception, receipts, results } as Record<'reception' | 'receipts' | 'results', Uint8Array>
  const answer = await sii.answerExchange({ empresa: scope, ...files })
  if (answer.outcome === 'operator') return notDone(answer)
  // Somebody answered and went on at the SII itself.
  const passed = answer.outcome === 'refused' && answer.reason === 'step_passed'
  if (answer.outcome === 'refused' && !passed) {
    const clear: Extract<StageOutcome, { outcome: 'refused' }>['clear'] = (tx) =>
      supersedeFiles(tx.sql, scope, 'intercambio', KINDS, tx.now())
    return { outcome: 'refused', sentence: answer.sentence, clear }
  }
  await ctx.transact(async (tx) => {
    const [now, words] = [tx.now(), answer.sentence]
    const ids = answers.map(({ id }) => id)
    await moveFiles(tx.sql, scope, ids, 'sent', now, { sent_at: now })
    await moveFiles(tx.sql, scope, ids, 'approved', now, { words })
    await saveWords(tx.sql, scope, words, now)
  })
  return AGAIN
}

/** The exchange between taxpayers: the SII sends an envelope, and the company answers it with three signed files. */
export const runExchange: Stage = async (at) => {
  const files = await listFiles(at.ctx.sql, at.scope, at.step.key)
  const received = files.find(({ kind }) => kind === RECEIVED)
  if (!received) return fetchEnvelope(at)
  const answers = files.filter(({ kind }) => kind !== RECEIVED)
  if (answers.length === 0) return prepare(at, received)
  return answers.every(({ status }) => status === 'approved') ? goOn(at, 'intercambio') : handOver(at, answers)
}
