import { type Alone, pasteOwn, piece, signAlone, signEnvelope } from '../envelope/sign.ts'
import { accept, type Outcome } from '../refusal.ts'
import type { Signer } from '../signature/sign.ts'
import { Form, type FormRule } from '../xml/form.ts'
import { textElement } from '../xml/write.ts'
import { type AnsweredDte, type Respuesta, writeAnswered, writeContact } from './intercambio.ts'

/** Fixed by Recibos_v10.xsd, letter by letter. */
export const RECIBO_DECLARATION =
  'El acuse de recibo que se declara en este acto, de acuerdo a lo dispuesto en la letra b) del Art. 4, y la letra c) ' +
  'del Art. 5 de la Ley 19.983, acredita que la entrega de mercaderias o servicio(s) prestado(s) ha(n) sido recibido(s).'

export type Recibo = AnsweredDte & {
  /** Where the goods or services were received. */
  readonly place: string
  /** RUT of the person who signs. */
  readonly firma_rut: string
  readonly tmst_firma: string
}

export type EnvioRecibos = Omit<Respuesta, 'number'>

/** "The goods arrived" (Ley 19.983): each receipt is signed alone, and then the set. */
export async function buildEnvioRecibos(
  envio: EnvioRecibos,
  recibos: readonly Recibo[],
  signer: Signer,
): Promise<Outcome<string, FormRule>> {
  const form = new Form()
  form.count('recibos', recibos.length, 1, 1000)
  const caratula =
    `<Caratula version="1.0">${form.rut('RutResponde', envio.responde_rut, 'responde_rut')}` +
    `${form.rut('RutRecibe', envio.recibe_rut, 'recibe_rut')}${writeContact(envio.contact, form)}` +
    `${form.timestamp('TmstFirmaEnv', envio.tmst_firma, 'tmst_firma')}</Caratula>`
  const written = form.outcome(recibos.map((recibo, index) => writeRecibo(recibo, `recibos[${index}]`, form)))
  if (!written.ok) return written
  const signed = await Promise.all(written.value.map((recibo) => signAlone(recibo, signer)))
  const content = [
    piece(`\n${caratula}\n`),
    ...signed.flatMap((recibo) => [pasteOwn(recibo, 'Recibo') ?? piece(recibo), piece('\n')]),
  ]
  const schema = 'EnvioRecibos_v10.xsd'
  return accept(
    await signEnvelope({ root: 'EnvioRecibos', schema, body: 'SetRecibos', id: 'SetRecibos', content }, signer),
  )
}

function writeRecibo(recibo: Recibo, path: string, form: Form): Alone {
  const id = `R${recibo.tipo_dte}F${recibo.folio}`
  const xml =
    `<DocumentoRecibo ID="${id}">${writeAnswered(recibo, 'TipoDoc', path, form)}` +
    form.text('Recinto', recibo.place, 80, `${path}.place`) +
    form.rut('RutFirma', recibo.firma_rut, `${path}.firma_rut`) +
    textElement('Declaracion', RECIBO_DECLARATION) +
    `${form.timestamp('TmstFirmaRecibo', recibo.tmst_firma, `${path}.tmst_firma`)}</DocumentoRecibo>`
  return { container: 'Recibo', body: 'DocumentoRecibo', id, xml }
}
