import { deflateSync } from 'node:zlib'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { LogoError, readLogo } from '../../src/pdf/logo.ts'
import { renderPdf } from '../../src/pdf/render.ts'
import { sample } from './samples.ts'

const SIGNATURE = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]

/** A chunk without its checksum worked out: readers of logos do not need it. */
function chunk(kind: string, body: Uint8Array): number[] {
  const length = [24, 16, 8, 0].map((shift) => (body.length >> shift) & 255)
  return [...length, ...new TextEncoder().encode(kind), ...body, 0, 0, 0, 0]
}

interface Shape {
  readonly color: number
  readonly depth?: number
  readonly interlace?: number
  readonly channels: number
}

function png(
  { color, channels, depth = 8, interlace = 0 }: Shape,
  extra: number[] = [],
  idat?: Uint8Array,
): Uint8Array {
  const [width, height] = [3, 2]
  const rows = Array.from({ length: height }, (_, y) => [
    y % 5,
    ...Array.from({ length: width * channels }, (_, x) => (x * 40 + y) % 256),
  ])
  const header = Uint8Array.from([0, 0, 0, width, 0, 0, 0, height, depth, color, 0, 0, interlace])
  const data = idat ?? deflateSync(Uint8Array.from(rows.flat()))
  return Uint8Array.from([
    ...SIGNATURE,
    ...chunk('IHDR', header),
    ...extra,
    ...chunk('IDAT', data),
    ...chunk('IEND', new Uint8Array(0)),
  ])
}

const PALETTE = [
  ...chunk(
    'PLTE',
    Uint8Array.from({ length: 768 }, (_, i) => i % 256),
  ),
  ...chunk('tRNS', Uint8Array.from([0, 128])),
]
const JPEG = Uint8Array.from([
  0xff, 0xd8, 0xff, 0xe0, 0, 4, 0, 0, 0xff, 0xc0, 0, 17, 8, 0, 20, 0, 30, 3, 0, 0, 0, 0, 0, 0,
])

describe('the logo', () => {
  it('grey, colour, palette and transparent PNGs and JPEGs are printed', async () => {
    const pictures = [
      png({ color: 0, channels: 1 }),
      png({ color: 2, channels: 3 }),
      png({ color: 3, channels: 1 }, PALETTE),
      png({ color: 4, channels: 2 }),
      png({ color: 6, channels: 4 }),
      JPEG,
    ]
    for (const logo of pictures) {
      const pdf = await renderPdf(sample(33), { format: 'letter', created_at: '2026-11-15T13:20:30Z', logo })
      expect(new TextDecoder('latin1').decode(pdf)).toContain('/Subtype /Image')
    }
    expect(readLogo(JPEG)).toMatchObject({ width: 30, height: 20 })
    expect(readLogo(png({ color: 6, channels: 4 })).alpha).not.toBeNull()
  })

  it('what cannot be printed is refused with a reason', () => {
    expect(() => readLogo(Uint8Array.from([1, 2, 3]))).toThrow(/neither a PNG nor a JPEG/)
    expect(() => readLogo(png({ color: 6, channels: 4, interlace: 1 }))).toThrow(/interlaced/)
    expect(() => readLogo(png({ color: 6, channels: 4, depth: 16 }))).toThrow(/16 bits/)
    expect(() => readLogo(png({ color: 6, channels: 4 }).subarray(0, 50))).toThrow(/damaged/)
    const huge = Uint8Array.from(png({ color: 2, channels: 3 }))
    huge[16] = 0x7f
    expect(() => readLogo(huge)).toThrow(/pixels/)
  })

  it('a PNG that would inflate to more, or to less, than its header tells is refused', () => {
    const shapes = [
      { color: 0, channels: 1 },
      { color: 2, channels: 3 },
      { color: 3, channels: 1 },
      { color: 6, channels: 4 },
    ]
    const bomb = deflateSync(new Uint8Array(1_000_000))
    for (const shape of shapes) {
      const palette = shape.color === 3 ? PALETTE : []
      for (const data of [bomb, deflateSync(new Uint8Array(3))]) {
        expect(() => readLogo(png(shape, palette, data))).toThrow(/damaged/)
      }
    }
  })

  it('damaged bytes end in a LogoError or in a picture, never in anything else', () => {
    const whole = png({ color: 6, channels: 4 })
    const damage = fc.array(fc.tuple(fc.nat(whole.length - 1), fc.nat(255)), { minLength: 1, maxLength: 8 })
    const damaged = damage.map((changes) => {
      const bytes = Uint8Array.from(whole)
      for (const [at, value] of changes) bytes[at] = value
      return bytes
    })
    const noise = fc.tuple(fc.constantFrom(SIGNATURE, [0xff, 0xd8]), fc.uint8Array({ maxLength: 200 }))
    const random = noise.map(([head, body]) => Uint8Array.from([...head, ...body]))
    fc.assert(
      fc.property(fc.oneof(damaged, random), (bytes) => {
        try {
          readLogo(bytes)
        } catch (error) {
          expect(error).toBeInstanceOf(LogoError)
        }
      }),
      { numRuns: 2000 },
    )
  })
})
