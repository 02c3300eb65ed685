import { longDate, pesos as printedPesos, printedRut } from '@timbre/dte/values'
import { SECTIONS, type Section } from '../domain/tax/f29/form.ts'
import type { F29Proposal } from '../domain/tax/f29/schema.ts'
import type { SharedProposal } from '../domain/tax/f29/share.ts'
import type { RcvRow } from '../domain/tax/rcv/row.ts'
import type { Answer } from '../kernel/answer.ts'
import { SECTION_TITLES, STALE_TEXT, STATUS_TEXTS, WARNING_TEXTS } from './f29-copy.ts'
import { type Html, html } from './html.ts'
import { pageAnswer } from './layout.ts'

// For an accountant who knows the form by heart: its blocks and codes in its order, each with the documents behind it,
// no script, and one or two pages on paper.

type Code = F29Proposal['codes'][number]

/** A line never breaks between an amount and its sign. */
const pesos = (amount: number) => printedPesos(amount).replace(' ', '\u00a0')
const count = (many: number, one: string, more: string) => `${many.toLocaleString('es-CL')} ${many === 1 ? one : more}`

const MONTHS = [
  ...['enero', 'febrero', 'marzo', 'abril', 'mayo', 'junio'],
  ...['julio', 'agosto', 'septiembre', 'octubre', 'noviembre', 'diciembre'],
]

function monthOf(period: string): string {
  const [year, month] = period.split('-')
  return `${MONTHS[Number(month) - 1]} de ${year}`
}

function printedAmount({ amount, rate, sign, kind }: Code): string {
  if (kind === 'rate') return rate === null ? 'sin tasa' : `${String(rate).replace('.', ',')}\u00a0%`
  return `${sign === '-' && amount ? '−\u00a0' : ''}${pesos(amount ?? 0)}`
}

/** Columns that a table only has where some entry fills them. */
interface Columns {
  readonly exempt: boolean
  readonly other_taxes: boolean
}

function entryOf(row: RcvRow, { exempt, other_taxes }: Columns): Html {
  const { tipo_doc, folio, documents, issue_date, ...entry } = row
  const taxes = entry.other_taxes.reduce((sum, { amount }) => sum + amount, 0)
  const { counterparty_name, counterparty_rut } = entry
  const iva = entry.iva + entry.iva_not_recoverable + entry.iva_common_use
  return html`<tr>
<td>${tipo_doc}${folio !== null && ` · ${folio}`}<span class="soft">${folio === null ? count(documents, 'documento', 'documentos') : issue_date?.split('-').reverse().join('-')}</span></td>
<td>${counterparty_name?.trim() || (folio === null ? 'Resumen del mes' : 'Sin nombre')}${counterparty_rut && html`<span class="soft">${printedRut(counterparty_rut)}</span>`}</td>
<td class="num">${pesos(entry.net)}</td>${exempt && html`<td class="num">${pesos(entry.exempt)}</td>`}<td class="num">${pesos(iva)}</td>${other_taxes && html`<td class="num">${pesos(taxes)}</td>`}</tr>`
}

function entriesOf(entries: readonly RcvRow[], all: number): Html {
  const more = all - entries.length
  const exempt = entries.some((entry) => entry.exempt !== 0)
  const other_taxes = entries.some((entry) => entry.other_taxes.length > 0)
  return html`<div class="behind"><div class="table"><table>
<thead><tr><th>Documento</th><th>Contraparte</th><th class="num">Neto</th>${exempt && html`<th class="num">Exento</th>`}<th class="num">IVA</th>${other_taxes && html`<th class="num">Otros impuestos</th>`}</tr></thead>
<tbody>${entries.map((entry) => entryOf(entry, { exempt, other_taxes }))}</tbody></table></div>
${more > 0 && html`<p class="soft small">Y ${count(more, 'documento', 'documentos')} más. Estos son los de mayor monto.</p>`}</div>`
}

interface Shown {
  readonly counts: ReadonlyMap<string, Code>
  readonly behind: SharedProposal['behind']
}

/** The code that counts the documents of a line and the one with its amount share this key. */
const lineKey = ({ line, label }: Code) => `${line} ${label}`

function lineOf(code: Code, { counts, behind }: Shown): Html {
  const counted = counts.get(lineKey(code))
  const documents = counted?.amount ?? 0
  const touched = code.source === 'override'
  const notes = [
    counted && documents > 0 && `${count(documents, 'documento', 'documentos')} (código ${counted.code})`,
    touched && `Ajustado a mano: ${code.override_reason}. Calculado: ${pesos(code.computed_amount ?? 0)}`,
  ].filter(Boolean)
  const cells = html`<span class="code">${code.code}</span>
<span>${code.label}${notes.length > 0 && html`<span class="soft small">${notes.join(' · ')}</span>`}</span>
<span class="num">${printedAmount(code)}</span>`
  const nil = code.kind === 'amount' && !code.amount && code.entries === 0 && !touched
  const modifier = code.sign === '=' ? ' sum' : nil ? ' nil' : ''
  if (code.entries === 0) return html`<div class="line${modifier}">${cells}</div>`
  return html`<details><summary class="line${modifier}">${cells}</summary>${entriesOf(behind.get(code.code) ?? [], code.entries)}</details>`
}

function sectionOf(section: Section, codes: readonly Code[], facts: Shown): Html | false {
  const lines = codes.filter((code) => code.section === section && code.kind !== 'count')
  return lines.length > 0 && html`<h2>${SECTION_TITLES[section]}</h2>${lines.map((code) => lineOf(code, facts))}`
}

function figuresOf({ codes, total, total_due, remanente }: F29Proposal): Html {
  const at = (code: number) => codes.find((one) => one.code === code)?.amount ?? 0
  return html`<dl class="figures">
<div class="main"><dt>${total_due === total ? 'Total a pagar' : 'Total a pagar con recargo'}</dt><dd class="num">${pesos(total_due)}</dd></div>
<div><dt>Débitos</dt><dd class="num">${pesos(at(538))}</dd></div>
<div><dt>Créditos</dt><dd class="num">${pesos(at(537))}</dd></div>
<div><dt>${remanente > 0 ? 'Remanente' : 'IVA determinado'}</dt><dd class="num">${pesos(remanente > 0 ? remanente : at(89))}</dd></div>
</dl>`
}

function warningsOf({ warnings, stale }: F29Proposal): Html | false {
  return (
    (stale || warnings.length > 0) &&
    html`<div class="note"><ul>${stale && html`<li>${STALE_TEXT}</li>`}${warnings.map(
      ({ code, count: many, amount, concerns }) =>
        html`<li>${WARNING_TEXTS[code]({ count: many, amount: pesos(amount ?? 0), concerns })}</li>`,
    )}</ul></div>`
  )
}

function differencesOf({ differences, codes }: F29Proposal): Html | false {
  const nameOf = (code: number) => codes.find((one) => one.code === code)?.label ?? ''
  return (
    differences.length > 0 &&
    html`<h2>Distinto de lo que propone el SII</h2>
<div class="table"><table><thead><tr><th>Código</th><th>Línea</th><th>Aquí</th><th>SII</th></tr></thead>
<tbody>${differences.map(
      ({ code, ours, sii }) =>
        html`<tr><td>${code}</td><td>${nameOf(code)}</td><td class="num">${ours.toLocaleString('es-CL')}</td><td class="num">${sii.toLocaleString('es-CL')}</td></tr>`,
    )}</tbody></table></div>`
  )
}

function changesOf({ changes_since_filing, codes }: F29Proposal): Html | false {
  const nameOf = (code: number) => codes.find((one) => one.code === code)?.label ?? ''
  const number = (value: number | null) => (value ?? 0).toLocaleString('es-CL')
  return (
    changes_since_filing.length > 0 &&
    html`<h2>Distinto de lo que se declaró</h2>
<div class="table"><table><thead><tr><th>Código</th><th>Línea</th><th class="num">Declarado</th><th class="num">Ahora</th></tr></thead>
<tbody>${changes_since_filing.map(
      ({ code, before, after }) =>
        html`<tr><td>${code}</td><td>${nameOf(code)}</td><td class="num">${number(before)}</td><td class="num">${number(after)}</td></tr>`,
    )}</tbody></table></div>`
  )
}

export function f29Page({ empresa, proposal, behind }: SharedProposal, watermark: string | null): Answer {
  const { codes, period, due_date, status } = proposal
  const counts = new Map(codes.filter(({ kind }) => kind === 'count').map((code) => [lineKey(code), code]))
  const title = `Formulario 29 de ${monthOf(period)}`
  const { tone, says } = STATUS_TEXTS[proposal.changes_since_filing.length > 0 ? 'changed' : status]
  const body = html`${watermark !== null && html`<div class="note"><p><strong>${watermark}.</strong> Son datos de prueba: no llegaron al SII y no sirven para declarar.</p></div>`}
<h1>${title}</h1>
<p class="lead">${empresa.legal_name}, RUT ${printedRut(empresa.rut)}. ${proposal.warnings.some(({ code }) => code === 'late' || code === 'surcharge_unknown') ? 'Venció' : 'Vence'} el ${longDate(due_date)}.</p>
<p class="state ${tone}">${says}</p>
${figuresOf(proposal)}
${warningsOf(proposal)}
<div class="form">
${SECTIONS.map((section) => sectionOf(section, codes, { counts, behind }))}
${changesOf(proposal)}
${differencesOf(proposal)}
</div>`
  const footer = html`<span>Quien tiene este enlace puede ver estas cifras: compártelo con cuidado.</span>`
  return pageAnswer({ title, lang: 'es-CL', narrow: true, body, footer })
}
