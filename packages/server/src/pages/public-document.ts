import { priceDraft } from '@timbre/dte/draft'
import { ANONYMOUS_RUT, decimal, longDate, pesos as printedPesos, printedRut, tipo } from '@timbre/dte/values'
import type { DocumentStatus } from '../domain/issuing/document/schema.ts'
import type { DocumentRow } from '../domain/issuing/document/show.ts'
import type { Answer } from '../kernel/answer.ts'
import { type Html, html } from './html.ts'
import { asPrivate, pageAnswer } from './layout.ts'

// Read by whoever got an invoice: Chilean Spanish, a phone first, no script, and it prints well.

export interface SharedDocument {
  readonly document: DocumentRow
  /** Whether there is a PDF and an XML to download. */
  readonly signed: boolean
  readonly cedible: boolean
  /** The address of this very page. */
  readonly path: string
  /** What it says across the page of a document without tax effect; null of a real one. */
  readonly watermark: string | null
}

const SHOWN_LINES = 30

/** An amount is never parted from its sign by the end of a line. */
const pesos = (amount: number) => printedPesos(amount).replace(' ', '\u00a0')

type Tone = 'good' | 'wait' | 'bad'

/** Each status in words that need no knowledge of tax law. `sii` is who decided: the SII, or the sandbox's. */
const STATUS: Readonly<Record<DocumentStatus, { tone: Tone; says: (sii: string) => string }>> = {
  queued: { tone: 'wait', says: () => 'Se está emitiendo. Vuelve a mirar en unos segundos.' },
  sent: { tone: 'wait', says: (sii) => `Emitido y enviado. Falta que ${sii} lo confirme.` },
  accepted: { tone: 'good', says: (sii) => `Aceptado por ${sii}.` },
  reparo: { tone: 'good', says: (sii) => `Aceptado por ${sii} con reparos. Es válido.` },
  rejected: { tone: 'bad', says: (sii) => `Rechazado por ${sii}. No es válido.` },
  annulled: { tone: 'bad', says: () => 'Anulado con una nota de crédito. Ya no es válido.' },
  failed: { tone: 'bad', says: () => 'No se pudo emitir. Quien te lo envió puede intentarlo de nuevo.' },
}

function noticeOf({ watermark }: SharedDocument): Html | null {
  if (watermark === null) return null
  return html`<div class="note"><p><strong>${watermark}.</strong> Es un documento de prueba: no tiene efecto ante el SII y no sirve
para pagar, cobrar ni declarar.</p></div>`
}

function partiesOf({ draft, tipo_dte, folio, issue_date, due_date }: DocumentRow): Html {
  const { emisor, receptor } = draft
  const due = draft.payment?.due_date ?? due_date
  const { street, comuna } = emisor.address ?? {}
  const named = receptor.rut !== ANONYMOUS_RUT || receptor.legal_name !== undefined
  return html`<div class="head"><div>
<p class="from">${emisor.legal_name}</p>
<p class="soft small">${emisor.giro}${emisor.giro && html`<br>`}${[street, comuna].filter(Boolean).join(', ')}</p>
</div>
<div class="stamp"><span>R.U.T.: ${printedRut(emisor.rut)}</span><span>${tipo(tipo_dte).printed_name}</span><span>N° ${folio ?? 'por asignar'}</span></div></div>
<dl class="facts">
<dt>Fecha</dt><dd>${longDate(issue_date)}</dd>
${due && html`<dt>Vence</dt><dd>${longDate(due)}</dd>`}
${
  named &&
  html`<dt>Para</dt><dd>${receptor.legal_name ?? 'Sin nombre'}${receptor.rut !== ANONYMOUS_RUT && html`<br><span class="soft">RUT ${printedRut(receptor.rut)}</span>`}</dd>`
}
</dl>`
}

type PricedItem = ReturnType<typeof priceDraft>['items'][number]

/** How many, of what, at which price, and what was taken off or put on: what the amount of a line is made of. */
function madeOf({ quantity, unit, unit_price, discount_amount, surcharge_amount }: PricedItem): string {
  const many = quantity !== undefined && quantity !== 1 ? `${decimal(quantity)}${unit ? ` ${unit}` : ''}` : ''
  const each = unit_price === undefined ? '' : `$\u00a0${decimal(unit_price)}${many && ' c/u'}`
  const parts = [
    [many, each].filter(Boolean).join(' × '),
    discount_amount ? `descuento ${pesos(-discount_amount)}` : '',
    surcharge_amount ? `recargo ${pesos(surcharge_amount)}` : '',
  ]
  return parts.filter(Boolean).join(', ')
}

function linesOf({ draft }: DocumentRow): Html {
  const { items } = priceDraft(draft)
  const more = items.length - SHOWN_LINES
  const lines = items.slice(0, SHOWN_LINES).map((item) => {
    const made_of = madeOf(item)
    return html`<li><span>${item.description}${made_of && html`<br><span class="soft small">${made_of}</span>`}</span><span class="num">${pesos(item.amount)}</span></li>`
  })
  return html`<ul class="lines">${lines}</ul>
${more > 0 && html`<p class="soft small">Y ${more === 1 ? 'una línea' : `${more} líneas`} más, en el PDF.</p>`}`
}

function adjustmentLabel(
  name: string,
  { percent, reason }: { percent?: number | undefined; reason?: string | undefined },
) {
  return `${name}${percent === undefined ? '' : ` ${decimal(percent)} %`}${reason ? `: ${reason}` : ''}`
}

function totalsOf({ draft, net, iva, exempt, total }: DocumentRow): Html {
  const others = total - net - iva - exempt
  const { discounts = [], surcharges = [] } = priceDraft(draft)
  const rows: [string, number][] = [
    ...discounts.map((one): [string, number] => [adjustmentLabel('Descuento', one), -one.applied]),
    ...surcharges.map((one): [string, number] => [adjustmentLabel('Recargo', one), one.applied]),
    ['Neto', net],
    ['Exento', exempt],
    ['IVA', iva],
    ['Otros impuestos y ajustes', others],
  ]
  const shown = rows.filter(([, amount]) => amount !== 0)
  return html`<dl class="totals">
${shown.map(([label, amount]) => html`<div><dt>${label}</dt><dd class="num">${pesos(amount)}</dd></div>`)}
<div class="total"><dt>Total</dt><dd class="num">${pesos(total)}</dd></div>
</dl>`
}

/** What is left to do with one that is worth nothing: it comes before the document itself. */
const REMEDIES: Partial<Record<DocumentStatus, (emisor: string) => Html>> = {
  rejected: (emisor) => html`<h2>Qué hacer</h2>
<ol><li>Avísale a ${emisor} que el SII rechazó este documento y pídele uno nuevo.</li>
<li>No lo pagues ni lo uses como respaldo mientras no tengas el nuevo.</li>
<li>Si ya lo pagaste, guarda el comprobante: el nuevo documento debe ser por esa misma compra.</li></ol>`,
  annulled: (emisor) => html`<h2>Qué hacer</h2>
<ol><li>Si lo tenías por pagar, ya no lo pagues.</li>
<li>Si ya lo pagaste o no sabes por qué se anuló, pregúntale a ${emisor} y pídele la nota de crédito.</li></ol>`,
}

/** The PDF first, of a document that counts. Of one that does not, it can still be looked at, and no button invites to. */
function actionsOf({ signed, path, document }: SharedDocument): Html | false {
  if (!signed) return false
  if (REMEDIES[document.status])
    return html`<p class="soft small">Para tus archivos: <a href="${path}/pdf">ver el PDF</a>, <a href="${path}/pdf?descargar=1">descargar el PDF</a> o <a href="${path}/xml">descargar el XML</a> de este documento que no es válido.</p>`
  return html`<p class="actions"><a class="button" href="${path}/pdf">Ver PDF</a>
<a class="button quiet" href="${path}/pdf?descargar=1">Descargar PDF</a>
<a class="button quiet" href="${path}/xml">Descargar XML</a></p>`
}

function howToVerify({ document: { tipo_dte, folio }, watermark }: SharedDocument): Html | false {
  const { family, name } = tipo(tipo_dte)
  const menu = family === 'boleta' ? 'consulta de boletas electrónicas' : 'consulta de validez de documentos'
  return (
    watermark === null &&
    folio !== null &&
    html`<h2>¿Cómo lo verifico?</h2>
<p>En www.sii.cl, busca la ${menu} y escribe los datos que ves aquí: el RUT de quien lo emite, el
tipo (${name}), el número ${folio}, la fecha y el total.</p>`
  )
}

export function publicDocumentPage(shared: SharedDocument): Answer {
  const { document, cedible } = shared
  const { tone, says } = STATUS[document.status]
  const sii = shared.watermark === null ? 'el SII' : 'el SII de prueba'
  const remedy = REMEDIES[document.status]?.(document.draft.emisor.legal_name)
  const name = tipo(document.tipo_dte).name
  const title = document.folio === null ? name : `${name} N° ${document.folio}`
  const body = html`${noticeOf(shared)}
<h1>${title}</h1>
<p class="lead">De ${document.draft.emisor.legal_name}, por ${pesos(document.total)}${cedible && '. Copia cedible'}.</p>
<p class="state ${tone}">${says(sii)}</p>
${remedy}
${!remedy && actionsOf(shared)}
<article class="paper">
${partiesOf(document)}
${linesOf(document)}
${totalsOf(document)}
</article>
${remedy ? actionsOf(shared) : howToVerify(shared)}`
  const footer = html`<span>Quien tiene este enlace puede ver el documento: compártelo con cuidado.</span>`
  return asPrivate(pageAnswer({ title, lang: 'es-CL', narrow: true, body, footer }))
}
