import {
  endedFacts,
  keptFacts,
  namedFacts,
  WHAT_ENDED,
  WHAT_ENDED_SINCE,
  WHAT_STAYS,
} from '../domain/platform/account/copy.ts'
import type { Disowned, Recovery, RestoredEmail } from '../domain/platform/account/schema.ts'
import type { Answer } from '../kernel/answer.ts'
import { type Html, html } from './html.ts'
import { pageAnswer } from './layout.ts'

// Read by a person who comes from a letter of ours: Chilean Spanish, no script, one act a page.

function page(title: string, body: Html, status = 200): Answer {
  return pageAnswer({ title, lang: 'es-CL', narrow: true, small: true, body: html`<h1>${title}</h1>${body}` }, status)
}

const alert = (text: string) => html`<div class="note" role="alert"><p>${text}</p></div>`

/** A page with something to read, and at most one thing to do. */
export function messagePage(title: string, text: string, options: { status?: number; action?: Html } = {}): Answer {
  return page(title, html`<p class="lead">${text}</p>${options.action}`, options.status)
}

export const REQUEST_NEW_LINK = html`<p><a class="button" href="/recuperar">Pedir un enlace nuevo</a></p>`

/** Opening the link does nothing by itself: mail scanners open every link there is. The button does. */
export function confirmEmailPage(token: string): Answer {
  return page(
    'Confirma tu correo',
    html`<p class="lead">¿Abriste tú una cuenta en Timbre con este correo?</p>
<form method="post" action="/verificar">
<input type="hidden" name="token" value="${token}">
<button>Sí, la abrí yo: confirmar mi correo</button>
</form>
<p class="soft small">Al confirmar cerramos las sesiones abiertas. Después entra otra vez con tu contraseña.</p>
<h2>¿No la abriste tú?</h2>
<p>Entonces no la confirmes: quien la abrió conoce su contraseña. Dinos que no fuiste tú y terminamos sus sesiones, sus claves
de API, sus agentes y sus avisos, y su contraseña deja de servir.</p>
<form method="post" action="/desconocer">
<input type="hidden" name="token" value="${token}">
<button>No la abrí yo: cerrar todo</button>
</form>`,
  )
}

export function changeEmailPage(token: string): Answer {
  return page(
    'Confirma tu nuevo correo',
    html`<p class="lead">Un último clic y tu cuenta usará este correo.</p>
<form method="post" action="/verificar">
<input type="hidden" name="token" value="${token}">
<button>Usar este correo</button>
</form>
<p class="soft small">Si no pediste este cambio, cierra esta página: sin el botón no cambia nada.</p>`,
  )
}

export function disownedPage(said: string, { ended }: Disowned): Answer {
  return page('Gracias por avisarnos', html`<p class="lead">${said}</p>${factList(endedFacts({ ended }))}`)
}

const newPassword = html`autocomplete="new-password" minlength="10" maxlength="200" required`

export function newPasswordPage(token: string, problem?: { text: string; status: number }): Answer {
  return page(
    'Crea una contraseña nueva',
    html`${problem && alert(problem.text)}
<p class="lead">Debe tener entre 10 y 200 caracteres. Una frase corta que solo tú conozcas funciona muy bien.</p>
<form method="post" action="/restablecer">
<input type="hidden" name="token" value="${token}">
<label>Contraseña nueva <input type="password" name="password" ${newPassword}></label>
<label>Repítela <input type="password" name="repeated" ${newPassword}></label>
<button>Guardar contraseña</button>
</form>
<p class="soft small">Al guardarla cerraremos todas tus sesiones y anularemos los enlaces pendientes. Las claves de API, los
agentes, los avisos y los enlaces creados antes de que confirmaras tu correo terminan, con lo que cambiaron después; los demás
siguen igual.</p>`,
    problem?.status,
  )
}

const factList = (facts: readonly (readonly [string, string])[]) =>
  html`<dl class="facts">${facts.map(([name, value]) => html`<dt>${name}</dt><dd>${value}</dd>`)}</dl>`

/** Tells whoever recovered an account what ended by it and what goes on. */
export function recoveredPage(said: string, recovery: Recovery): Answer {
  return page(
    'Contraseña cambiada',
    html`<p class="lead">${said}</p>
<h2>Lo que terminó</h2><p>${WHAT_ENDED}</p>${factList([...endedFacts(recovery), ...namedFacts(recovery.ended)])}
<h2>Lo que sigue</h2><p>${WHAT_STAYS}</p>${factList([...keptFacts(recovery), ...namedFacts(recovery.kept)])}`,
  )
}

/** As on the other pages, opening it does nothing: the button does. */
export function restoreEmailPage(token: string): Answer {
  return page(
    'Recupera el correo de tu cuenta',
    html`<p class="lead">Tu cuenta volverá al correo que recibió este enlace.</p>
<p>Cerraremos todas sus sesiones, anularemos los enlaces pendientes y la contraseña que tiene dejará de servir. Te enviaremos
un enlace para crear una nueva. Las claves de API, los agentes, los avisos y los enlaces que se crearon o cambiaron desde que
entró quien pidió el cambio terminan.</p>
<form method="post" action="/restaurar">
<input type="hidden" name="token" value="${token}">
<button>Volver a mi correo</button>
</form>`,
  )
}

export function restoredEmailPage({ email, ended, kept }: RestoredEmail): Answer {
  return page(
    'Tu cuenta volvió a tu correo',
    html`<p class="lead">Tu cuenta usa otra vez <strong>${email}</strong>.</p>
<p>Te enviamos ahí un enlace para crear una contraseña nueva: la que tenía ya no sirve.</p>
<h2>Lo que terminó</h2><p>${WHAT_ENDED_SINCE}</p>${factList([...endedFacts({ ended }), ...namedFacts(ended)])}
<p>Las claves terminadas no vuelven: crea otras. A los avisos desactivados revísales la dirección, dales un secreto nuevo y
actívalos.</p>
<h2>Lo que sigue</h2><p>Es anterior, salvo lo que dice que cambió. Cuando entres, revísalo igual y borra lo que no reconozcas.</p>
${factList([...keptFacts({ kept }), ...namedFacts(kept)])}`,
  )
}

export function forgotPasswordPage(problem?: { text: string; status: number }): Answer {
  return page(
    'Recupera tu cuenta',
    html`${problem && alert(problem.text)}
<p class="lead">Escribe el correo de tu cuenta y te enviaremos un enlace para crear una contraseña nueva.</p>
<form method="post" action="/recuperar">
<label>Correo <input type="email" name="email" autocomplete="email" maxlength="254" required></label>
<button>Enviar enlace</button>
</form>`,
    problem?.status,
  )
}
