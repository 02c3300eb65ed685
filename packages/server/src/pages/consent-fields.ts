import { TIPO_NUMBERS, tipo } from '@timbre/dte/values'
import { ASKED_ALWAYS } from '../catalog/always-confirmed.ts'
import { MODE_NAMES, MODES, type Mode } from '../catalog/modes.ts'
import type { Scope } from '../catalog/scopes.ts'
import {
  BUNDLE_KEYS,
  BUNDLES,
  type Bundle,
  type BundleKey,
  bundlesOf,
  scopesIn,
} from '../domain/platform/agent-grant/bundles.ts'
import { type Choices, type ConsentDraft, DAYS, fieldOf } from '../domain/platform/agent-grant/consent-form.ts'
import { SCOPE_WORDS } from '../domain/platform/agent-grant/copy.ts'
import { DAY_WORDS, MODE_CARDS } from './consent-copy.ts'
import { type Html, html } from './html.ts'

/** What the form asks about, and how it stands. */
export interface ConsentFields {
  readonly scopes: readonly Scope[]
  readonly choices: Choices
  readonly draft: ConsentDraft
}

const checked = (is: boolean) => is && html` checked`
/** What differs from what we suggest is never folded away: nothing is given that is not in plain sight. */
const opened = (is: boolean) => is && html` open`

export function modeFields({ choices, draft }: ConsentFields): Html {
  const card = (mode: Mode) => {
    const { short, says } = MODE_CARDS[mode]
    const blocked = MODES[mode].needs_verified_email && !choices.email_verified
    return html`<label class="card"><input type="radio" name="mode" value="${mode}" id="mode-${mode}"${checked(draft.mode === mode)}>
<span><strong>${short}</strong><span class="soft small">${blocked ? 'Primero confirma tu correo.' : says}</span></span></label>`
  }
  return html`<fieldset><legend>Dónde va a trabajar</legend><div class="pair">${MODE_NAMES.map(card)}</div></fieldset>`
}

/** So many are read at a glance; more are folded. */
const AT_A_GLANCE = 2

export function empresaFields({ choices, draft }: ConsentFields, mode: Mode): Html {
  const own = choices.empresas.filter((empresa) => empresa.mode === mode)
  const { none, title } = MODE_CARDS[mode]
  const row = ({ rut, legal_name }: Choices['empresas'][number]) =>
    html`<label class="row"><input type="checkbox" name="${fieldOf.empresa(mode, rut)}"${checked(draft.empresas[mode].includes(rut))}>
<span><bdi>${legal_name}</bdi> <span class="soft small num">${rut}</span></span></label>`
  const rows = own.map(row)
  return html`<fieldset class="of-${mode}"><legend>Con qué empresas <span class="soft">· ${title.toLowerCase()}</span></legend>
<div class="rows">
${own.length === 0 && html`<p class="soft small">${none}</p>`}
${
  own.length <= AT_A_GLANCE
    ? rows
    : html`<details${opened(draft.empresas[mode].length > 0)}><summary>Elegir entre ${own.length} empresas</summary><div class="list">${rows}</div></details>`
}
<label class="row"><input type="checkbox" name="${fieldOf.all(mode)}"${checked(draft.all[mode])}>
<span>Todas <span class="soft small">también las que crees después</span></span></label>
</div></fieldset>`
}

function bundleRow({ draft }: ConsentFields, key: BundleKey): Html {
  const { title, says, danger }: Bundle = BUNDLES[key]
  return html`<label class="row"><input type="checkbox" class="switch" id="bundle-${key}" name="${fieldOf.bundle(key)}"${checked(draft.bundles.includes(key))}>
<span><strong>${title}</strong><span class="soft small">${says} ${danger && html`<span class="danger">${danger}</span>`}</span></span></label>`
}

/** Each scope of a bundle that is on, for whoever wants to give less than all of it. */
function fineRows({ scopes, draft }: ConsentFields, key: BundleKey): Html[] {
  return scopesIn(key, scopes).map((scope) => {
    const { title, says, danger } = SCOPE_WORDS[scope]
    return html`<label class="row fine-${key}"><input type="checkbox" name="${fieldOf.scope(scope)}"${checked(draft.scopes.includes(scope))}>
<span><strong>${title}</strong><span class="soft small">${says}</span>${danger && html`<span class="danger small">${danger}</span>`}</span></label>`
  })
}

/** A client that asks for everything mostly wants the first two; those that set an account up follow, folded. */
function bundleRows(fields: ConsentFields, keys: readonly BundleKey[]): Html {
  const first = keys.length > 3 ? 2 : keys.length
  const [shown, more] = [keys.slice(0, first), keys.slice(first)]
  const row = (key: BundleKey) => bundleRow(fields, key)
  const any = more.some((key) => fields.draft.bundles.includes(key))
  return html`<div class="rows">${shown.map(row)}${
    more.length > 0 &&
    html`<details${opened(any)}><summary>Otros ${more.length} permisos que pide</summary><div class="more">${more.map(row)}</div></details>`
  }</div>`
}

export function scopeFields(fields: ConsentFields): Html {
  const { scopes, draft } = fields
  const keys = bundlesOf(scopes)
  return html`<fieldset><legend>Qué puede hacer</legend>${bundleRows(fields, keys)}
<details class="folded fine"${opened(draft.scopes.length < scopes.length)}><summary>Elegir permiso por permiso</summary>
<p class="soft small">De lo que activaste arriba, quita lo que no quieras dar.</p>
<div class="rows">${keys.map((key) => fineRows(fields, key))}</div></details></fieldset>`
}

/** Hides the scopes of a bundle that is off, where a browser can: they are not given, ticked or not. */
export const FINE_STYLE = BUNDLE_KEYS.map(
  (key) => `form.consent:has(#bundle-${key}:not(:checked)) .fine-${key}{display:none}\n`,
).join('')

function finerLimits({ draft }: ConsentFields): Html {
  const chip = (number: (typeof TIPO_NUMBERS)[number]) =>
    html`<label class="chip"><input type="checkbox" name="${fieldOf.tipo(number)}"${checked(draft.tipos.includes(number))}><span>${tipo(number).name.replace(' electrónica', '')}</span></label>`
  const differs = draft.tipos.length < TIPO_NUMBERS.length || draft.receptores !== '' || !draft.two_steps
  return html`<details class="folded"${opened(differs)}><summary>Tipos, receptores y confirmación</summary>
<div class="rows"><label class="row"><input type="checkbox" class="switch" name="two_steps"${checked(draft.two_steps)}>
<span><strong>Preguntar antes de cada acto que no se deshace</strong><span class="soft small">Al emitir, declarar, ceder o aceptar,
el agente te muestra en la conversación qué va a pasar y te pregunta. Tu respuesta la envía él mismo: te cuida de errores, no de un
agente que mienta. Aunque lo apagues, siempre pregunta antes de ${ASKED_ALWAYS}.</span></span></label></div>
<div class="field"><span>Tipos de documento</span><div class="chips">${TIPO_NUMBERS.map(chip)}</div></div>
<label>Solo a estos receptores <span class="soft small">Un RUT por línea. Vacío: a cualquiera.</span>
<textarea name="receptores" rows="2" maxlength="8000" placeholder="76192083-9">${draft.receptores}</textarea></label>
</details>`
}

export function limitFields(fields: ConsentFields): Html {
  const { draft } = fields
  const pesos = (name: 'max_clp_per_document' | 'max_clp_per_day', label: string) =>
    html`<label>${label}<input name="${name}" inputmode="numeric" maxlength="30" placeholder="Sin tope" value="${draft[name]}"></label>`
  return html`<fieldset><legend>Hasta cuánto <span class="soft">· en pesos</span></legend>
<div class="pair">${pesos('max_clp_per_document', 'Por documento')}${pesos('max_clp_per_day', 'Por día')}</div>
<label class="aside">El acceso vence <select name="days">${DAYS.map((days) => html`<option value="${days}"${days === draft.days && html` selected`}>${DAY_WORDS[days]}</option>`)}</select></label>
${finerLimits(fields)}
</fieldset>`
}
