import { type Alone, type Piece, pasteForeign, pasteOwn, piece, signAlone, signEnvelope } from '../envelope/sign.ts'
import { type Contact, writeContact } from '../exchange/intercambio.ts'
import { accept, type Outcome, refuse } from '../refusal.ts'
import type { Signer } from '../signature/sign.ts'
import { Form, type FormRule } from '../xml/form.ts'
import { type CededDte, readAec, readCededDte } from './read.ts'

/** Archivo Electrónico de Cesión (AEC_v10.xsd; SII, Registro de Transferencia de Créditos). */
export interface Party {
  readonly rut: string
  readonly legal_name: string
  readonly street: string
  readonly email: string
}

export interface Cesion {
  readonly cedente: Party
  /** The person who signs, who must be one the cedente authorised. */
  readonly authorised: { readonly rut: string; readonly name: string }
  readonly cesionario: Party
  readonly amount: number
  readonly last_due_date: string
  readonly conditions?: string
  readonly debtor_email?: string
  /** Sworn statement; written for you when there is no electronic receipt and you give none. */
  readonly declaration?: string
  readonly contact?: Contact
  /** Local time of Santiago; one instant serves the three layers. */
  readonly tmst_firma: string
}

export type CesionRule =
  | FormRule
  | 'not_a_dte'
  | 'not_an_aec'
  | 'not_cedible'
  | 'not_the_holder'
  | 'too_much'
  | 'due_before_issue'
  | 'signer_not_authorised'

type CesionForm = Form<Exclude<CesionRule, FormRule>>

export interface FirstCesion extends Cesion {
  /** The signed `DTE`, its characters as emitted. */
  readonly dte: string
  /** Signed `Recibo` elements, when the receipt is electronic. */
  readonly recibos?: readonly string[]
}

/** The first time a factura is ceded: by its emisor. */
export async function cedeDte(cesion: FirstCesion, signer: Signer): Promise<Outcome<string, CesionRule>> {
  const ceded = readCededDte(cesion.dte)
  if (!ceded.ok) return ceded
  const recibos = cesion.recibos ?? []
  const written = writeCesion(cesion, ceded.value, {
    number: 1,
    holder: ceded.value.emisor_rut,
    with_recibo: recibos.length > 0,
  })
  if (!written.ok) return written
  const document = await signDteCedido(cesion, recibos, signer)
  if (!document.ok) return document
  return signAec(cesion, [document.value], written.value, signer)
}

/** A later one: by whoever holds the credit now. Everything signed before goes in again, untouched. */
export async function cedeAgain(
  previous: Uint8Array,
  cesion: Cesion,
  signer: Signer,
): Promise<Outcome<string, CesionRule>> {
  const read = readAec(previous)
  if (!read.ok) return read
  const { ceded, holder, cesiones, has_recibo, pasted } = read.value
  const written = writeCesion(cesion, ceded, { number: cesiones + 1, holder, with_recibo: has_recibo })
  return written.ok ? signAec(cesion, pasted, written.value, signer) : written
}

async function signDteCedido(
  cesion: FirstCesion,
  recibos: readonly string[],
  signer: Signer,
): Promise<Outcome<Piece, CesionRule>> {
  const id = 'DTECedido'
  const dte = cesion.dte.replace(/^\s*<\?xml\s[^>]*\?>\s*/, '')
  const xml = `<DocumentoDTECedido ID="${id}">\n${[dte, ...recibos].join('\n')}\n<TmstFirma>${cesion.tmst_firma}</TmstFirma></DocumentoDTECedido>`
  const canonical = pasteForeign(xml, '')
  if (!canonical.ok) return refuse('not_a_dte', canonical.refusal.message)
  const alone: Alone = {
    container: 'DTECedido',
    body: 'DocumentoDTECedido',
    id,
    xml,
    canonical: canonical.value.canonical.join(''),
  }
  const pasted = pasteForeign(await signAlone(alone, signer))
  return pasted.ok ? pasted : refuse('not_a_dte', pasted.refusal.message)
}

interface Turn {
  readonly number: number
  /** RUT of the one who may cede now. */
  readonly holder: string
  readonly with_recibo: boolean
}

function writeCesion(cesion: Cesion, ceded: CededDte, turn: Turn): Outcome<Alone, CesionRule> {
  const form: CesionForm = new Form()
  refuseByRegister(cesion, ceded, turn, form)
  const declaration = cesion.declaration ?? (turn.with_recibo ? undefined : swornStatement(cesion, ceded))
  const { rut, name } = cesion.authorised
  const id = `Cesion${turn.number}`
  const xml =
    `<DocumentoCesion ID="${id}"><SeqCesion>${turn.number}</SeqCesion>${writeIdDte(ceded, form)}` +
    `<Cedente>${writeParty(cesion.cedente, 'cedente', form)}<RUTAutorizado>${form.rut('RUT', rut, 'authorised.rut')}` +
    `${form.text('Nombre', name, 40, 'authorised.name')}</RUTAutorizado>` +
    `${form.text('DeclaracionJurada', declaration, 512, 'declaration')}</Cedente>` +
    `<Cesionario>${writeParty(cesion.cesionario, 'cesionario', form)}</Cesionario>` +
    form.integer('MontoCesion', cesion.amount, 'amount', 1) +
    form.date('UltimoVencimiento', cesion.last_due_date, 'last_due_date') +
    form.text('OtrasCondiciones', cesion.conditions, 512, 'conditions') +
    form.text('eMailDeudor', cesion.debtor_email, 80, 'debtor_email') +
    `${form.timestamp('TmstCesion', cesion.tmst_firma, 'tmst_firma')}</DocumentoCesion>`
  return form.outcome({ container: 'Cesion', body: 'DocumentoCesion', id, xml })
}

/** What the register checks before it takes a cesión; better refused here than two days later. */
function refuseByRegister(cesion: Cesion, ceded: CededDte, { holder }: Turn, form: CesionForm): void {
  if (cesion.cedente.rut !== holder) form.refuse('cedente.rut', 'not_the_holder', `The credit belongs to ${holder}.`)
  if (cesion.amount > ceded.total) form.refuse('amount', 'too_much', `The document is worth ${ceded.total}.`)
  if (cesion.last_due_date < ceded.issue_date) {
    form.refuse('last_due_date', 'due_before_issue', `The document was issued on ${ceded.issue_date}.`)
  }
}

function writeIdDte(ceded: CededDte, form: CesionForm): string {
  return (
    `<IdDTE><TipoDTE>${ceded.tipo_dte}</TipoDTE>${form.rut('RUTEmisor', ceded.emisor_rut, 'dte')}` +
    form.rut('RUTReceptor', ceded.receptor_rut, 'dte') +
    form.integer('Folio', ceded.folio, 'dte', 1) +
    form.date('FchEmis', ceded.issue_date, 'dte') +
    `${form.integer('MntTotal', ceded.total, 'dte')}</IdDTE>`
  )
}

function writeParty(party: Party, path: string, form: CesionForm): string {
  return (
    form.rut('RUT', party.rut, `${path}.rut`) +
    form.text('RazonSocial', party.legal_name, 100, `${path}.legal_name`) +
    form.text('Direccion', party.street, 80, `${path}.street`, 5) +
    form.text('eMail', party.email, 80, `${path}.email`, 6)
  )
}

/** The wording that the register's instructions suggest, about the receipts of Ley 19.983. */
function swornStatement({ cedente, cesionario }: Cesion, { receptor_name, receptor_rut }: CededDte): string {
  return (
    `Se declara bajo juramento que ${cedente.legal_name}, RUT ${cedente.rut}, ha puesto a disposición del cesionario ` +
    `${cesionario.legal_name}, RUT ${cesionario.rut}, el o los documentos donde constan los recibos de las mercaderías ` +
    `entregadas o servicios prestados, entregados por parte del deudor de la factura ${receptor_name}, ` +
    `RUT ${receptor_rut}, de acuerdo a lo establecido en la Ley N° 19.983.`
  )
}

async function signAec(
  cesion: Cesion,
  pasted: readonly Piece[],
  unsigned: Alone,
  signer: Signer,
): Promise<Outcome<string, CesionRule>> {
  if (signer.rut !== cesion.authorised.rut) {
    return refuse('signer_not_authorised', `The certificate is of ${signer.rut ?? 'nobody'}.`, 'authorised.rut')
  }
  const form: CesionForm = new Form()
  const caratula =
    `<Caratula version="1.0">${form.rut('RutCedente', cesion.cedente.rut, 'cedente.rut')}` +
    `${form.rut('RutCesionario', cesion.cesionario.rut, 'cesionario.rut')}${writeContact(cesion.contact, form)}` +
    `${form.timestamp('TmstFirmaEnvio', cesion.tmst_firma, 'tmst_firma')}</Caratula>`
  const checked = form.outcome(caratula)
  if (!checked.ok) return checked
  const written = await signAlone(unsigned, signer)
  const last = pasteOwn(written, 'Cesion') ?? piece(written)
  const inside = [...pasted, last].flatMap((part) => [part, piece('\n')])
  const content = [piece(`\n${checked.value}\n<Cesiones>\n`), ...inside, piece('</Cesiones>\n')]
  return accept(
    await signEnvelope({ root: 'AEC', schema: 'AEC_v10.xsd', body: 'DocumentoAEC', id: 'AEC', content }, signer),
  )
}
