// Signed answers of a receptor to documents, as files.

import {
  type AnsweredDte,
  buildEnvioRecibos,
  buildRecepcionEnvio,
  buildResultadoDte,
  latin1Bytes,
  type Signer,
} from '@timbre/dte'
import { signerOf } from './signed-document.ts'

const SIGNED_AT = '2026-11-12T09:00:00'

function file(built: { ok: true; value: string } | { ok: false; refusal: { message: string } }): Buffer {
  if (!built.ok) throw new Error(built.refusal.message)
  return Buffer.from(latin1Bytes(built.value))
}

interface Answering {
  readonly signer?: Signer
  /** RUT that answers: the document's receptor by default. */
  readonly responde_rut?: string
  readonly recibe_rut?: string
}

const headOf = (dte: AnsweredDte, how: Answering) => ({
  responde_rut: how.responde_rut ?? dte.receptor_rut,
  recibe_rut: how.recibe_rut ?? dte.emisor_rut,
  number: 1,
  tmst_firma: SIGNED_AT,
})
const signerIn = (dte: AnsweredDte, { signer }: Answering) => signer ?? signerOf(dte.receptor_rut)

/** "We accept it" (0), with discrepancies (1), or not (2), for each document. */
export async function resultadoFile(dtes: readonly (readonly [AnsweredDte, 0 | 1 | 2])[], how: Answering = {}) {
  const [first] = dtes[0] as (typeof dtes)[0]
  const results = dtes.map(([dte, state]) => ({
    ...dte,
    envelope_code: 1,
    state,
    ...(state === 2 && { reason: 'Precio distinto al de la orden de compra' }),
  }))
  return file(await buildResultadoDte(headOf(first, how), results, signerIn(first, how)))
}

/** "The file arrived", or did not. */
export async function recepcionFile(dte: AnsweredDte, state: 0 | 3 = 0, how: Answering = {}): Promise<Buffer> {
  const envelope = {
    file_name: 'envio.xml',
    received_at: SIGNED_AT,
    code: 1,
    set_id: 'SetDoc',
    state: 0,
    documents: [{ ...dte, state }],
  } as const
  return file(await buildRecepcionEnvio(headOf(dte, how), [envelope], signerIn(dte, how)))
}

/** "We do not take this file": no document of it is named. */
export async function refusedEnvelopeFile(
  dte: AnsweredDte,
  envelope: { readonly file_name: string; readonly digest: string },
  how: Answering = {},
): Promise<Buffer> {
  const received = { ...envelope, received_at: SIGNED_AT, code: 1, set_id: 'SetDoc', state: 3, documents: [] } as const
  return file(await buildRecepcionEnvio(headOf(dte, how), [received], signerIn(dte, how)))
}

/** "The goods arrived" (Ley 19.983). */
export async function recibosFile(dte: AnsweredDte, how: Answering = {}): Promise<Buffer> {
  const recibo = { ...dte, place: 'Bodega Quilicura', firma_rut: '11111111-1', tmst_firma: SIGNED_AT }
  return file(await buildEnvioRecibos(headOf(dte, how), [recibo], signerIn(dte, how)))
}

/** A mail with one file attached. */
export function mailWith(xml: Buffer): Buffer {
  return Buffer.concat([
    Buffer.from(
      'Subject: Respuesta\r\nContent-Type: application/xml; name=respuesta.xml\r\nContent-Transfer-Encoding: base64\r\n' +
        'Content-Disposition: attachment\r\n\r\n',
    ),
    Buffer.from(`${xml.toString('base64')}\r\n`),
  ])
}
