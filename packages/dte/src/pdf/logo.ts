import { deflateSync, inflateSync } from 'node:zlib'
import { concatBytes } from './bytes.ts'

/**
 * A picture ready to be written in a PDF. pdfkit's own reader inflates a PNG in a callback and throws there, out of
 * reach of whoever called it: a broken logo would end the process. This one fails where it is called, and within limits.
 */
export interface Logo {
  readonly width: number
  readonly height: number
  readonly dictionary: Readonly<Record<string, unknown>>
  readonly data: Uint8Array
  /** Opacity, one byte a pixel, compressed. */
  readonly alpha: Uint8Array | null
}

export class LogoError extends Error {
  override readonly name = 'LogoError'
}

const MAX_SIDE = 4000
const MAX_PIXELS = 4_000_000

const prepared = new WeakMap<Uint8Array, Logo>()

/** Reads a PNG or a JPEG; a LogoError says why it cannot be printed. The same bytes are read once. */
export function readLogo(bytes: Uint8Array): Logo {
  const known = prepared.get(bytes)
  if (known) return known
  const logo = isPng(bytes) ? readPng(bytes) : isJpeg(bytes) ? readJpeg(bytes) : null
  if (!logo) throw new LogoError('the logo is neither a PNG nor a JPEG')
  prepared.set(bytes, logo)
  return logo
}

const isPng = (bytes: Uint8Array) =>
  [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a].every((byte, i) => bytes[i] === byte)
const isJpeg = (bytes: Uint8Array) => bytes[0] === 0xff && bytes[1] === 0xd8

function checkSize(width: number, height: number): void {
  if (width < 1 || height < 1 || width > MAX_SIDE || height > MAX_SIDE || width * height > MAX_PIXELS) {
    throw new LogoError(
      `the logo measures ${width} by ${height} pixels; at most ${MAX_SIDE} a side, 4 megapixels in all`,
    )
  }
}

/** Baseline, extended and progressive, all in Huffman codes: what DCTDecode knows (ISO 32000-1, 7.4.8). */
const PRINTED_FRAMES: readonly number[] = [0xc0, 0xc1, 0xc2]
const START_OF_SCAN = 0xda

const damagedJpeg = () => new LogoError('the logo is a damaged JPEG')

/** The compressed picture goes in as it is: PDF readers know JPEG. */
function readJpeg(bytes: Uint8Array): Logo {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  let logo: Logo | null = null
  for (let at = 2; at + 4 <= bytes.length; ) {
    if (bytes[at] !== 0xff) throw damagedJpeg()
    const marker = bytes[at + 1] ?? 0
    if (marker === START_OF_SCAN) break
    // Start of frame, in any of its kinds; C4, C8 and CC share the range and are something else.
    if (marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc) {
      if (logo || at + 10 > bytes.length) throw damagedJpeg()
      const [height, width, components] = [view.getUint16(at + 5), view.getUint16(at + 7), bytes[at + 9] ?? 0]
      checkSize(width, height)
      const space = { 1: 'DeviceGray', 3: 'DeviceRGB', 4: 'DeviceCMYK' }[components]
      if (!space || bytes[at + 4] !== 8 || !PRINTED_FRAMES.includes(marker)) {
        throw new LogoError('the logo is a JPEG of a kind that cannot be printed; save it as a baseline one of 8 bits')
      }
      // Programs write CMYK JPEGs with their inks inverted.
      const decode = components === 4 ? { Decode: [1, 0, 1, 0, 1, 0, 1, 0] } : {}
      const dictionary = { BitsPerComponent: 8, ColorSpace: space, Filter: 'DCTDecode', ...decode }
      logo = { width, height, dictionary, data: bytes, alpha: null }
    }
    const length = view.getUint16(at + 2)
    if (length < 2) throw damagedJpeg()
    at += 2 + length
    // Any number of filling bytes may stand before a marker.
    while (bytes[at] === 0xff && bytes[at + 1] === 0xff) at++
    if (at + 4 > bytes.length) throw damagedJpeg()
  }
  if (!logo) throw damagedJpeg()
  return logo
}

interface Png {
  readonly width: number
  readonly height: number
  readonly depth: number
  readonly color: number
  readonly palette: Uint8Array
  readonly transparency: Uint8Array
  readonly data: Uint8Array
}

function readPng(bytes: Uint8Array): Logo {
  const png = readChunks(bytes)
  const colors = png.color === 2 ? 3 : 1
  const space =
    png.color === 3
      ? ['Indexed', 'DeviceRGB', png.palette.length / 3 - 1, png.palette]
      : colors === 3
        ? 'DeviceRGB'
        : 'DeviceGray'
  if (png.color >= 4) return splitAlpha(png)
  // The picture goes into the page as it came, for every reader to inflate: one that is a bomb ends here.
  inflateRows(png, colors)
  const { width, height } = png
  const dictionary = {
    BitsPerComponent: png.depth,
    ColorSpace: space,
    Filter: 'FlateDecode',
    DecodeParms: { Predictor: 15, Colors: colors, BitsPerComponent: png.depth, Columns: width },
  }
  const indexed = png.color === 3 && png.depth === 8 && png.transparency.length > 0
  return { width, height, dictionary, data: png.data, alpha: indexed ? alphaOfPalette(png) : null }
}

/** The bits of a sample that each colour type may have (PNG specification, table 11.1), without those of 16. */
const DEPTHS: Readonly<Record<number, readonly number[]>> = {
  0: [1, 2, 4, 8],
  2: [8],
  3: [1, 2, 4, 8],
  4: [8],
  6: [8],
}

function readChunks(bytes: Uint8Array): Png {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  if (bytes.length < 33) throw new LogoError('the logo is a damaged PNG')
  const [width, height] = [view.getUint32(16), view.getUint32(20)]
  const [depth = 0, color = 0, compression, filters, interlace] = bytes.subarray(24, 29)
  checkSize(width, height)
  if (interlace) throw new LogoError('the logo is an interlaced PNG; save it without interlacing')
  if (depth === 16) throw new LogoError('the logo is a PNG of 16 bits; save it with 8')
  if (compression !== 0 || filters !== 0 || !DEPTHS[color]?.includes(depth)) {
    throw new LogoError('the logo is a PNG of a kind that does not exist')
  }
  const data: Uint8Array[] = []
  let palette: Uint8Array = new Uint8Array(0)
  let transparency: Uint8Array = new Uint8Array(0)
  for (let at = 33; at + 12 <= bytes.length; ) {
    const length = view.getUint32(at)
    const body = bytes.subarray(at + 8, at + 8 + length)
    const kind = String.fromCharCode(...bytes.subarray(at + 4, at + 8))
    if (body.length < length) break
    if (kind === 'IDAT') data.push(body)
    if (kind === 'PLTE') palette = body
    if (kind === 'tRNS') transparency = body
    at += length + 12
  }
  if (data.length === 0 || (color === 3 && !isPalette(palette))) throw new LogoError('the logo is a damaged PNG')
  return { width, height, depth, color, palette, transparency, data: concatBytes(data) }
}

const isPalette = ({ length }: Uint8Array) => length >= 3 && length <= 768 && length % 3 === 0

/** Rows a little longer than they should be are let pass: some programs pad the last one. */
const SPARE_BYTES = 64

/** None, Sub, Up, Average and Paeth (PNG specification, clause 9). */
const LAST_FILTER = 4

/** The rows, each with its filter before it. Stops at the size that the header tells, whatever the data would inflate to. */
function inflateRows({ width, height, depth, data }: Png, channels: number): Uint8Array {
  const row = Math.ceil((width * channels * depth) / 8) + 1
  const bytes = row * height
  let raw: Uint8Array
  try {
    raw = inflateSync(data, { maxOutputLength: bytes + SPARE_BYTES })
  } catch {
    throw new LogoError('the logo is a damaged PNG')
  }
  if (raw.length < bytes) throw new LogoError('the logo is a damaged PNG')
  for (let at = 0; at < bytes; at += row) {
    if ((raw[at] ?? 0) > LAST_FILTER) throw new LogoError('the logo is a damaged PNG')
  }
  return raw
}

/** Pixels of 8 bits a channel with the row filters undone (PNG specification, clause 9). */
function unfilter(png: Png, channels: number): Uint8Array {
  const stride = png.width * channels
  const raw = inflateRows(png, channels)
  const out = new Uint8Array(stride * png.height)
  for (let y = 0; y < png.height; y++) {
    const filter = raw[y * (stride + 1)] ?? 0
    for (let x = 0, at = y * stride; x < stride; x++, at++) {
      const left = x >= channels ? (out[at - channels] ?? 0) : 0
      const up = y > 0 ? (out[at - stride] ?? 0) : 0
      const corner = x >= channels && y > 0 ? (out[at - stride - channels] ?? 0) : 0
      out[at] = (raw[y * (stride + 1) + 1 + x] ?? 0) + predict(filter, left, up, corner)
    }
  }
  return out
}

function predict(filter: number, left: number, up: number, corner: number): number {
  switch (filter) {
    case 1:
      return left
    case 2:
      return up
    case 3:
      return (left + up) >> 1
    case 4: {
      const guess = left + up - corner
      const [a, b, c] = [Math.abs(guess - left), Math.abs(guess - up), Math.abs(guess - corner)]
      return a <= b && a <= c ? left : b <= c ? up : corner
    }
    default:
      return 0
  }
}

function splitAlpha(png: Png): Logo {
  const colors = png.color === 6 ? 3 : 1
  const pixels = unfilter(png, colors + 1)
  const count = png.width * png.height
  const inks = new Uint8Array(count * colors)
  const alpha = new Uint8Array(count)
  for (let i = 0, at = 0; i < count; i++) {
    for (let c = 0; c < colors; c++) inks[i * colors + c] = pixels[at++] ?? 0
    alpha[i] = pixels[at++] ?? 0
  }
  const dictionary = {
    BitsPerComponent: 8,
    ColorSpace: colors === 3 ? 'DeviceRGB' : 'DeviceGray',
    Filter: 'FlateDecode',
  }
  return { width: png.width, height: png.height, dictionary, data: deflateSync(inks), alpha: deflateSync(alpha) }
}

function alphaOfPalette(png: Png): Uint8Array {
  return deflateSync(unfilter(png, 1).map((index) => png.transparency[index] ?? 255))
}
