/** A call as it was sent. */
export interface SentCall {
  readonly method: string
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | undefined
}

/** Names of what opens something for whoever knows it, in bodies and queries, however they are written. */
const SECRET =
  /pass(word|phrase)?|secret|token|clave|credential|key|caf|pfx|file|content|private|inputs|cookie|auth|\bpin\b/i
/** Names that look like it and are none. */
const PLAIN = new Set(['idempotency_key', 'content_type', 'file_name', 'filename'])
const LONGEST_VALUE = 300
const LONGEST_BODY = 4_000
const CUT = '…'

/** Headers that say something about a call. Any other may be a secret, by whatever name. */
const SHOWN = new Set(['content-type', 'idempotency-key', 'svc-empresa', 'svc-mode'])
const SECRETS: Readonly<Record<string, string>> = {
  authorization: '"Authorization: Bearer $TIMBRE_KEY"',
  'svc-operator-secret': '"Svc-Operator-Secret: $TIMBRE_OPERATOR_SECRET"',
}
/** What says nothing about the call itself. */
const NOISE = new Set(['user-agent', 'accept'])

const shell = (text: string) => `'${text.replaceAll("'", "'\\''")}'`
const isSecret = (name: string) => SECRET.test(name) && !PLAIN.has(name)

/** An address without its password and its query; any other text as it is, unless it is as long as a key or a file. */
function plainText(text: string): string {
  if (text.length > LONGEST_VALUE) return CUT
  if (!/^[a-z][a-z0-9+.-]*:\/\//i.test(text)) return text
  return text.replace(/\/\/[^/@]*@/, `//${CUT}@`).replace(/[?#].*$/, (rest) => `${rest[0]}${CUT}`)
}

function withoutSecrets(body: string): string {
  try {
    return JSON.stringify(
      JSON.parse(body, (name, value) => {
        if (isSecret(name) && value !== null && typeof value !== 'boolean') return CUT
        return typeof value === 'string' ? plainText(value) : value
      }),
    )
  } catch {
    return CUT
  }
}

function plainUrl(url: string): string {
  const at = url.indexOf('?')
  if (at < 0) return url
  const query = new URLSearchParams(url.slice(at + 1))
  const pairs = [...query].map(
    ([name, value]) => `${encodeURIComponent(name)}=${isSecret(name) ? CUT : encodeURIComponent(value)}`,
  )
  return `${url.slice(0, at)}?${pairs.join('&')}`
}

/** The call as a line for a terminal. The credential is a variable, and whatever may be a secret is cut out. */
export function curlOf({ method, url, headers, body }: SentCall): string {
  const verb = /^[A-Z]+$/.test(method) ? method : shell(method)
  const parts = ['curl', ...(method === 'GET' ? [] : ['-X', verb]), shell(plainUrl(url))]
  for (const [name, value] of Object.entries(headers)) {
    const known = name.toLowerCase()
    if (NOISE.has(known)) continue
    parts.push('-H', SECRETS[known] ?? shell(`${name}: ${SHOWN.has(known) ? value : CUT}`))
  }
  if (body !== undefined) {
    const shown = withoutSecrets(body)
    parts.push('-d', shown.length > LONGEST_BODY ? '@body.json' : shell(shown))
  }
  return parts.join(' ')
}
