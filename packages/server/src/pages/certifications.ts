import { printedRut } from '@timbre/dte/values'
import type { CertificationUnderWay } from '../domain/issuing/certification/operator/schema.ts'
import { STEP_COPY } from '../domain/platform/onboarding/copy.ts'
import { isStepKey } from '../domain/platform/onboarding/lanes.ts'
import type { OperatorAct } from '../domain/platform/onboarding/operator/under-way.ts'
import { CERTIFICATION_STEPS, WAITS_FOR } from '../domain/platform/onboarding/operator/waits-for.ts'
import { dayAndHour } from '../domain/platform/subscription/copy.ts'
import type { Answer } from '../kernel/answer.ts'
import { type Html, html, type Piece, trusted } from './html.ts'
import { asPrivate, pageAnswer } from './layout.ts'
import { BUTTONS, FILE_STATES, FILES, ROLES, WAITS } from './operator-copy.ts'

export const CERTIFICATIONS_PATH = '/operador/certificaciones'

/** What the list is narrowed to; sent along with every act, so that whoever acts comes back to it. */
export interface CertificationFilters {
  readonly step?: string
  readonly waits_for?: string
  readonly rut?: string
}

export interface CertificationsView {
  /** Who is signed in. */
  readonly name: string
  readonly data: readonly CertificationUnderWay[]
  readonly next_cursor: string | null
  readonly filters: CertificationFilters
  readonly notice?: { readonly text: string; readonly status: number } | undefined
}

const at = (instant: string) => html`<time datetime="${instant}">${dayAndHour(new Date(instant))}</time>`
const stepName = (step: string) => (isStepKey(step) ? STEP_COPY[step].label : step)

/** The address of a list under its filters. */
export function certificationsAddress(
  filters: CertificationFilters,
  more: Readonly<Record<string, string>> = {},
): string {
  const query = new URLSearchParams({ ...filters, ...more }).toString()
  return query === '' ? CERTIFICATIONS_PATH : `${CERTIFICATIONS_PATH}?${query}`
}

function waitsText({ waits_for, role, status, taken_by }: CertificationUnderWay): string {
  if (waits_for === 'operator' && taken_by) return `Lo tiene ${taken_by}`
  if (waits_for === 'operator' && status === 'failed') return 'Falló: lo tiene que ver una persona nuestra'
  if (waits_for === 'customer' && role) return `Espera la decisión de su ${ROLES[role]}`
  if (waits_for === 'customer') return 'Espera al contribuyente: sabe qué falta y pedirá otro intento'
  return `Espera a: ${WAITS[waits_for].toLowerCase().replace('sii', 'SII')}`
}

const TONES: Readonly<Record<CertificationUnderWay['waits_for'], string>> = {
  operator: 'bad',
  input: 'wait',
  customer: 'wait',
  service: 'good',
  sii: 'good',
}

const fact = (label: string, value: Piece) =>
  value !== null && value !== '' && value !== false && html`<dt>${label}</dt><dd>${value}</dd>`

const foliosText = ({ tipo_dte, first, last }: CertificationUnderWay['folios'][number]) =>
  `${tipo_dte}: ${first === last ? first : `${first} a ${last}`}`

function factsOf(one: CertificationUnderWay): Html {
  const { account, doc_types, since, words, said_at, next_look_at, why, taken_by, taken_at, blocked_reason } = one
  return html`<dl class="facts">
${fact('Cuenta', `${account.name} (${account.id})`)}
${fact('Documentos', doc_types.join(', '))}
${fact('Desde', at(since))}
${fact('Por qué está aquí', why)}
${fact('A cargo', taken_by && html`${taken_by}${taken_at && html`, desde el ${at(taken_at)}`}`)}
${fact('Qué lo detiene', blocked_reason?.message ?? null)}
${fact('Dijo el SII', words && html`«${words}»${said_at && html`, el ${at(said_at)}`}`)}
${fact('Próxima consulta', next_look_at && at(next_look_at))}
${fact('Intentos', one.attempt > 0 && one.attempt)}
${fact('Folios en uso', one.folios.map(foliosText).join('; '))}
</dl>`
}

/** What the SII found in what was sent, or would find in what is to be. */
function findingsOf({ findings }: CertificationUnderWay): Html | null {
  if (findings.length === 0) return null
  return html`<details><summary>Observaciones (${findings.length})</summary>
<ul>${findings.map((finding) => html`<li>${finding}</li>`)}</ul></details>`
}

function fileLine({ empresa }: CertificationUnderWay, file: CertificationUnderWay['files'][number]): Html {
  const { id, kind, attempt, file_name, bytes, state, track_id, words } = file
  const name = `${FILES[kind]} (${file_name})`
  const link = html`<a href="${CERTIFICATIONS_PATH}/${empresa.id}/archivos/${id}">${name}</a>`
  return html`<li>${bytes > 0 ? link : name}: ${FILE_STATES[state]}${attempt > 1 && `, intento ${attempt}`}${
    track_id && `, track ID ${track_id}`
  }${words && html`. «${words}»`}</li>`
}

/** What was prepared, for whoever hands it to the SII. */
function filesOf(one: CertificationUnderWay): Html | null {
  if (one.files.length === 0) return null
  return html`<details><summary>Archivos del paso (${one.files.length})</summary>
<ul>${one.files.map((file) => fileLine(one, file))}</ul></details>`
}

/** The fields of a form that say which step it is about, as it was seen, and where to come back to. */
function about({ empresa, step, version }: CertificationUnderWay, filters: CertificationFilters): Html {
  const fields = { empresa: empresa.id, step, seen: version, ...prefixed(filters) }
  return html`${Object.entries(fields).map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)}`
}

const prefixed = (filters: CertificationFilters) =>
  Object.fromEntries(Object.entries(filters).map(([name, value]) => [`filter_${name}`, value as string]))

const PLAIN_ACTS: readonly OperatorAct[] = ['look', 'take', 'automatic', 'restart']

function actsOf(one: CertificationUnderWay, view: CertificationsView): Html | null {
  const { acts, taken_by } = one
  const other = taken_by !== null && taken_by !== view.name ? taken_by : null
  // Whoever has it acts on it; another person takes it over first.
  const own = acts.filter((act) =>
    other === null ? !(act === 'take' && taken_by === view.name) : act === 'take' || act === 'look',
  )
  if (own.length === 0) return null
  const plain = own.filter((act) => PLAIN_ACTS.includes(act))
  const label = (act: OperatorAct) => (act === 'take' && other ? `Tomarlo en lugar de ${other}` : BUTTONS[act])
  return html`${
    plain.length > 0 &&
    html`<form class="acts" method="post" action="${CERTIFICATIONS_PATH}">${about(one, view.filters)}
${other && html`<input type="hidden" name="instead_of" value="${other}">`}
${plain.map((act) => html`<button class="quiet" name="act" value="${act}">${label(act)}</button>`)}</form>`
  }
${
  own.includes('done') &&
  html`<details><summary>Lo hice: dar el paso por hecho</summary>
<form method="post" action="${CERTIFICATIONS_PATH}">${about(one, view.filters)}
<label>Qué debería saber quien lo audite (opcional) <input name="note" maxlength="500"></label>
<button name="act" value="done">${BUTTONS.done}</button></form></details>`
}
${
  own.includes('refuse') &&
  html`<details><summary>No se pudo: rechazar con un motivo</summary>
<form method="post" action="${CERTIFICATIONS_PATH}">${about(one, view.filters)}
<label>Motivo, en palabras simples: lo lee el contribuyente <input name="reason" maxlength="300" required></label>
<label>Qué más debería saber (opcional) <textarea name="details" rows="3" maxlength="1000"></textarea></label>
<button name="act" value="refuse">${BUTTONS.refuse}</button></form></details>`
}`
}

function card(one: CertificationUnderWay, view: CertificationsView): Html {
  const { empresa, step, waits_for } = one
  return html`<article class="paper certification" aria-labelledby="${empresa.id}">
<h2 class="from" id="${empresa.id}">${empresa.legal_name} <span class="soft num">${printedRut(empresa.rut)}</span></h2>
<p class="state ${TONES[waits_for]}">${stepName(step)}. ${waitsText(one)}</p>
${factsOf(one)}
${findingsOf(one)}
${filesOf(one)}
${actsOf(one, view)}
</article>`
}

const options = (entries: readonly (readonly [string, string])[], chosen = '') =>
  html`<option value="">Todos</option>${entries.map(
    ([value, label]) => html`<option value="${value}"${value === chosen && trusted(' selected')}>${label}</option>`,
  )}`

function filterForm({ filters }: CertificationsView): Html {
  const narrowed = Object.keys(filters).length > 0
  return html`<form class="filters" method="get" action="${CERTIFICATIONS_PATH}">
<label>Paso <select name="step">${options(
    CERTIFICATION_STEPS.map((key) => [key, STEP_COPY[key].label] as const),
    filters.step,
  )}</select></label>
<label>Espera a <select name="waits_for">${options(
    WAITS_FOR.map((who) => [who, WAITS[who]] as const),
    filters.waits_for,
  )}</select></label>
<label>RUT de la empresa <input name="rut" maxlength="12" value="${filters.rut ?? ''}"></label>
<button class="quiet">Filtrar</button>${narrowed && html` <a href="${CERTIFICATIONS_PATH}">Ver todas</a>`}
</form>`
}

function noticeOf({ text, status }: NonNullable<CertificationsView['notice']>): Html {
  if (status < 300) return html`<p class="state good" role="status">${text}</p>`
  return html`<div class="note" role="alert"><p>${text}</p></div>`
}

/** Every certification under way, of every account, with what can be done about each. */
export function certificationsPage(view: CertificationsView): Answer {
  const { name, data, next_cursor, filters, notice } = view
  const body = html`<h1>Certificaciones en curso</h1>
${notice && noticeOf(notice)}
<form class="acts" method="post" action="/operador/salir"><p class="soft">Entraste como ${name}.</p><button class="quiet">Salir</button></form>
${filterForm(view)}
${data.length === 0 && html`<p class="lead">No hay ninguna certificación en curso${Object.keys(filters).length > 0 && ' con estos filtros'}.</p>`}
${data.map((one) => card(one, view))}
${next_cursor && html`<p><a class="button quiet" href="${certificationsAddress(filters, { cursor: next_cursor })}">Ver las siguientes</a></p>`}`
  return asPrivate(pageAnswer({ title: 'Certificaciones en curso', lang: 'es-CL', body }, notice?.status ?? 200))
}
