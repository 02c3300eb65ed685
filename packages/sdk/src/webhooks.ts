import { SignatureError } from './errors.ts'
import type { Event } from './generated/events.ts'

/** Headers as any server has them. */
export type HeadersLike =
  | { get(name: string): string | null | undefined }
  | Readonly<Record<string, string | readonly string[] | undefined>>

export interface VerifyOptions {
  /** Seconds that the clocks may differ by. Default: 300. */
  readonly tolerance?: number | undefined
  /** Unix seconds. Default: this machine's clock. */
  readonly now?: number | undefined
}

const LONGEST_HEADER = 4_096
const MOST_SIGNATURES = 8
const BODY_HINT =
  'Give the bytes of the request as they came, before any parser: express.raw(), await request.text(), request.rawBody.'

const refused = (code: SignatureError['code'], message: string, hint: string) =>
  new SignatureError({ code, message, hint })

/** The value of a header; undefined where it is missing, empty, or nothing that a header can be. */
function headerOf(headers: HeadersLike, name: string): string | undefined {
  if (typeof headers !== 'object' || headers === null) return undefined
  const { get } = headers as { get?: unknown }
  const found: unknown =
    typeof get === 'function'
      ? get.call(headers, name)
      : Object.entries(headers).find(([key]) => key.toLowerCase() === name)?.[1]
  const separator = name === 'webhook-signature' ? ' ' : ','
  const value = Array.isArray(found) ? found.join(separator) : found
  return typeof value === 'string' && value.trim() !== '' ? value : undefined
}

function bytesOf(rawBody: unknown): Uint8Array<ArrayBuffer> {
  if (typeof rawBody === 'string') return new TextEncoder().encode(rawBody)
  // Not by their class: a test runner or a frame has classes of its own.
  if (ArrayBuffer.isView(rawBody)) {
    return new Uint8Array(new Uint8Array(rawBody.buffer, rawBody.byteOffset, rawBody.byteLength))
  }
  if (Object.prototype.toString.call(rawBody) === '[object ArrayBuffer]') return new Uint8Array(rawBody as ArrayBuffer)
  throw refused('body_not_raw', 'The body was parsed already, and a signature is over its bytes.', BODY_HINT)
}

function fromBase64(text: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    return Uint8Array.from(atob(text), (char) => char.charCodeAt(0))
  } catch {
    return undefined
  }
}

function fromHex(text: string): Uint8Array<ArrayBuffer> | undefined {
  if (!/^([0-9a-f]{2})+$/i.test(text)) return undefined
  return Uint8Array.from(text.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16))
}

const SECRET_PREFIX = 'whsec_'

/** Ours is keyed with the secret as it is written, that of Standard Webhooks with the bytes that it stands for. */
const KEYS = {
  ours: (secret: string) => new TextEncoder().encode(secret),
  standard: (secret: string) =>
    fromBase64(secret.startsWith(SECRET_PREFIX) ? secret.slice(SECRET_PREFIX.length) : secret),
}

/** A signature as a header has it: what it is over, beside the body, and the values that may fit. */
interface Signed {
  readonly kind: keyof typeof KEYS
  readonly time: string
  readonly prefix: string
  readonly candidates: readonly Uint8Array<ArrayBuffer>[]
}

function malformed(name: string, form: string): SignatureError {
  return refused(
    'signature_header_malformed',
    `${name} does not read as ${form}.`,
    'This is not a delivery of Timbre, or something on the way changed the header. Answer 400.',
  )
}

function readOurs(header: string): Signed {
  const name = 'Svc-Signature'
  const form = 't=<unix seconds>,v1=<hex>'
  if (header.length > LONGEST_HEADER) throw malformed(name, form)
  const pairs = header.split(',').map((part) => part.trim().split('=', 2) as [string, string?])
  const time = pairs.find(([key]) => key === 't')?.[1] ?? ''
  const candidates = pairs
    .flatMap(([key, value]) => (key === 'v1' ? [fromHex(value ?? '')] : []))
    .filter((one) => one !== undefined)
  if (!/^\d{1,12}$/.test(time) || candidates.length === 0) throw malformed(name, form)
  return { kind: 'ours', time, prefix: `${time}.`, candidates: candidates.slice(0, MOST_SIGNATURES) }
}

function readStandard(header: string, id: string | undefined, time: string | undefined): Signed {
  if (id === undefined || time === undefined) {
    throw refused(
      'signature_header_missing',
      `webhook-signature came without ${id === undefined ? 'webhook-id' : 'webhook-timestamp'}.`,
      STRIPPED,
    )
  }
  const name = 'webhook-signature'
  const form = 'v1,<base64>, with webhook-timestamp in unix seconds'
  if (header.length > LONGEST_HEADER || id.length > LONGEST_HEADER) throw malformed(name, form)
  const candidates = header
    .split(' ')
    .flatMap((part) => (part.startsWith('v1,') ? [fromBase64(part.slice(3))] : []))
    .filter((one) => one !== undefined)
  if (!/^\d{1,12}$/.test(time) || candidates.length === 0) throw malformed(name, form)
  return { kind: 'standard', time, prefix: `${id}.${time}.`, candidates: candidates.slice(0, MOST_SIGNATURES) }
}

const STRIPPED =
  'A proxy that removes headers it does not know stands in between, or this is not a delivery of Timbre. Let Svc-Signature ' +
  'pass, or webhook-id, webhook-timestamp and webhook-signature. Answer 400.'

function readSignature(headers: HeadersLike): Signed {
  const ours = headerOf(headers, 'svc-signature')
  if (ours !== undefined) return readOurs(ours)
  const standard = headerOf(headers, 'webhook-signature')
  if (standard !== undefined) {
    return readStandard(standard, headerOf(headers, 'webhook-id'), headerOf(headers, 'webhook-timestamp'))
  }
  throw refused('signature_header_missing', 'The request has no signature.', STRIPPED)
}

function checkTime(time: string, { tolerance = 300, now = Date.now() / 1000 }: VerifyOptions): void {
  const off = Math.round(now - Number(time))
  if (Math.abs(off) <= tolerance) return
  const how = off > 0 ? `${off} s ago` : `${-off} s from now`
  throw refused(
    'signature_expired',
    `The delivery was signed ${how} by this machine’s clock, and ${tolerance} s are allowed.`,
    'Set the clock of this machine (NTP). If it is right, somebody sends an old delivery again, or yours waited too long in a queue before it was checked.',
  )
}

const HMAC = { name: 'HMAC', hash: 'SHA-256' }

/** Compares without telling by its time where two differ. */
function isSame(one: Uint8Array, other: Uint8Array): boolean {
  if (one.length !== other.length) return false
  let differs = 0
  for (let at = 0; at < one.length; at++) differs |= (one[at] as number) ^ (other[at] as number)
  return differs === 0
}

/** Whether one of the secrets made one of the signatures. Each secret signs once, and every pair is compared. */
async function fits(
  { kind, prefix, candidates }: Signed,
  body: Uint8Array,
  secrets: readonly string[],
): Promise<boolean> {
  const head = new TextEncoder().encode(prefix)
  const text = new Uint8Array(head.length + body.length)
  text.set(head)
  text.set(body, head.length)
  let found = false
  for (const secret of secrets) {
    const bytes = KEYS[kind](secret)
    if (bytes === undefined || bytes.length === 0) continue
    const key = await crypto.subtle.importKey('raw', bytes, HMAC, false, ['sign'])
    const own = new Uint8Array(await crypto.subtle.sign('HMAC', key, text))
    for (const candidate of candidates) found = isSame(own, candidate) || found
  }
  return found
}

function parsed(body: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(body))
  } catch {
    return undefined
  }
}

/**
 * Proves that a delivery is ours, unchanged and of now, and gives its event. `secrets` is that of the endpoint, or the old and
 * the new one while it is being changed. Whatever is wrong is a `SignatureError` that says so: answer it 400.
 */
export async function verify(
  rawBody: string | Uint8Array | ArrayBuffer,
  headers: HeadersLike,
  secrets: string | readonly string[],
  options: VerifyOptions = {},
): Promise<Event> {
  const body = bytesOf(rawBody)
  const keys = (Array.isArray(secrets) ? (secrets as readonly unknown[]) : [secrets])
    .map((secret) => (typeof secret === 'string' ? secret.trim() : ''))
    .filter(Boolean)
  if (keys.length === 0) {
    throw refused(
      'signature_mismatch',
      'There is no secret to check the signature with.',
      'Give the whsec_… of the endpoint.',
    )
  }
  const signed = readSignature(headers)
  checkTime(signed.time, options ?? {})
  if (!(await fits(signed, body, keys))) throw await mismatch(signed, body, keys)
  const event = parsed(body)
  if (event === undefined) throw refused('body_not_raw', 'The body is signed, and is no JSON.', BODY_HINT)
  return event as Event
}

/** Of a stranger's body no more than this is read to tell why its signature does not fit. */
const LOOKED_AT_BYTES = 65_536

/** The body as we would have written it; undefined where it is no JSON, or made to be costly. */
function asWeWrite(body: Uint8Array): Uint8Array | undefined {
  if (body.length > LOOKED_AT_BYTES) return undefined
  try {
    return new TextEncoder().encode(JSON.stringify(JSON.parse(new TextDecoder().decode(body))))
  } catch {
    return undefined
  }
}

/** Why a signature does not fit, as far as that can be told: we send JSON without blanks, so another spelling of it betrays itself. */
async function mismatch(signed: Signed, body: Uint8Array, keys: readonly string[]): Promise<SignatureError> {
  const again = asWeWrite(body)
  if (again !== undefined && (await fits(signed, again, keys))) {
    return refused(
      'body_reserialised',
      'The body was parsed and written anew on its way here, and is not what was signed.',
      BODY_HINT,
    )
  }
  return refused(
    'signature_mismatch',
    'The signature fits none of the secrets.',
    `Check that the secret is that of this endpoint and of this mode, and that the body was not changed. ${BODY_HINT}`,
  )
}

/** What a receiver of webhooks needs; no client and no key are needed for it. */
export const webhooks = { verify }
