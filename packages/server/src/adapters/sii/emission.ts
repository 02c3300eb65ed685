import { type Caller, ENVELOPE_NOT_FOUND, SiiFailure } from '@timbre/sii'
import { secondsFrom } from '../../kernel/clock.ts'
import type { EmpresaScope } from '../../kernel/scope.ts'
import {
  type Received,
  SenderRefused,
  type Sii,
  type SiiStatus,
  SiiUnreachable,
  type Submission,
} from '../../ports/sii.ts'
import { callerFor } from './identity.ts'
import { type EmissionParts, recover, resendAt, send, sendAgain } from './sending.ts'
import { senderIn } from './signature-in.ts'
import { asUnreachable, isRefusal, reaching } from './unreachable.ts'
import {
  dropUpload,
  findUpload,
  findUploadOf,
  forgiveSends,
  keepUpload,
  readEnvelope,
  replaceEnvelope,
  type SentUpload,
  type Upload,
} from './uploads.ts'
import { askVerdicts, askWithoutEnvelope, isBoleta, type VerdictQuestion, type Verdicts } from './verdicts.ts'

/** The SII answers in seconds to minutes; its own advice is to look first after ten. */
const FIRST_LOOK_SECONDS = 10

/** After how long without a state of an envelope its documents are asked for. */
const SILENT_SECONDS = 3_600

/** The road by which documents reach the SII, and the look-ups along it. */
export function liveEmission(
  parts: EmissionParts,
): Pick<Sii, 'submit' | 'statusOf' | 'allowResend' | 'settled' | 'isAnnulled' | 'findByNaturalKey' | 'mailResult'> {
  return {
    async submit(submission) {
      const caller = await callerFor(parts, submission.empresa, parts.ambiente)
      const upload = await keepUpload(parts.sql, submission)
      try {
        const { track_id } = await send(parts, caller, submission.empresa, upload)
        const ask_at = secondsFrom(submission.at, FIRST_LOOK_SECONDS)
        return { envelope_key: upload.id, track_id, refused: [], ask_at }
      } catch (error) {
        // It was sent for the first time, and nothing of it was taken: the next person signs an envelope of their own.
        if (isRefusal(error) || error instanceof SenderRefused) {
          await dropUpload(parts.sql, submission.empresa, upload)
        }
        if (!isRefusal(error)) return asUnreachable(error)
        return refusedAll(submission, upload, error)
      }
    },
    async findByNaturalKey({ empresa, document, at }) {
      const upload = await findUploadOf(parts.sql, empresa, document.id)
      if (!upload) return null
      const { id: envelope_key, track_id, document_ids } = upload
      if (track_id !== null) return { envelope_key, track_id, document_ids }
      const caller = await callerFor(parts, empresa, parts.ambiente)
      return recover(parts, caller, empresa, { upload, document, at })
    },
    async mailResult({ empresa, track_id }) {
      const caller = await callerFor(parts, empresa, parts.ambiente)
      await reaching(() => parts.client.dte.resendResultMail(caller, { company_rut: empresa.rut, track_id }))
    },
    async isAnnulled({ empresa, document }) {
      const caller = await callerFor(parts, empresa, parts.ambiente)
      const road = isBoleta(document) ? parts.client.boleta : parts.client.dte
      const question = { emisor_rut: empresa.rut, ...document }
      return (await reaching(() => road.documentStatus(caller, question))).state === 'annulled'
    },
    async statusOf({ empresa, envelope_key, documents, rewrap, at }) {
      const caller = await callerFor(parts, empresa, parts.ambiente)
      const upload = await findUpload(parts.sql, empresa, envelope_key)
      const question: VerdictQuestion = {
        company_rut: empresa.rut,
        track_id: upload?.track_id ?? null,
        documents,
        sends: upload?.sends ?? 1,
        envelope: async () => (upload ? readEnvelope(parts.sql, empresa, upload) : null),
        sent_at: upload?.sent_at ?? null,
        at,
      }
      const { lost, unknown = false, ...found } = await whatBecame(parts, caller, question, upload)
      if (upload && (lost || unknown)) {
        return followLost(parts, caller, empresa, { question, upload, told: found.told, unknown, rewrap })
      }
      return { ...found, track_id: question.track_id, ask_at: null }
    },
    allowResend: ({ empresa, envelope_key }) => forgiveSends(parts.sql, empresa, envelope_key),
    settled: ({ empresa, envelope_key }) => dropUpload(parts.sql, empresa, { id: envelope_key }),
  }
}

async function whatBecame(
  { client }: EmissionParts,
  caller: Caller,
  question: VerdictQuestion,
  upload: SentUpload | null,
): Promise<Verdicts> {
  try {
    return await askVerdicts(client, caller, question)
  } catch (error) {
    const told = wordsOf(error)
    if (told && (error as SiiFailure).reason === ENVELOPE_NOT_FOUND) return { verdicts: new Map(), told, unknown: true }
    const silent = upload && question.at >= secondsFrom(upload.sent_at, SILENT_SECONDS)
    if (silent)
      return { ...(await reaching(() => askWithoutEnvelope(client, caller, question))), ...(told && { told }) }
    return told ? { verdicts: new Map(), told } : asUnreachable(error)
  }
}

/** What the SII said in place of a state: it was there, and has a code of its own for it. Null where it was not. */
function wordsOf(error: unknown): NonNullable<SiiStatus['told']> | null {
  if (!(error instanceof SiiFailure) || error.token_refused || error.estado === null) return null
  const { kind, estado, glosa } = error
  return kind === 'refused' || /^-?\d+$/.test(estado) ? { estado, glosa } : null
}

interface Lost {
  readonly question: VerdictQuestion
  readonly told: SiiStatus['told'] | undefined
  readonly upload: SentUpload
  /** It finds nothing under the track id, and may later: it is asked again until the file is due. */
  readonly unknown: boolean
  readonly rewrap: (() => Promise<Uint8Array>) | undefined
}

/**
 * An envelope that the SII took and no longer has. Its documents are asked for before the same bytes are sent again, or
 * the same documents where another person sends by now, a few times and later each time; then it is given up, and the
 * documents are asked for as long as they are followed.
 */
async function followLost(
  parts: EmissionParts,
  caller: Caller,
  empresa: EmpresaScope,
  { question, upload, told, unknown, rewrap }: Lost,
): Promise<SiiStatus> {
  const { at, track_id } = question
  const due_at = resendAt(upload, { unknown })
  const nothing = { verdicts: new Map(), track_id, ...(told && { told }) }
  if (due_at && at < due_at) return { ...nothing, ask_at: unknown ? soonerOf(lookAgain(upload, at), due_at) : due_at }
  try {
    const { lost, ...found } = await reaching(() => askWithoutEnvelope(parts.client, caller, question))
    if (!lost) return { ...nothing, ...found, ask_at: null }
    const envelope = due_at && (await question.envelope())
    if (!envelope) return { ...nothing, given_up: true, ask_at: null }
    const of_caller = await envelopeOf(parts, caller, empresa, { ...upload, envelope }, rewrap)
    const sent = await reaching(() => sendAgain(parts, caller, empresa, of_caller, at))
    return { ...nothing, track_id: sent.track_id, ask_at: secondsFrom(at, FIRST_LOOK_SECONDS) }
  } catch (error) {
    // What it said of the envelope is told, although it does not answer the rest.
    if (error instanceof SiiUnreachable && told) return { ...nothing, ask_at: null }
    throw error
  }
}

/** The upload with an envelope that names the caller, kept before it is sent. */
async function envelopeOf(
  { sql }: EmissionParts,
  { identity }: Caller,
  empresa: EmpresaScope,
  upload: Upload,
  rewrap: Lost['rewrap'],
): Promise<Upload> {
  if (senderIn(upload.envelope) === identity.rut || !rewrap) return upload
  const envelope = await rewrap()
  if (senderIn(envelope) !== identity.rut) throw new SiiUnreachable('the certificate of the empresa changed meanwhile')
  await replaceEnvelope(sql, empresa, upload, envelope)
  return { ...upload, envelope }
}

const soonerOf = (one: Date, other: Date) => (one < other ? one : other)

/** Half as long again as it has been gone: soon at first, and ever later. */
function lookAgain({ sent_at }: SentUpload, at: Date): Date {
  const gone_seconds = (at.getTime() - sent_at.getTime()) / 1000
  return secondsFrom(at, Math.max(FIRST_LOOK_SECONDS, gone_seconds / 2))
}

/** The SII would not take the file: no document of it goes on. */
async function refusedAll({ documents }: Submission, { id }: SentUpload, failure: SiiFailure): Promise<Received> {
  const { explain } = await import('@timbre/dte/emission')
  const text = failure.glosa ?? undefined
  const { code, message } = explain({ source: 'upload', code: failure.estado ?? undefined, text })
  const words = failure.glosa ? `${message} ${failure.glosa}` : message
  const refused = documents.map((document) => ({ id: document.id, code, message: words }))
  return { envelope_key: id, track_id: null, refused, ask_at: new Date(0) }
}
