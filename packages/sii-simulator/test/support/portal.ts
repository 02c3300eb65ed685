import { request } from 'node:https'
import type { World } from './world.ts'

/** A browser of the old pages, by hand: cookies, forms in windows-1252, and a client certificate where one is shown. */
export interface Browser {
  cookies: Map<string, string>
  get(path: string): Promise<Page>
  post(path: string, fields: Record<string, string | number>, headers?: Record<string, string>): Promise<Page>
}

export interface Page {
  status: number
  headers: Record<string, string | string[] | undefined>
  bytes: Buffer
  /** Read as ISO-8859-1. */
  text: string
}

/** Over HTTPS with the certificate of the world's person, or over HTTP without any. */
export function openBrowser(world: World, certificate: boolean): Browser {
  const cookies = new Map<string, string>()
  const send = async (method: string, path: string, body: string | null, headers: Record<string, string>) => {
    const all = {
      ...headers,
      ...(cookies.size > 0 ? { Cookie: [...cookies].map((pair) => pair.join('=')).join('; ') } : {}),
    }
    const page = certificate
      ? await overTls(world, method, path, body, all)
      : await overHttp(world, method, path, body, all)
    for (const cookie of [page.headers['set-cookie'] ?? []].flat()) {
      const [pair = ''] = cookie.split(';')
      cookies.set(pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1))
    }
    return page
  }
  return {
    cookies,
    get: (path) => send('GET', path, null, {}),
    post: (path, fields, headers = {}) =>
      send('POST', path, encodeForm(fields), { 'Content-Type': 'application/x-www-form-urlencoded', ...headers }),
  }
}

function overTls(world: World, method: string, path: string, body: string | null, headers: Record<string, string>) {
  const { person, simulator, listening } = world
  return new Promise<Page>((resolve, reject) => {
    const outgoing = request(
      `${listening.https}${path}`,
      {
        method,
        headers,
        ca: simulator.authority.ca.pem,
        cert: person.certificate,
        key: person.key.export({ type: 'pkcs8', format: 'pem' }),
        agent: false,
      },
      (answer) => {
        const parts: Buffer[] = []
        answer.on('data', (part: Buffer) => parts.push(part))
        answer.on('end', () => resolve(pageOf(answer.statusCode ?? 0, answer.headers, Buffer.concat(parts))))
      },
    )
    outgoing.on('error', reject)
    outgoing.end(body ?? undefined)
  })
}

async function overHttp(
  world: World,
  method: string,
  path: string,
  body: string | null,
  headers: Record<string, string>,
) {
  const answer = await fetch(`${world.base}${path}`, { method, headers, body })
  const named = { ...Object.fromEntries(answer.headers), 'set-cookie': answer.headers.getSetCookie() }
  return pageOf(answer.status, named, Buffer.from(await answer.arrayBuffer()))
}

function pageOf(status: number, headers: Page['headers'], bytes: Buffer): Page {
  return { status, headers, bytes, text: bytes.toString('latin1') }
}

function encodeForm(fields: Record<string, string | number>): string {
  const part = (text: string) =>
    Array.from(Buffer.from(text, 'latin1'), (byte) => `%${byte.toString(16).padStart(2, '0')}`).join('')
  return Object.entries(fields)
    .map(([name, value]) => `${part(name)}=${part(String(value))}`)
    .join('&')
}

/** The hidden fields of a page's form whose action ends so; null where the page has no such form. */
export function fieldsOf(page: Page, action: string): Record<string, string> | null {
  const form = [...page.text.matchAll(/<form[^>]*action="([^"]*)"[^>]*>([\s\S]*?)<\/form>/g)].find(([, at = '']) =>
    at.endsWith(action),
  )
  if (form === undefined) return null
  const inputs = [...(form[2] ?? '').matchAll(/<input type="(?:hidden|text)" name="([^"]*)" value="([^"]*)">/g)]
  return Object.fromEntries(inputs.map(([, name = '', value = '']) => [name, unescaped(value)]))
}

function unescaped(text: string): string {
  return text.replace(
    /&(#39|quot|lt|gt|amp);/g,
    (_, name: string) => ({ '#39': "'", quot: '"', lt: '<', gt: '>', amp: '&' })[name] ?? '',
  )
}

/** The alert that a browser would show on loading the page: not commented out, in no function that waits to be called. */
export function liveAlert(page: Page): string | null {
  const script = page.text
    .replace(/\/\*[\s\S]*?\*\//g, '')
    .replace(/\/\/.*$/gm, '')
    .replace(/function valida.*$/gm, '')
  return /alert\('([^']*)'\)/.exec(script)?.[1]?.replace('\\n', '') ?? null
}
