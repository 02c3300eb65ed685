import { type Caller, type SiiClient, SiiFailure, type UploadReceipt } from '@timbre/sii'
import { secondsFrom } from '../../kernel/clock.ts'
import type { Sql } from '../../kernel/db.ts'
import type { EmpresaScope } from '../../kernel/scope.ts'
import { type Received, type Sii, type SiiStatus, SiiUnreachable, type Submission } from '../../ports/sii.ts'
import type { SiiDocument } from '../../ports/sii-document.ts'
import { callerFor, type Identities } from './identity.ts'
import { senderIn } from './signature-in.ts'
import { asUnreachable, isRefusal, reaching } from './unreachable.ts'
import {
  dropUpload,
  findUploadByTrack,
  findUploadOf,
  forgetSend,
  keepUpload,
  readEnvelope,
  recordSend,
  recordTrack,
  type SentUpload,
  type Upload,
} from './uploads.ts'
import { askVerdicts, askWithoutEnvelope, isBoleta, type VerdictQuestion } from './verdicts.ts'

export interface EmissionParts extends Identities {
  readonly sql: Sql
  readonly client: SiiClient
  readonly ambiente: Caller['ambiente']
}

/** STATUS of an upload whose sender has no permission in the company. */
const NO_PERMISSION = '1'

/** The SII answers in seconds to minutes; its own advice is to look first after ten. */
const FIRST_LOOK_SECONDS = 10

/**
 * What stands for a track id where the SII has boletas of ours and never told under which: the first answer was lost.
 * They are then asked for one by one.
 */
const UNTOLD = 'untold-'

/**
 * How long after each send of boletas the SII may take to show them, by our reckoning: one that it does not show before
 * may still be on its way. Within the hour in which a boleta has to be there.
 */
const SHOWN_WITHIN_SECONDS = 600

/**
 * After how long without a word about an envelope its documents are asked for, and their bytes sent again where the SII
 * does not have them. What it says of a track id that it does not know is in no manual (unverified).
 */
const SILENT_SECONDS = 3_600
const MOST_SENDS = 3

const UPLOADS: readonly string[] = ['DTEUpload', 'boleta.envio']

/** The road by which documents reach the SII, and the look-ups along it. */
export function liveEmission(
  parts: EmissionParts,
): Pick<Sii, 'submit' | 'statusOf' | 'isAnnulled' | 'findByNaturalKey' | 'mailResult'> {
  return {
    async submit(submission) {
      const caller = await callerFor(parts, submission.empresa, parts.ambiente)
      const upload = await keepUpload(parts.sql, submission)
      try {
        const { track_id } = await send(parts, caller, submission.empresa, upload)
        return { track_id, refused: [], ask_at: secondsFrom(submission.at, FIRST_LOOK_SECONDS) }
      } catch (error) {
        if (!isRefusal(error)) return asUnreachable(error)
        await dropUpload(parts.sql, submission.empresa, upload)
        return refusedAll(submission, error)
      }
    },
    async findByNaturalKey({ empresa, document, at }) {
      const upload = await findUploadOf(parts.sql, empresa, document.id)
      if (!upload) return null
      if (upload.track_id !== null) return { track_id: upload.track_id }
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
    async statusOf({ empresa, track_id, documents, at }) {
      const caller = await callerFor(parts, empresa, parts.ambiente)
      const upload = await findUploadByTrack(parts.sql, empresa, track_id)
      const envelope = async () => (upload ? readEnvelope(parts.sql, empresa, upload) : null)
      const untold = track_id.startsWith(UNTOLD)
      const question = {
        company_rut: empresa.rut,
        track_id: untold ? null : (upload?.resent_track_id ?? track_id),
        documents,
        sends: upload?.sends ?? 1,
        envelope,
        at,
      }
      const status = await whatBecame(parts, caller, question, upload)
      if (status === 'lost') {
        const bytes = await envelope()
        if (upload && bytes) await reaching(() => sendAgain(parts, caller, empresa, { ...upload, envelope: bytes }))
        return { verdicts: new Map(), ask_at: null }
      }
      const settled = documents.every(({ id }) => status.verdicts.has(id))
      if (upload && settled) await dropUpload(parts.sql, empresa, upload)
      return status
    },
  }
}

async function whatBecame(
  { client }: EmissionParts,
  caller: Caller,
  question: VerdictQuestion,
  upload: SentUpload | null,
): Promise<SiiStatus | 'lost'> {
  try {
    return await askVerdicts(client, caller, question)
  } catch (error) {
    const silent = upload && question.at >= secondsFrom(upload.created_at, SILENT_SECONDS * upload.sends)
    if (!silent || upload.sends >= MOST_SENDS) return asUnreachable(error)
    return reaching(() => askWithoutEnvelope(client, caller, question))
  }
}

/** Sends the bytes of an upload once more, counted before they leave. */
async function sendAgain(parts: EmissionParts, caller: Caller, empresa: EmpresaScope, upload: Upload) {
  await recordSend(parts.sql, empresa, upload)
  return send(parts, caller, empresa, upload)
}

/** Sends the bytes of an upload, which has been counted, and records under which track id they are known. */
async function send(
  { sql, client, tellAuthority }: EmissionParts,
  caller: Caller,
  empresa: EmpresaScope,
  upload: Upload,
): Promise<UploadReceipt> {
  const file = { company_rut: empresa.rut, file_name: `${upload.id}.xml`, bytes: upload.envelope }
  const road = upload.kind === 'EnvioBOLETA' ? client.boleta : client.dte
  try {
    const receipt = await road.upload(caller, file)
    await recordTrack(sql, empresa, upload, receipt.track_id)
    await tellAuthority(empresa, caller.identity, 'proven')
    return receipt
  } catch (error) {
    if (error instanceof SiiFailure && !(error.sent && UPLOADS.includes(error.operation))) {
      await forgetSend(sql, empresa, upload)
    }
    if (isRefusal(error) && error.estado === NO_PERMISSION) await tellAuthority(empresa, caller.identity, 'refused')
    throw error
  }
}

/**
 * An envelope that was about to be sent, or was sent and not acknowledged. The DTE channel says under which track id it
 * has a file that comes twice, so the same bytes are sent again. Of boletas that is not known: the SII is asked for one
 * of them first, for as long as it may take to show them.
 */
async function recover(
  parts: EmissionParts,
  caller: Caller,
  empresa: EmpresaScope,
  { upload, document, at }: { readonly upload: Upload; readonly document: SiiDocument; readonly at: Date },
): Promise<{ readonly track_id: string } | null> {
  // The SII takes an envelope only from the person it names, and the certificate may have changed since it was signed.
  const of_another = senderIn(upload.envelope) !== caller.identity.rut
  if (upload.sends > 0 && (of_another || upload.kind === 'EnvioBOLETA')) {
    if (await isHeld(parts, caller, empresa, document)) {
      const track_id = `${UNTOLD}${upload.id}`
      await recordTrack(parts.sql, empresa, upload, track_id)
      return { track_id }
    }
    if (at < secondsFrom(upload.created_at, SHOWN_WITHIN_SECONDS * upload.sends)) {
      throw new SiiUnreachable('documents were sent and not acknowledged, and the SII may still show them')
    }
  }
  if (of_another) {
    // Nothing of it arrived: the documents go into an envelope of the person who sends now.
    await dropUpload(parts.sql, empresa, upload)
    return null
  }
  try {
    const { track_id } = await sendAgain(parts, caller, empresa, upload)
    return { track_id }
  } catch (error) {
    if (!isRefusal(error)) return asUnreachable(error)
    // It never took them: they go into a new envelope, whose refusal is told.
    await dropUpload(parts.sql, empresa, upload)
    return null
  }
}

async function isHeld(
  { client }: EmissionParts,
  caller: Caller,
  empresa: EmpresaScope,
  document: SiiDocument,
): Promise<boolean> {
  const road = isBoleta(document) ? client.boleta : client.dte
  const status = await reaching(() => road.documentStatus(caller, { emisor_rut: empresa.rut, ...document }))
  return status.held === true
}

/** The SII would not take the file: no document of it goes on. */
async function refusedAll({ documents }: Submission, failure: SiiFailure): Promise<Received> {
  const { explain } = await import('@timbre/dte/emission')
  const text = failure.glosa ?? undefined
  const { code, message } = explain({ source: 'upload', code: failure.estado ?? undefined, text })
  const words = failure.glosa ? `${message} ${failure.glosa}` : message
  const refused = documents.map(({ id }) => ({ id, code, message: words }))
  return { track_id: '', refused, ask_at: new Date(0) }
}
