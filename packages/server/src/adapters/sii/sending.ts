import { type Caller, type SiiClient, SiiFailure, type UploadReceipt } from '@timbre/sii'
import { secondsFrom } from '../../kernel/clock.ts'
import type { Sql } from '../../kernel/db.ts'
import type { EmpresaScope } from '../../kernel/scope.ts'
import { type FoundEnvelope, SiiUnreachable } from '../../ports/sii.ts'
import type { SiiDocument } from '../../ports/sii-document.ts'
import type { Identities } from './identity.ts'
import { asSenderRefused } from './sender-refused.ts'
import { senderIn } from './signature-in.ts'
import { asUnreachable, isRefusal } from './unreachable.ts'
import {
  dropUpload,
  type FoundUpload,
  forgetSend,
  recordSend,
  recordTrack,
  type SentUpload,
  type Upload,
} from './uploads.ts'
import { isBoleta } from './verdicts.ts'

export interface EmissionParts extends Identities {
  readonly sql: Sql
  readonly client: SiiClient
  readonly ambiente: Caller['ambiente']
}

/**
 * How long after each send of boletas the SII may take to show them, by our reckoning: one that it does not show before
 * may still be on its way. Within the hour in which a boleta has to be there.
 */
const SHOWN_WITHIN_SECONDS = 600

/** How long after each send a file that the SII lost is sent again. After the last it is not: somebody has to look. */
const RESEND_SECONDS = [60, 300, 1_800, 7_200]

/**
 * When a file that the SII lost is due again; null where it was sent often enough. `unknown`: it does not say that it
 * lost it, only that it finds nothing. Facturas that come twice it knows again; boletas wait until it would show them.
 */
export function resendAt(
  { kind, sends, forgiven, sent_at }: Pick<SentUpload, 'kind' | 'sends' | 'forgiven' | 'sent_at'>,
  { unknown = false }: { readonly unknown?: boolean } = {},
): Date | null {
  const seconds = RESEND_SECONDS[Math.max(sends - forgiven, 1) - 1]
  const least = unknown && kind === 'EnvioBOLETA' ? SHOWN_WITHIN_SECONDS : 0
  return seconds === undefined ? null : secondsFrom(sent_at, Math.max(seconds, least))
}

const UPLOADS: readonly string[] = ['DTEUpload', 'boleta.envio']

/** Sends the bytes of an upload once more, counted before they leave. */
export async function sendAgain(
  parts: EmissionParts,
  caller: Caller,
  empresa: EmpresaScope,
  upload: Upload,
  at: Date,
): Promise<UploadReceipt> {
  await recordSend(parts.sql, empresa, upload, at)
  return send(parts, caller, empresa, upload)
}

/** Sends the bytes of an upload, which has been counted, and records under which track id they are known. */
export async function send(
  { sql, client, tellProven }: EmissionParts,
  caller: Caller,
  empresa: EmpresaScope,
  upload: Upload,
): Promise<UploadReceipt> {
  const file = { company_rut: empresa.rut, file_name: `${upload.id}.xml`, bytes: upload.envelope }
  const road = upload.kind === 'EnvioBOLETA' ? client.boleta : client.dte
  try {
    const receipt = await road.upload(caller, file)
    await recordTrack(sql, empresa, upload, receipt.track_id)
    await tellProven(empresa, caller.identity)
    return receipt
  } catch (thrown) {
    const error = asSenderRefused(thrown, caller)
    const left = error instanceof SiiFailure && (error.sent || isRefusal(error)) && UPLOADS.includes(error.operation)
    if (thrown instanceof SiiFailure && !left) await forgetSend(sql, empresa, upload)
    throw error
  }
}

/**
 * An envelope that was about to be sent, or was sent and not acknowledged. The DTE channel says under which track id it
 * has a file that comes twice, so the same bytes are sent again. Of boletas that is not known: the SII is asked for one
 * of them first, for as long as it may take to show them.
 */
export async function recover(
  parts: EmissionParts,
  caller: Caller,
  empresa: EmpresaScope,
  { upload, document, at }: { readonly upload: FoundUpload; readonly document: SiiDocument; readonly at: Date },
): Promise<FoundEnvelope | null> {
  const { document_ids } = upload
  // The SII takes an envelope only from the person it names, and the certificate may have changed since it was signed.
  const of_another = senderIn(upload.envelope) !== caller.identity.rut
  if (upload.sends > 0 && (of_another || upload.kind === 'EnvioBOLETA')) {
    // It never told under which track id it has them: they are then asked for one by one.
    if (await isHeld(parts, caller, empresa, document)) return { envelope_key: upload.id, track_id: null, document_ids }
    const again_at = secondsFrom(upload.sent_at, SHOWN_WITHIN_SECONDS)
    if (at < again_at) {
      throw new SiiUnreachable('documents were sent and not acknowledged, and the SII may still show them', {
        again_at,
        document_ids,
      })
    }
  }
  if (of_another) {
    // Nothing of it arrived: the documents go into an envelope of the person who sends now.
    await dropUpload(parts.sql, empresa, upload)
    return null
  }
  try {
    const { track_id } = await sendAgain(parts, caller, empresa, upload, at)
    return { envelope_key: upload.id, track_id, document_ids }
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
  try {
    return (await road.documentStatus(caller, { emisor_rut: empresa.rut, ...document })).held === true
  } catch (error) {
    return asUnreachable(asSenderRefused(error, caller))
  }
}
