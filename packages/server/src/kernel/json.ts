import { CEILINGS } from '../catalog/limits.ts'
import { Problem } from './problem.ts'

/** What a body may hold before it is read into values. */
export interface JsonLimits {
  readonly bytes: number
  readonly values: number
}

const KIB = 1024
const MIB = 1024 * KIB
const QUOTE = 0x22
const BACKSLASH = 0x5c
const DELETE = 0x7f

/** What a byte outside of texts does: one value more, one level more, one level less, one name more. */
const COUNTS = new Uint8Array(256)
const [VALUE, OPENS, CLOSES, NAMES] = [1, 2, 3, 4]
for (const mark of ',') COUNTS[mark.charCodeAt(0)] = VALUE
for (const mark of '[{') COUNTS[mark.charCodeAt(0)] = OPENS
for (const mark of ']}') COUNTS[mark.charCodeAt(0)] = CLOSES
for (const mark of ':') COUNTS[mark.charCodeAt(0)] = NAMES

const decoder = new TextDecoder('utf-8', { fatal: true })

/** `64 KiB`, `1 MiB`. */
export function sizeText(bytes: number): string {
  return bytes >= MIB ? `${bytes / MIB} MiB` : `${bytes / KIB} KiB`
}

export function bodyTooLarge(max_bytes: number): Problem {
  const message = `The body is larger than the ${sizeText(max_bytes)} that are taken here.`
  return new Problem('payload_too_large', { message, details: { max_bytes } })
}

/** The quote that ends the text which begins at `start`; the end of the body where none does. */
function endOfText(body: Buffer, start: number): number {
  const quote = body.indexOf(QUOTE, start + 1)
  if (quote < 0) return body.length
  if (body[quote - 1] !== BACKSLASH) return quote
  let at = start + 1
  while (at < body.length && body[at] !== QUOTE) at += body[at] === BACKSLASH ? 2 : 1
  return at
}

function tooDeep(): Problem {
  return new Problem('invalid_json', { message: `The body is nested deeper than ${CEILINGS.json_depth} levels.` })
}

function tooMany(max_values: number): Problem {
  const message = `The body holds more than the ${max_values} values that are taken here.`
  return new Problem('payload_too_large', { message, details: { max_values } })
}

/**
 * Counts what a body would become, without making any of it: ten megabytes of `[0,0,…` are five million values, and
 * take many times their size in memory once somebody looks at each of them. Gives how many names stand in its objects.
 */
function refuseShape(body: Buffer, { values }: JsonLimits): number {
  let [depth, count, names] = [0, 1, 0]
  for (let at = 0; at < body.length; at++) {
    const byte = body[at] as number
    if (byte === QUOTE) {
      at = endOfText(body, at)
      continue
    }
    const does = COUNTS[byte]
    if (does === 0) continue
    if (does === NAMES) names++
    else if (does === CLOSES) depth--
    else if (++count > values) throw tooMany(values)
    if (does === OPENS && ++depth > CEILINGS.json_depth) throw tooDeep()
  }
  return names
}

/** How many names the objects of a value hold. Its depth was counted before. */
function namesIn(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0
  let names = 0
  if (Array.isArray(value)) {
    for (const one of value) if (typeof one === 'object') names += namesIn(one)
    return names
  }
  for (const name in value) {
    names++
    const one = (value as Record<string, unknown>)[name]
    if (typeof one === 'object') names += namesIn(one)
  }
  return names
}

function repeatedName(): Problem {
  return new Problem('invalid_json', { message: 'An object of the body holds the same name twice.' })
}

/** Whether a text of the body can hold a control character: JSON knows all of them but one as escapes alone. */
export function mayHoldControls(body: Uint8Array): boolean {
  return body.includes(BACKSLASH) || body.includes(DELETE)
}

/** Reads a body in time and memory that its limits bound, whatever it holds. */
export function parseJson(bytes: Uint8Array, limits: JsonLimits): unknown {
  if (bytes.length > limits.bytes) throw bodyTooLarge(limits.bytes)
  const body = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const names = refuseShape(body, limits)
  let value: unknown
  try {
    value = JSON.parse(decoder.decode(body))
  } catch {
    throw new Problem('invalid_json')
  }
  // RFC 8259, section 4, leaves to each reader which of them counts: a proxy, a log and we may not agree on an amount.
  if (namesIn(value) < names) throw repeatedName()
  return value
}
