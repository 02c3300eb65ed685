/** One DER value: its tag and where its content lies. */
export interface Der {
  readonly tag: number
  readonly bytes: Uint8Array
  readonly start: number
  readonly end: number
}

export const DER_INTEGER = 0x02
export const DER_OCTET_STRING = 0x04
export const DER_OID = 0x06
export const DER_SEQUENCE = 0x30

/** The value at an offset, or undefined when it does not fit in its bounds or uses a form that DER forbids. */
export function readDer(bytes: Uint8Array, at = 0, limit = bytes.length): Der | undefined {
  const tag = bytes[at]
  const first = bytes[at + 1]
  if (tag === undefined || first === undefined || at + 2 > limit || (tag & 0x1f) === 0x1f) return undefined
  if (first < 0x80) return bounded({ tag, bytes, start: at + 2, end: at + 2 + first }, limit)
  const octets = first & 0x7f
  if (octets === 0 || octets > 4 || at + 2 + octets > limit) return undefined
  let length = 0
  for (let index = 0; index < octets; index++) length = length * 256 + (bytes[at + 2 + index] ?? 0)
  const start = at + 2 + octets
  return bounded({ tag, bytes, start, end: start + length }, limit)
}

function bounded(der: Der, limit: number): Der | undefined {
  return der.end > limit ? undefined : der
}

/** The values inside a constructed one; it stops at the first that cannot be read. */
export function derChildren(parent: Der | undefined): readonly Der[] {
  const children: Der[] = []
  if (parent === undefined) return children
  for (let at = parent.start; at < parent.end; ) {
    const child = readDer(parent.bytes, at, parent.end)
    if (child === undefined) break
    children.push(child)
    at = child.end
  }
  return children
}

export function derContent(der: Der): Uint8Array {
  return der.bytes.subarray(der.start, der.end)
}

/** Whether the value is this object identifier, given as the hexadecimal of its content. */
export function isOid(der: Der | undefined, hex: string): boolean {
  return der !== undefined && der.tag === DER_OID && Buffer.from(derContent(der)).toString('hex') === hex
}
