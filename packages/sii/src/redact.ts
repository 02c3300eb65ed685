import { storable } from './storable.ts'

/** What may be kept of a call for the operator: enough to see what happened, nothing to impersonate anybody with. */

const KEPT = 2_048
const READ = 16_384
const BLANK = '***'

/** Elements whose content is a credential, a key or a signature; plain, or escaped inside a SOAP argument. */
const ELEMENTS =
  /((?:<|&lt;)(?:[A-Za-z][\w.-]*:)?(?:TOKEN|Token|pszToken|SEMILLA|Semilla|SignatureValue|DigestValue|X509Certificate|Modulus|RSASK|RSAPK|FRMT|FRMA|M|FirmaDte|clave|password)(?:\s[^>]{0,300}?)?(?:>|&gt;))(?:[^<&]|&(?!lt;))*/g
const PEM = /-----BEGIN [A-Z ]{3,40}-----[^-]*/g
/** Fields of forms and of JSON. */
const FIELDS = /((?:^|[?&"\s])(?:clave|claveCert|password|pass|conversationId|token|TOKEN)(?:=|"\s*:\s*"))[^&"\s]*/g
/** A field of a multipart body: the value stands after an empty line. */
const PARTS = /(name="(?:clave|password|token)"\r?\n\r?\n)[^\r\n]*/gi

const SECRET_HEADERS = new Set(['authorization', 'proxy-authorization', 'x-auth-token'])
const COOKIE_HEADERS = new Set(['cookie', 'set-cookie'])

export type Headers = Readonly<Record<string, string | readonly string[] | undefined>>

/** Every form in which a secret may travel. */
function formsOf(secret: string): readonly string[] {
  const escaped = secret.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
  const quoted = escaped.replaceAll('"', '&quot;')
  const form = new URLSearchParams({ s: secret }).toString().slice(2)
  const forms = [secret, encodeURIComponent(secret), form, escaped, quoted, JSON.stringify(secret).slice(1, -1)]
  // Bodies are kept byte by byte: what was UTF-8 there has two characters for an accent.
  return [...forms, ...forms.map((one) => Buffer.from(one, 'utf8').toString('latin1'))]
}

/** Longest first, so that no secret survives in part because a shorter one stands inside it. */
function allForms(secrets: readonly string[]): readonly string[] {
  const forms = new Set(secrets.filter((secret) => secret.length > 0).flatMap(formsOf))
  return [...forms].sort((a, b) => b.length - a.length)
}

/** A short text of the SII, such as a glosa, without any secret of the call. */
export function redactText(text: string, secrets: readonly string[]): string {
  return blank(text, allForms(secrets))
}

/** The first two kilobytes of a body, without secrets. */
export function redactBody(body: Uint8Array | string, secrets: readonly string[]): string {
  const forms = allForms(secrets)
  const whole = typeof body === 'string' ? body : Buffer.from(body.buffer, body.byteOffset, Math.min(body.length, READ))
  const start = typeof whole === 'string' ? whole.slice(0, READ) : whole.toString('latin1')
  const text = blank(start, forms)
  // A secret that the first cut has split is not recognised: what may be a part of it goes as well.
  const safe = body.length > READ ? text.slice(0, Math.max(0, text.length - (forms[0]?.length ?? 0))) : text
  return storable(safe.slice(0, KEPT))
}

export function redactHeaders(headers: Headers, secrets: readonly string[]): Record<string, string> {
  const forms = allForms(secrets)
  const kept: Record<string, string> = {}
  for (const [name, value] of Object.entries(headers)) {
    if (value === undefined) continue
    const values = typeof value === 'string' ? [value] : value
    const lower = name.toLowerCase()
    kept[lower] = values.map((one) => redactHeader(lower, one, forms)).join(', ')
  }
  return kept
}

/** Of a cookie only its name is kept. */
function redactHeader(name: string, value: string, forms: readonly string[]): string {
  if (SECRET_HEADERS.has(name)) return BLANK
  if (name === 'cookie') return value.replace(/=[^;]*/g, `=${BLANK}`)
  if (COOKIE_HEADERS.has(name)) return value.replace(/=[^;]*/, `=${BLANK}`)
  return blank(value, forms)
}

function blank(text: string, forms: readonly string[]): string {
  let clean = text
  for (const form of forms) clean = clean.replaceAll(form, BLANK)
  return clean
    .replace(ELEMENTS, `$1${BLANK}`)
    .replace(PEM, BLANK)
    .replace(PARTS, `$1${BLANK}`)
    .replace(FIELDS, `$1${BLANK}`)
}
