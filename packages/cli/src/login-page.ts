import { randomBytes } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Context } from './command.ts'
import { CliError } from './exit.ts'
import { openOnDesktop } from './open-file.ts'

const MOST_BYTES = 8 * 1024
const HEADERS = {
  'Content-Type': 'text/html; charset=utf-8',
  'Content-Security-Policy':
    "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; frame-ancestors 'none'",
  'Cache-Control': 'no-store',
  'Referrer-Policy': 'no-referrer',
}

const STYLE =
  'body{font:16px/1.5 system-ui;max-width:24rem;margin:4rem auto;padding:0 1rem}label,input,button{display:block;width:100%;box-sizing:border-box}input,button{font:inherit;padding:.5rem;margin:.25rem 0 1rem}p.no{color:#b00020}@media(prefers-color-scheme:dark){body{background:#111;color:#eee}p.no{color:#ff8a80}}'

const escaped = (text: string) => text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`)

function page(body: string): string {
  return `<!doctype html><html lang="es-CL"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Timbre</title><style>${STYLE}</style><main>${body}</main></html>`
}

function form(url: string, refusal: string): string {
  return page(
    `<h1>Inicia sesión en Timbre</h1><p>Tu terminal pidió entrar a ${escaped(url)}. Esta página la sirve tu propio computador.</p>` +
      `${refusal && `<p class="no" role="alert">${escaped(refusal)}</p>`}<form method="post">` +
      '<label for="e">Correo</label><input id="e" name="email" type="email" autocomplete="username" required autofocus>' +
      '<label for="p">Contraseña</label><input id="p" name="password" type="password" autocomplete="current-password" required>' +
      '<button>Entrar</button></form>',
  )
}

const DONE = page('<h1>Listo</h1><p>Ya puedes volver a tu terminal y cerrar esta pestaña.</p>')

async function readForm(request: IncomingMessage): Promise<URLSearchParams> {
  let text = ''
  for await (const chunk of request) {
    text += chunk
    if (text.length > MOST_BYTES) throw new Error('too long')
  }
  return new URLSearchParams(text)
}

/**
 * Asks for e-mail and password on a page that this process serves on loopback, under a path that nobody can guess, and for
 * this one login: a password manager fills it in, and nothing is typed into a terminal that others may see.
 */
export async function logInByBrowser(
  ctx: Context,
  logIn: (email: string, password: string) => Promise<string>,
): Promise<string> {
  const { out, signal } = ctx
  const path = `/${randomBytes(16).toString('hex')}`
  const { url } = ctx.settings()
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  try {
    return await new Promise<string>((resolve, reject) => {
      const stop = () => reject(new CliError('interrupted', 'The login was given up.'))
      signal.addEventListener('abort', stop, { once: true })
      const answer = async (request: IncomingMessage, response: ServerResponse) => {
        const foreign = request.headers.origin !== undefined && request.headers.origin !== origin
        if (request.url !== path || foreign || request.headers.host !== new URL(origin).host) {
          response.writeHead(404, HEADERS).end()
          return
        }
        if (request.method !== 'POST') {
          response.writeHead(200, HEADERS).end(form(url, ''))
          return
        }
        const sent = await readForm(request)
        try {
          const token = await logIn(sent.get('email') ?? '', sent.get('password') ?? '')
          response.writeHead(200, { ...HEADERS, Connection: 'close' }).end(DONE, () => resolve(token))
        } catch (error) {
          response.writeHead(400, HEADERS).end(form(url, error instanceof Error ? error.message : 'No pudimos entrar.'))
        }
      }
      server.on('request', (request, response) => void answer(request, response).catch(() => response.destroy()))
      out.note(`Log in at ${origin}${path}`)
      if (out.isTerminal) void openOnDesktop(origin + path)
    })
  } finally {
    server.closeAllConnections()
    server.close()
  }
}
