import { drift, SiiFailure } from '../failure.ts'
import { loneAlert } from '../portal/alerts.ts'
import { acting, factsOf, looking } from '../portal/effects.ts'
import { decodeEntities } from '../portal/entities.ts'
import { fold } from '../portal/fold.ts'
import type { PageAnswer } from '../portal/judge.ts'
import { type Form, formNamed } from '../portal/page.ts'
import type { Sessions } from '../portal/sessions.ts'
import type { Wire } from '../wire.ts'
import { inCompany, type SfgCaller, type SfgDoor, sfgRefusal } from './door.ts'
import { beyondForm, formFields, type SfgDocument } from './form.ts'
import { findIssued, type SfgEntry } from './lists.ts'
import { readPlainDte, requireSame } from './plain.ts'
import { type Signed, signCentrally } from './sign.ts'

export interface SfgOrder extends SfgCaller {
  readonly document: SfgDocument
  /** Of the certificate that the person stored at the SII, not of the one that opens the session. */
  readonly password: string
  /**
   * Told what the SII signed, before it is sent: whoever keeps it can find out afterwards whether it was issued, however
   * the sending ended. Nothing is sent unless it returns.
   */
  readonly onSigned?: ((signed: SfgSigned) => Promise<void>) | undefined
}

/** Signed by the SII and not issued yet: the folio is a proposal until the document is sent. */
export interface SfgSigned {
  readonly folio: number
  readonly xml: string
}

export interface SfgIssued {
  /** Given by the SII. */
  readonly folio: number
  /** The DTE as the SII signed it. */
  readonly xml: string
  /** How the list of issued documents shows it: the evidence that it exists. */
  readonly entry: SfgEntry
}

/** It was sent, and the list does not show it, or could not be read. Look for `folio` before sending it again. */
export class SfgUncertain extends SiiFailure {
  readonly folio: number

  constructor(failure: SiiFailure, folio: number) {
    // A lost session must not begin the flow again: it would issue the document twice.
    super(failure, { ...factsOf(failure), sent: true, token_refused: false })
    this.name = 'SfgUncertain'
    this.folio = folio
  }
}

/** How a page may say that it emitted: what it really says is in no source (UNVERIFIED.sfg_sent_page). */
const SENT = /(?<!no |no fue |no ha sido |no pudo ser )(enviad|emitid|recibid|recepcionad)[oa]s?\b|exito/

/** Issues a document in the free invoicing system (PROTOCOLS 15). The last step emits; those before it change nothing. */
export async function issueInSfg(wire: Wire, sessions: Sessions, order: SfgOrder): Promise<SfgIssued> {
  const fault = beyondForm(order.document)
  if (fault !== null) {
    const { facts } = sfgRefusal('beyond_the_form', fault)
    throw new SiiFailure({ service: 'mipyme', operation: 'mipeGenFacEx.cgi', ambiente: order.ambiente }, facts)
  }
  return inCompany(wire, sessions, order, async (door) => {
    const signed = await looking(async () => signCentrally(door, order, await prepare(door, order)))
    const { folio } = signed.plain
    await order.onSigned?.({ folio, xml: signed.xml })
    const alert = await uncertain(folio, () => acting(() => send(door, signed, order)))
    // Whatever the list does not answer, the document may be there.
    const entry = await uncertain(folio, () => acting(() => findIssued(door, signed.plain)), true)
    if (entry !== null) return { folio, xml: signed.xml, entry }
    // Its words may also say that all went well, and the list be late: only others are a refusal.
    if (alert === null || SENT.test(fold(alert))) throw new SfgUncertain(notShown(order, null), folio)
    throw notShown(order, alert)
  })
}

async function uncertain<T>(folio: number, step: () => Promise<T>, was_sent = false): Promise<T> {
  try {
    return await step()
  } catch (failure) {
    throw failure instanceof SiiFailure && (was_sent || failure.sent) ? new SfgUncertain(failure, folio) : failure
  }
}

/** The form, its preview and the page that asks for the signature: the DTE that the SII made of it. */
async function prepare(door: SfgDoor, { rut, document }: SfgOrder): Promise<{ form: Form; xml: string }> {
  const template = document.tipo_dte === 61 ? 'TIPO_PLANTILLA=NC_BLANCO&' : ''
  const fields = await door.step(
    'mipeGenFacEx.cgi',
    `${template}PTDC_CODIGO=${document.tipo_dte}`,
    null,
    ({ page }) => {
      const form = page.forms.find((one) => one.fields.has('EFXP_RUT_RECEP'))
      if (form === undefined) throw refusedOr(page, 'EFXP_RUT_RECEP')
      return { value: formFields(page, form, document) }
    },
  )
  const preview = await door.step('mipeDisplayPreView.cgi', '', fields, ({ page }) => {
    const form = formNamed(page, 'PreViewDTE')
    if (form === null) throw refusedOr(page, 'form PreViewDTE')
    return { value: form.fields }
  })
  return door.step('mipeGenXMLFirma.cgi', '', preview, ({ page }) => {
    const form = formNamed(page, 'frmSign')
    const text = form?.fields.get('txtPlainText')
    if (form === null || text === undefined) throw refusedOr(page, 'txtPlainText')
    // The area holds XML as it is; a page that escaped it, as HTML would have it, is read as well.
    const xml = (text.trimStart().startsWith('&lt;') ? decodeEntities(text) : text).trim()
    requireSame(readPlainDte(xml), rut, document)
    return { value: { form, xml } }
  })
}

/** Emits. What it answers is unverified: an alert is kept, and the list of issued documents decides. */
function send(door: SfgDoor, signed: Signed, { password }: SfgOrder): Promise<string | null> {
  const fields = new Map([...signed.form.fields, ...signed.fields, ['clave', password]])
  const read = ({ page }: PageAnswer) => {
    if (formNamed(page, 'frmSign') !== null && loneAlert(page.alerts) === null) throw drift('result of mipeSendXML.cgi')
    return { value: loneAlert(page.alerts) }
  }
  return door.step('mipeSendXML.cgi', '', fields, read, { secrets: signed.secrets })
}

function notShown({ ambiente }: SfgOrder, alert: string | null): SiiFailure {
  const { facts } = alert === null ? drift('the document in mipeAdminDocsEmi.cgi') : sfgRefusal('send_refused', alert)
  return new SiiFailure({ service: 'mipyme', operation: 'mipeSendXML.cgi', ambiente }, facts)
}

function refusedOr(page: PageAnswer['page'], what: string) {
  const alert = loneAlert(page.alerts)
  return alert === null ? drift(what) : sfgRefusal('form_refused', alert)
}
