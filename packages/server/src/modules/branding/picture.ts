/** What a picture says of itself, once its own bytes bear it out. */
export interface Picture {
  readonly media_type: 'image/png' | 'image/jpeg'
  readonly width: number
  readonly height: number
}

const MAX_SIDE = 4000
const MAX_PIXELS = 4_000_000
const PNG = Buffer.from('89504e470d0a1a0a', 'hex')
const JPEG = Buffer.from('ffd8ff', 'hex')

/** A sentence that says why the bytes cannot be printed as a logo, or what they are. */
export function inspectPicture(bytes: Buffer): Picture | string {
  if (bytes.subarray(0, PNG.length).equals(PNG)) return sane(inspectPng(bytes))
  if (bytes.subarray(0, JPEG.length).equals(JPEG)) return sane(inspectJpeg(bytes))
  return 'it must be a PNG or a JPEG.'
}

function sane(picture: Picture | string): Picture | string {
  if (typeof picture === 'string') return picture
  const { width, height } = picture
  const fits = width > 0 && height > 0 && width <= MAX_SIDE && height <= MAX_SIDE && width * height <= MAX_PIXELS
  return fits
    ? picture
    : `it measures ${width} by ${height} pixels; at most ${MAX_SIDE} a side and 4 megapixels in all.`
}

/** Chunk by chunk to its end, so that a file cut short is noticed now and not when an invoice is printed. */
function inspectPng(bytes: Buffer): Picture | string {
  const damaged = 'it is a damaged PNG.'
  if (bytes.length < 33 || bytes.readUInt32BE(8) !== 13 || bytes.toString('latin1', 12, 16) !== 'IHDR') return damaged
  if (bytes[24] === 16) return 'it is a PNG of 16 bits a channel; save it with 8.'
  if (bytes[28] !== 0) return 'it is an interlaced PNG; save it without interlacing.'
  const kinds = new Set<string>()
  for (let at = 8; at + 12 <= bytes.length; at += bytes.readUInt32BE(at) + 12) {
    kinds.add(bytes.toString('latin1', at + 4, at + 8))
  }
  if (!kinds.has('IDAT') || !kinds.has('IEND')) return damaged
  return { media_type: 'image/png', width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) }
}

/** Markers C0 to CF start a frame, which tells the size; these three of them mean something else. */
const NOT_FRAMES = new Set([0xc4, 0xc8, 0xcc])

function inspectJpeg(bytes: Buffer): Picture | string {
  const damaged = 'it is a damaged JPEG.'
  if (bytes.lastIndexOf(Buffer.from('ffd9', 'hex')) < 0) return damaged
  for (let at = 2; at + 10 <= bytes.length && bytes[at] === 0xff; at += 2 + bytes.readUInt16BE(at + 2)) {
    const marker = bytes[at + 1] ?? 0
    if (marker >= 0xc0 && marker <= 0xcf && !NOT_FRAMES.has(marker)) {
      return { media_type: 'image/jpeg', width: bytes.readUInt16BE(at + 7), height: bytes.readUInt16BE(at + 5) }
    }
  }
  return damaged
}
