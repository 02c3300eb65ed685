// What is sent to PostgreSQL to run a statement that it has prepared: Bind, Execute and Sync of its protocol as one piece of bytes
// (https://www.postgresql.org/docs/current/protocol-message-formats.html). The driver writes them one by one, converts every value
// twice and asks for the columns of the answer each time; at some eight statements a document that was a fifth of its cost.

const TEXT = 0
const BINARY = 1
const BYTEA = 17
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

function putInt32(value: number): void {
  make(4)
  end = room.writeInt32BE(value, end)
}

function putBytes(bytes: Uint8Array): void {
  putInt32(bytes.length)
  make(bytes.length)
  room.set(bytes, end)
  end += bytes.length
}

function putText(text: string): void {
  // No character of UTF-16 takes more than three bytes.
  make(4 + 3 * text.length)
  const size = room.write(text, end + 4, 'utf8')
  room.writeInt32BE(size, end)
  end += 4 + size
}

/** An instant in UTC. A year of five digits has a sign in ISO 8601, which PostgreSQL does not read. */
const instantText = (date: Date) => date.toISOString().replace(/^\+0*/, '')

const NEEDS_ESCAPE = /["\\]/
// biome-ignore lint/suspicious/noControlCharactersInRegex: what JSON writes in a way of its own, half a pair of surrogates among it.
const OTHER_IN_JSON = /[\u0000-\u001f\ud800-\udfff]/

/** An element of a list. What is long is mostly JSON, and JSON escapes the same characters in a third of the time. */
function quoted(text: string): string {
  if (!NEEDS_ESCAPE.test(text)) return `"${text}"`
  return OTHER_IN_JSON.test(text) ? `"${text.replace(/["\\]/g, '\\$&')}"` : JSON.stringify(text)
}

function elementText(element: unknown): string {
  if (element === null || element === undefined) return 'NULL'
  if (typeof element === 'number') return String(element)
  if (Array.isArray(element)) return arrayText(element)
  if (element instanceof Uint8Array) return `"\\\\x${Buffer.from(element).toString('hex')}"`
  return quoted(scalarText(element))
}

function arrayText(elements: readonly unknown[]): string {
  let text = '{'
  for (let i = 0; i < elements.length; i++) text += i === 0 ? elementText(elements[i]) : `,${elementText(elements[i])}`
  return `${text}}`
}

function scalarText(value: unknown): string {
  if (typeof value === 'string') return value
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

/** Writes a value with its length, and tells in which format. */
function putValue(value: unknown): number {
  if (typeof value === 'string') putText(value)
  else if (value === null || value === undefined) putInt32(-1)
  else if (value instanceof Uint8Array) {
    putBytes(value)
    return BINARY
  } else if (Array.isArray(value)) {
    if (areBytes(value)) {
      putByteArrays(value)
      return BINARY
    }
    putText(arrayText(value))
  } else putText(scalarText(value))
  return TEXT
}

/** `describes`: PostgreSQL tells the columns of the answer first. */
export function bindMessage(statement: string, values: readonly unknown[], { describes = false } = {}): Buffer {
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
    const format = putValue(values[i])
    room[formats + 2 * i] = 0
    room[formats + 2 * i + 1] = format
  }
  // Every column of the answer as text.
  putInt16(0)
  room.writeInt32BE(end - 1, 1)
  make(DESCRIBE_PORTAL.length + EXECUTE_AND_SYNC.length)
  if (describes) end += DESCRIBE_PORTAL.copy(room, end)
  end += EXECUTE_AND_SYNC.copy(room, end)
  const message = Buffer.from(room.subarray(0, end))
  if (room.length > KEPT_BYTES) room = Buffer.allocUnsafe(1 << 14)
  return message
}
