/** Just enough DER to write certificates and PFX files. */

export type Der = Uint8Array

export function tlv(tag: number, ...parts: Uint8Array[]): Der {
  const body = Buffer.concat(parts)
  if (body.length < 0x80) return Buffer.concat([Buffer.from([tag, body.length]), body])
  const length = Buffer.from(
    body.length.toString(16).padStart(body.length > 0xffff ? 6 : body.length > 0xff ? 4 : 2, '0'),
    'hex',
  )
  return Buffer.concat([Buffer.from([tag, 0x80 | length.length]), length, body])
}

export const sequence = (...parts: Uint8Array[]): Der => tlv(0x30, ...parts)
export const set = (...parts: Uint8Array[]): Der => tlv(0x31, ...parts)
export const octets = (bytes: Uint8Array): Der => tlv(0x04, bytes)
export const bits = (bytes: Uint8Array, unused = 0): Der => tlv(0x03, Buffer.from([unused]), bytes)
export const utf8 = (text: string): Der => tlv(0x0c, Buffer.from(text))
export const printable = (text: string): Der => tlv(0x13, Buffer.from(text, 'latin1'))
export const ia5 = (text: string): Der => tlv(0x16, Buffer.from(text, 'latin1'))
export const bmp = (text: string): Der => tlv(0x1e, Buffer.from(text, 'utf16le').swap16())
export const nothing: Der = tlv(0x05)
export const yes: Der = tlv(0x01, Buffer.from([0xff]))
/** `[n]`, explicit. */
export const tagged = (number: number, ...parts: Uint8Array[]): Der => tlv(0xa0 | number, ...parts)

export function integer(value: number | Uint8Array): Der {
  let bytes =
    typeof value === 'number'
      ? Buffer.from(
          value.toString(16).padStart(value.toString(16).length + (value.toString(16).length % 2), '0'),
          'hex',
        )
      : Buffer.from(value)
  if ((bytes[0] ?? 0) & 0x80) bytes = Buffer.concat([Buffer.from([0]), bytes])
  return tlv(0x02, bytes)
}

export function oid(dotted: string): Der {
  const [first = 0, second = 0, ...rest] = dotted.split('.').map(Number)
  const bytes: number[] = []
  for (const arc of [first * 40 + second, ...rest]) {
    const groups = [arc & 0x7f]
    for (let left = Math.floor(arc / 128); left > 0; left = Math.floor(left / 128)) groups.unshift((left & 0x7f) | 0x80)
    bytes.push(...groups)
  }
  return tlv(0x06, Buffer.from(bytes))
}

/** UTCTime until 2049, as RFC 5280 4.1.2.5 asks. */
export function time(instant: number): Der {
  const digits = new Date(instant).toISOString().replace(/\D/g, '').slice(0, 14)
  return digits < '2050' ? tlv(0x17, Buffer.from(`${digits.slice(2)}Z`)) : tlv(0x18, Buffer.from(`${digits}Z`))
}
