import type { ConnectPage } from '../domain/banking/connection/connect-page.ts'
import type { Widget } from '../domain/banking/connection/token.ts'
import type { Answer } from '../kernel/answer.ts'
import type { LinkPage } from '../ports/bank.ts'
import { messagePage } from './account.ts'
import { type Html, html } from './html.ts'
import { pageAnswer } from './layout.ts'

// Read by a shopkeeper who was sent a link: Chilean Spanish, a phone first, one act.

type Choice = Extract<LinkPage, { kind: 'choice' }>
type WidgetPage = Extract<LinkPage, { kind: 'widget' }>

function shell(title: string, body: Html, notice?: Html): Answer {
  return pageAnswer({ title, lang: 'es-CL', narrow: true, body: html`${notice}<h1>${title}</h1>${body}` })
}

const TEST_MODE_NOTICE = html`<div class="note"><p><strong>Modo de prueba.</strong> Estos bancos no existen: no se conecta ninguna
cuenta real.</p></div>`

const assurance = (
  whose: string,
) => html`<p class="soft small">Se abrirá una ventana de ${whose}, la empresa que hace la
conexión. Ahí escribes la clave de tu banco: nosotros no la vemos. Solo leeremos los movimientos, nadie puede mover tu
dinero con esto, y puedes desconectarlo cuando quieras.</p>`

/** The sandbox: the person chooses among banks that do not exist. */
export function chooseBankPage(view: { page: ConnectPage; banks: Choice['banks']; path: string }): Answer {
  const { page, banks, path } = view
  const wanted = banks.find((bank) => bank.exchange_token.endsWith(`_${page.requested_institution}`)) ?? banks[0]
  return shell(
    'Conecta tu banco',
    html`<p class="lead">${page.legal_name} quiere leer los movimientos de su cuenta para ordenar sus gastos.</p>
<form method="post" action="${path}">
<fieldset>
<legend>Elige un banco</legend>
${banks.map(
  (bank) =>
    html`<label class="tick"><input type="radio" name="exchange_token" value="${bank.exchange_token}" required${
      bank === wanted && html` checked`
    }> <span>${bank.name}<br><span class="soft small">${bank.says}</span></span></label>`,
)}
</fieldset>
<button>Conectar</button>
</form>`,
    TEST_MODE_NOTICE,
  )
}

/** Opens the provider's widget, in a window of its own; the token it gives comes back in the form. */
export function widgetPage(view: { page: ConnectPage; widget: Widget; provider: WidgetPage; path: string }): Answer {
  const { page, widget, provider, path } = view
  const answer = shell(
    'Conecta tu banco',
    html`<p class="lead">${page.legal_name} quiere leer los movimientos de su cuenta para ordenar sus gastos.</p>
<form id="connect" method="post" action="${path}" data-widget-token="${widget.widget_token}" data-public-key="${widget.public_key}" data-holder-type="${page.holder_type}">
<input type="hidden" name="exchange_token" value="">
<button type="button">Conectar</button>
</form>
<p id="trouble" class="note" role="alert" hidden>No pudimos abrir la ventana de conexión. Revisa tu conexión y vuelve a cargar esta página.</p>
<noscript><p class="note">Para conectar tu banco activa JavaScript en este navegador.</p></noscript>
${assurance(provider.whose)}
<script src="${provider.script}"></script>
<script src="/connect.js"></script>`,
  )
  return { ...answer, headers: { ...answer.headers, 'Content-Security-Policy': policyOf(provider) } }
}

/** The only page with scripts: ours by its address, and the provider's, whose window lays itself over the page. */
function policyOf({ script, origins }: WidgetPage): string {
  const theirs = origins.join(' ')
  return (
    `default-src 'none'; script-src 'self' ${new URL(script).origin}; style-src 'unsafe-inline'; ` +
    `frame-src ${theirs}; connect-src ${theirs}; img-src 'self' data: ${theirs}; form-action 'self'; ` +
    "base-uri 'none'; frame-ancestors 'none'"
  )
}

const SCRIPT = `'use strict'
const form = document.getElementById('connect')
const trouble = document.getElementById('trouble')
const open = () => {
  if (!window.Fintoc) { trouble.hidden = false; return }
  const widget = window.Fintoc.create({
    widgetToken: form.dataset.widgetToken,
    publicKey: form.dataset.publicKey,
    holderType: form.dataset.holderType,
    product: 'movements',
    onSuccess: (done) => {
      form.elements.exchange_token.value = (done && (done.exchangeToken || done.exchange_token)) || ''
      form.submit()
    },
    onExit: () => {},
  })
  widget.open()
}
form.querySelector('button').addEventListener('click', open)
`

export const CONNECT_SCRIPT: Answer = {
  status: 200,
  headers: {
    'Content-Type': 'text/javascript; charset=utf-8',
    'Cache-Control': 'public, max-age=300',
  },
  body: SCRIPT,
}

export function connectedPage({ legal_name }: ConnectPage): Answer {
  return messagePage(
    'Listo, tu banco quedó conectado',
    `Desde ahora los movimientos de ${legal_name} se leen solos, una vez al día. Ya puedes cerrar esta página.`,
  )
}

export function notConnectedPage(path: string): Answer {
  return messagePage(
    'No pudimos conectar tu banco',
    'El banco no confirmó la conexión. Puedes intentarlo otra vez; si sigue igual, pide un enlace nuevo.',
    { status: 422, action: html`<p><a class="button" href="${path}">Intentar otra vez</a></p>` },
  )
}
