import { STEP_COPY } from '../../domain/platform/onboarding/copy.ts'
import { isStepKey } from '../../domain/platform/onboarding/lanes.ts'
import type { Onboarding } from '../../domain/platform/onboarding/schema.ts'
import type { LinkEnd } from '../../domain/platform/onboarding-link/open.ts'
import type { Answer } from '../../kernel/answer.ts'
import { messagePage } from '../account.ts'
import { type Html, html } from '../html.ts'
import { DONE, type Done, ENDED } from './copy.ts'

// What is shown in the place of an act: it is done, it was done by another, or it waits for something else.

/** 410: whoever has the slug was given it, and may know what became of it. */
export function endedPage(end: LinkEnd | 'moved'): Answer {
  const { title, text } = ENDED[end]
  return messagePage(title, text, { status: 410 })
}

export function tooLatePage(): Answer {
  return messagePage(
    'Alguien se adelantó',
    'Otra persona hizo este paso al mismo tiempo, o el enlace se cerró. No registramos nada de lo que enviaste. Si crees que ' +
      'todavía falta algo, abre el enlace de nuevo o pide otro a quien te lo envió.',
    { status: 409 },
  )
}

function next({ status, steps, blocked_on }: Onboarding): Html {
  if (status === 'suspended') return html`<p>La empresa quedó en pausa hasta que se firme un mandato nuevo.</p>`
  if (status === 'emitting') return html`<p>La empresa ya puede emitir. Puedes cerrar esta página.</p>`
  const step = steps.find(({ key }) => key === blocked_on)
  const { label, help } = step ?? (blocked_on !== null && isStepKey(blocked_on) ? STEP_COPY[blocked_on] : {})
  return html`<h2>Lo que sigue</h2>${label !== undefined && html`<p><strong>${label}.</strong> ${help}</p>`}
<p>Si hace falta algo más, avisaremos por correo. Ya puedes cerrar esta página.</p>`
}

export function donePage(done: Done, onboarding: Onboarding): Answer {
  const { title, text } = DONE[done]
  return messagePage(title, text, { action: next(onboarding) })
}

export function recheckedPage(message: string, path: string): Answer {
  const action = html`<p>Este enlace sigue sirviendo: vuelve en unos minutos a ver cómo quedó. Si falta algo más, también avisaremos por correo.</p>
<p><a class="button quiet" href="${path}">Volver a ver el paso</a></p>`
  return messagePage('Recibido', message, { action })
}

export function subscriptionPage(checkout_url: string): Answer {
  return messagePage(
    'Falta la suscripción',
    'Para empezar a emitir, la suscripción de la empresa tiene que estar al día. Este enlace sigue sirviendo: vuelve cuando esté lista.',
    { status: 402, action: html`<p><a class="button" href="${checkout_url}">Ver la suscripción</a></p>` },
  )
}
