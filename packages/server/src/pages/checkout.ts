import { ivaOn, longDate, pesos, santiagoDate } from '@timbre/dte/values'
import { MODES } from '../catalog/modes.ts'
import { PRICE } from '../catalog/plans.ts'
import type { CheckoutPage } from '../domain/platform/subscription/checkout.ts'
import { dayAndHour } from '../domain/platform/subscription/copy.ts'
import { canRequest, isRequestDue } from '../domain/platform/subscription/request.ts'
import { isRequired, statusAt } from '../domain/platform/subscription/standing.ts'
import type { Answer } from '../kernel/answer.ts'
import { type Html, html } from './html.ts'
import { pageAnswer } from './layout.ts'

// Read by whoever decides to pay: Chilean Spanish, a phone first, one act.

export interface CheckoutView {
  readonly page: CheckoutPage
  readonly path: string
  readonly operator_email: string
  readonly now: Date
}

const day = (at: Date) => longDate(santiagoDate(at))

/** Whoever was sent the address knows which empresa it is about; whoever finds it learns no RUT. */
const endOf = (rut: string) => rut.slice(-5)

function standingOf({ page, now }: CheckoutView): { readonly tone: 'good' | 'wait' | 'bad'; readonly text: string } {
  const { scope, current_period_end, grace_until } = page
  if (!isRequired(scope.mode, page)) return { tone: 'good', text: 'No necesita suscripción' }
  const status = statusAt(page, now)
  if (status === 'active' && current_period_end)
    return { tone: 'good', text: `Al día hasta el ${day(current_period_end)}` }
  if (status === 'lapsed' && grace_until && grace_until > now)
    return { tone: 'wait', text: `Vencida: puede emitir hasta el ${day(grace_until)}` }
  if (status === 'lapsed') return { tone: 'bad', text: 'Vencida: no puede emitir' }
  return { tone: 'bad', text: status === 'canceled' ? 'Terminada: no puede emitir' : 'Sin suscripción todavía' }
}

function price(now: Date): Html {
  const percent = ivaOn(santiagoDate(now))
  const iva = Math.round((PRICE.pesos * percent) / 100)
  return html`<dl class="totals">
<div><dt>Suscripción mensual</dt><dd class="num">${pesos(PRICE.pesos)}</dd></div>
<div><dt>IVA (${percent} %)</dt><dd class="num">${pesos(iva)}</dd></div>
<div class="total"><dt>Total al mes</dt><dd class="num">${pesos(PRICE.pesos + iva)}</dd></div>
</dl>
<p class="soft small">Se paga por cada empresa, el mismo precio todos los meses.</p>`
}

const WHAT_FOR = html`<h2>Qué incluye</h2>
<ul>
<li>Emitir facturas, boletas, guías y notas con validez ante el SII.</li>
<li>Pedir folios y enviar cada documento a quien lo recibe.</li>
<li>Pasar de las pruebas a la emisión real.</li>
</ul>
<p>Leer lo emitido, responder a proveedores y declarar impuestos funciona siempre, con o sin suscripción.</p>`

function contact(operator_email: string): Html {
  return html`<p>También puedes escribirnos a <a href="mailto:${operator_email}">${operator_email}</a>.</p>`
}

function asking(view: CheckoutView): Html {
  const { page, path, operator_email, now } = view
  if (!canRequest(page, now))
    return html`<h2>¿Tienes dudas?</h2><p>Escríbenos a <a href="mailto:${operator_email}">${operator_email}</a>.</p>`
  const { requested_at } = page
  const told =
    requested_at && html`<p class="state good" role="status">Ya lo pedimos el ${dayAndHour(requested_at)}</p>`
  if (!isRequestDue(page, now)) {
    return html`<h2>Cómo pagar</h2>${told}
<p>Te responderemos al correo de la cuenta con los datos para pagar. Cuando llegue el pago, la suscripción queda
activa en el momento.</p>${contact(operator_email)}`
  }
  return html`<h2>Cómo pagar</h2>${told}
<p>Por ahora el pago se acuerda por correo. Con este botón nos avisas, y te respondemos al correo de la cuenta con los datos
para transferir. No te compromete a nada.</p>
<form method="post" action="${path}"><button>${requested_at ? 'Pedirla otra vez' : 'Pedir la suscripción'}</button></form>
${contact(operator_email)}`
}

const WHY_FREE = {
  sandbox: 'Es una empresa de prueba: emite sin costo y sin efecto tributario.',
  house: 'Su cuenta no paga por emitir.',
} as const

/** What a subscription costs, for which empresa, and how it is had. */
export function checkoutPage(view: CheckoutView): Answer {
  const { page } = view
  const { tone, text } = standingOf(view)
  const title = 'Suscripción'
  const paid = isRequired(page.scope.mode, page)
  const body = html`<h1>${title}</h1>
<section class="paper" aria-label="Empresa y precio">
<p class="from">${page.legal_name}</p>
<p class="soft">RUT terminado en ${endOf(page.scope.rut)}</p>
<p class="state ${tone}">${text}</p>
${paid ? price(view.now) : html`<p>${WHY_FREE[MODES[page.scope.mode].paywalled ? 'house' : 'sandbox']}</p>`}
</section>
${paid && WHAT_FOR}
${asking(view)}`
  return pageAnswer({ title, lang: 'es-CL', narrow: true, body })
}
