// What is sent to PostgreSQL to run a statement that it has prepared: Bind, Execute and Sync of its protocol as one piece of bytes
// (https://www.postgresql.org/docs/current/protocol-message-formats.html). The driver writes them one by one, converts every value
// twice and asks for the columns of the answer each time; at some eight statements a document that was a fifth of its cost.

const TEXT = 0
const BINARY = 1
const BYTEA = 17
const TEXT_TYPE = 25
/** Room that stays between messages; a larger one is let go. */
const KEPT_BYTES = 1 << 20

const DESCRIBE_PORTAL = Buffer.from([0x44, 0, 0, 0, 6, 0x50, 0])
const EXECUTE_AND_SYNC = Buffer.from([0x45, 0, 0, 0, 9, 0, 0, 0, 0, 0, 0x53, 0, 0, 0, 4])

let room = Buffer.allocUnsafe(1 << 14)
let end = 0

/** Messages are written one at a time, each to its end: nothing waits in between. */
function make(bytes: number): void {
  if (end + bytes <= room.length) return
  const larger = Buffer.allocUnsafe(2 * (end + bytes))
  room.copy(larger, 0, 0, end)
  room = larger
}

function putInt16(value: number): void {
  make(2)
  room[end++] = value >>> 8
  room[end++] = value
}

function setInt32(value: number, at: number): void {
  room[at] = value >>> 24
  room[at + 1] = value >>> 16
  room[at + 2] = value >>> 8
  room[at + 3] = value
}

function putInt32(value: number): void {
  make(4)
  setInt32(value, end)
  end += 4
}

function putBytes(bytes: Uint8Array): void {
  putInt32(bytes.length)
  make(bytes.length)
  room.set(bytes, end)
  end += bytes.length
}

// Held once: texts come in more shapes than V8 tells apart at one place, and there it would look the method up anew for every letter.
const { charCodeAt } = String.prototype

/** Most values are ids, names and dates. A loop writes so many letters sooner than the engine is called for them. */
const SHORT = 64
const QUOTE = 0x22
const BACKSLASH = 0x5c

/** Writes a text letter by letter where every one is ASCII and stands for itself in a list too; otherwise nothing. */
function putPlain(text: string): boolean {
  const { length } = text
  if (length > SHORT) return false
  make(length)
  const out = room
  const from = end
  for (let i = 0; i < length; i++) {
    const letter = charCodeAt.call(text, i)
    if (letter > 0x7e || letter === QUOTE || letter === BACKSLASH) return false
    out[from + i] = letter
  }
  end = from + length
  return true
}

function putLetters(text: string): void {
  if (putPlain(text)) return
  // No character of UTF-16 takes more than three bytes.
  make(3 * text.length)
  end += room.write(text, end, 'utf8')
}

// The last text of an instant, by its last digits: most of a statement's are the same few.
const REMEMBERED = 16
const instants = new Float64Array(REMEMBERED).fill(Number.NaN)
const instant_texts: string[] = new Array(REMEMBERED).fill('')

/** An instant in UTC. A year of five digits has a sign in ISO 8601, which PostgreSQL does not read. */
function instantText(date: Date): string {
  const ms = date.getTime()
  const place = Math.abs(ms) % REMEMBERED
  if (instants[place] === ms) return instant_texts[place] as string
  const text = date.toISOString().replace(/^\+0*/, '')
  instants[place] = ms
  instant_texts[place] = text
  return text
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: what JSON writes in a way of its own, half a pair of surrogates among it.
const OTHER_IN_JSON = /[\u0000-\u001f\ud800-\udfff]/

/** An element of a list. What is long is mostly JSON, and JSON escapes the same characters in a third of the time. */
function quoted(text: string): string {
  return OTHER_IN_JSON.test(text) ? `"${text.replace(/["\\]/g, '\\$&')}"` : JSON.stringify(text)
}

function putQuoted(text: string): void {
  make(2)
  const start = end
  room[end++] = QUOTE
  if (putPlain(text)) {
    make(1)
    room[end++] = QUOTE
    return
  }
  end = start
  putLetters(quoted(text))
}

function putElement(element: unknown): void {
  if (typeof element === 'string') putQuoted(element)
  else if (element === null || element === undefined) putLetters('NULL')
  else if (typeof element === 'number') putLetters(String(element))
  else if (Array.isArray(element)) putList(element)
  else if (element instanceof Uint8Array) putLetters(`"\\\\x${Buffer.from(element).toString('hex')}"`)
  else putQuoted(scalarText(element))
}

function putList(elements: readonly unknown[]): void {
  putLetters('{')
  for (let i = 0; i < elements.length; i++) {
    if (i > 0) putLetters(',')
    putElement(elements[i])
  }
  putLetters('}')
}

/** What is no text itself and no list. */
function scalarText(value: unknown): string {
  if (value instanceof Date) return instantText(value)
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

const areBytes = (elements: readonly unknown[]): elements is readonly Uint8Array[] =>
  elements.length > 0 && elements.every((element) => element instanceof Uint8Array)

/** A `bytea[]`: as text it would be twice as long, and read back from hexadecimal. */
function putByteArrays(elements: readonly Uint8Array[]): void {
  putInt32(20 + elements.reduce((sum, { length }) => sum + 4 + length, 0))
  for (const word of [1, 0, BYTEA, elements.length, 1]) putInt32(word)
  for (const element of elements) putBytes(element)
}

const isNothing = (element: unknown): element is null | undefined => element === null || element === undefined

const areTexts = (elements: readonly unknown[]): elements is readonly (string | null | undefined)[] =>
  elements.every((element) => typeof element === 'string' || isNothing(element))

/** A `text[]`: as one text every quote in it would be escaped here, and PostgreSQL would read it letter by letter. */
function putTextArray(elements: readonly (string | null | undefined)[]): void {
  const start = end
  putInt32(0)
  const has_nulls = elements.some(isNothing)
  for (const word of [elements.length === 0 ? 0 : 1, has_nulls ? 1 : 0, TEXT_TYPE]) putInt32(word)
  if (elements.length > 0) for (const word of [elements.length, 1]) putInt32(word)
  for (let i = 0; i < elements.length; i++) {
    const element = elements[i]
    const before = end
    putInt32(-1)
    if (isNothing(element)) continue
    putLetters(element)
    setInt32(end - before - 4, before)
  }
  setInt32(end - start - 4, start)
}

/** Writes a value with its length, and tells in which format. */
function putValue(value: unknown, is_text_list: boolean): number {
  if (value === null || value === undefined) {
    putInt32(-1)
    return TEXT
  }
  if (value instanceof Uint8Array) {
    putBytes(value)
    return BINARY
  }
  const is_list = Array.isArray(value)
  if (is_list && areBytes(value)) {
    putByteArrays(value)
    return BINARY
  }
  if (is_list && is_text_list && areTexts(value)) {
    putTextArray(value)
    return BINARY
  }
  const start = end
  putInt32(0)
  if (is_list) putList(value)
  else putLetters(typeof value === 'string' ? value : scalarText(value))
  setInt32(end - start - 4, start)
  return TEXT
}

/** `text_lists`: which values are a `text[]`. `describes`: PostgreSQL tells the columns of the answer first. */
export function bindMessage(
  statement: string,
  values: readonly unknown[],
  text_lists: readonly boolean[] = [],
  { describes = false } = {},
): Buffer {
  const count = values.length
  end = 0
  make(64 + 2 * count)
  room[end++] = 0x42
  end += 4
  // The portal has no name.
  room[end++] = 0
  end += room.write(statement, end, 'latin1')
  room[end++] = 0
  putInt16(count)
  const formats = end
  end += 2 * count
  putInt16(count)
  for (let i = 0; i < count; i++) {
    const format = putValue(values[i], text_lists[i] === true)
    room[formats + 2 * i] = 0
    room[formats + 2 * i + 1] = format
  }
  // Every column of the answer as text.
  putInt16(0)
  setInt32(end - 1, 1)
  make(DESCRIBE_PORTAL.length + EXECUTE_AND_SYNC.length)
  if (describes) end += DESCRIBE_PORTAL.copy(room, end)
  end += EXECUTE_AND_SYNC.copy(room, end)
  const message = Buffer.from(room.subarray(0, end))
  if (room.length > KEPT_BYTES) room = Buffer.allocUnsafe(1 << 14)
  return message
}
