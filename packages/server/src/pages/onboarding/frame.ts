import { longDate, printedRut, santiagoDate } from '@timbre/dte/values'
import { MODES } from '../../catalog/modes.ts'
import type { ShownSample } from '../../domain/issuing/certification/shown-samples.ts'
import type { PendingAction } from '../../domain/platform/onboarding/schema.ts'
import type { OpenedLink, PageFacts } from '../../domain/platform/onboarding-link/open.ts'
import type { ApprovalMaterial } from '../../domain/reactions.ts'
import type { Answer } from '../../kernel/answer.ts'
import { type Html, html } from '../html.ts'
import { pageAnswer } from '../layout.ts'
import { TROUBLE, type Trouble } from './copy.ts'

/** The field that something is wrong with; of some troubles there is none. */
export type Field = Trouble | 'certificate' | 'certificate_password'

export interface OnboardingView {
  readonly link: OpenedLink
  readonly facts: PageFacts
  readonly path: string
  readonly now: Date
  /** What was prepared to be approved, and the samples among it. */
  readonly material?: ApprovalMaterial | null | undefined
  readonly samples?: readonly ShownSample[] | undefined
  /** What is wrong with what was sent, and what was typed; never a password. */
  readonly trouble?: { readonly field: Field; readonly text: string } | undefined
  readonly typed?: { readonly name: string; readonly rut: string; readonly reason: string } | undefined
}

const NOTICE = html`<div class="note"><p><strong>Modo de prueba.</strong> Es un ensayo: nada de esto llega al SII.</p></div>`

/** The page around one act: for whom it is, who asks, and until when its link works. */
export function shell(view: OnboardingView, title: string, body: Html): Answer {
  const { link, facts, trouble } = view
  const { row } = facts
  const status = trouble ? 422 : 200
  return pageAnswer(
    {
      title: trouble ? `Revisa lo que falta: ${title}` : title,
      lang: 'es-CL',
      narrow: true,
      body: html`${MODES[link.scope.mode].onboarding_starts_at === 'emitting' && NOTICE}<h1>${title}</h1>
${trouble && html`<div class="note" role="alert"><p>${ABOUT_NO_FIELD.has(trouble.field) ? trouble.text : html`<a href="#campo-${trouble.field}">${trouble.text}</a>`}</p></div>`}
<section class="paper" aria-label="Para quién es">
<p class="from">${row.legal_name}</p>
<dl class="facts"><dt>RUT</dt><dd>${printedRut(row.rut)}</dd><dt>Lo pide</dt><dd>${link.asked_by}, con su cuenta de Timbre</dd>${link.person && html`<dt>Es para</dt><dd>${link.person.name}, RUT ${printedRut(link.person.rut)}</dd>`}</dl>
<p class="soft small">Sigue solo si conoces a quien lo pide.</p>
</section>
${body}
<p class="soft small">Este enlace es para ti y funciona hasta el ${longDate(santiagoDate(link.expires_at))}: puedes cerrar la página y volver
antes. Si no lo esperabas, no hagas nada y ciérrala.</p>`,
    },
    status,
  )
}

const ABOUT_NO_FIELD: ReadonlySet<Field> = new Set(['changed', 'decision', 'failed'])

/** The attributes of a field, and what is wrong with it beside it: on a phone the top of the page is far away. */
export const marks = ({ trouble }: OnboardingView, field: Field) =>
  html` id="campo-${field}"${trouble?.field === field && html` aria-invalid="true" aria-describedby="problema"`}`
export const wrong = ({ trouble }: OnboardingView, field: Field) =>
  trouble?.field === field && html`<p class="wrong" id="problema">${trouble.text}</p>`

export function person(view: OnboardingView): Html {
  // Whom the page is for finds their name there.
  const { link } = view
  const typed = view.typed ?? (link.person && { name: link.person.name, rut: printedRut(link.person.rut) })
  return html`<label>Nombre completo <input name="name" autocomplete="name" maxlength="100" required value="${typed?.name ?? ''}"${marks(view, 'name')}></label>${wrong(view, 'name')}
<label>RUT <span class="soft small">Por ejemplo 12.345.678-5</span><input name="rut" autocomplete="off" autocapitalize="characters" spellcheck="false" maxlength="14" required value="${typed?.rut ?? ''}"${marks(view, 'rut')}></label>${wrong(view, 'rut')}`
}

export const list = (items: readonly string[]) => html`<ul>${items.map((item) => html`<li>${item}</li>`)}</ul>`
export const ordered = (items: readonly string[]) => html`<ol>${items.map((item) => html`<li>${item}</li>`)}</ol>`

export function bring({ bring: items }: Pick<PendingAction, 'bring'>, title = 'Ten a mano'): Html {
  return html`<h2>${title}</h2>${list(items)}`
}

/** The field that a trouble stands beside, where it has not its name. */
const BESIDE: Readonly<Partial<Record<Trouble, Trouble | 'certificate'>>> = {
  short: 'name',
  hidden: 'name',
  other_person: 'rut',
  other_certificate: 'certificate',
}

export const troubleOf = (trouble: Trouble | 'certificate') =>
  trouble === 'certificate'
    ? { field: trouble, text: TROUBLE.file }
    : { field: BESIDE[trouble] ?? trouble, text: TROUBLE[trouble] }
