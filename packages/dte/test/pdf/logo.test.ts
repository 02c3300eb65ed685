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
  0xff, 0xd8, 0xff, 0xe0, 0, 4, 0, 0, 0xff, 0xc0, 0, 17, 8, 0, 20, 0, 30, 3, 1, 0x22, 0, 2, 0x11, 1, 3, 0x11, 1, 0xff,
  0xda, 0, 12, 3, 1, 0, 2, 17, 3, 17, 0, 63, 0, 0xff, 0xd9,
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
    for (const [color, depth] of [
      [0, 3],
      [0, 0],
      [2, 4],
      [3, 6],
      [6, 4],
      [1, 8],
      [5, 8],
      [7, 8],
    ] as const) {
      const palette = color === 3 ? PALETTE : []
      expect(() => readLogo(png({ color, depth, channels: 4 }, palette)), `${color} ${depth}`).toThrow(/does not exist/)
    }
    const row = (filter: number) => [filter, 0, 0, 0]
    const filtered = (filter: number) => deflateSync(Uint8Array.from([...row(0), ...row(filter)]))
    expect(readLogo(png({ color: 0, channels: 1 }, [], filtered(4)))).toMatchObject({ width: 3 })
    for (const filter of [5, 255])
      expect(() => readLogo(png({ color: 0, channels: 1 }, [], filtered(filter)))).toThrow(/damaged/)
    expect(() => readLogo(png({ color: 3, channels: 1 }, chunk('PLTE', new Uint8Array(4))))).toThrow(/damaged/)
    const huge = Uint8Array.from(png({ color: 2, channels: 3 }))
    huge[16] = 0x7f
    expect(() => readLogo(huge)).toThrow(/pixels/)
  })

  it('a JPEG that PDF readers do not know, or that has no scan, is refused', () => {
    const changed = (at: number, value: number) => Uint8Array.from(JPEG, (byte, i) => (i === at ? value : byte))
    for (const frame of [0xc0, 0xc1, 0xc2]) expect(readLogo(changed(9, frame))).toMatchObject({ width: 30 })
    for (const frame of [0xc3, 0xc5, 0xc6, 0xc7, 0xc9, 0xca, 0xcb, 0xcd, 0xce, 0xcf])
      expect(() => readLogo(changed(9, frame)), String(frame)).toThrow(/cannot be printed/)
    expect(() => readLogo(changed(12, 12))).toThrow(/cannot be printed/)
    expect(() => readLogo(JPEG.subarray(0, 27))).toThrow(/damaged/)
    expect(() => readLogo(Uint8Array.from([...JPEG.subarray(0, 27), 0xff, 0xfe, 0, 0, 0, 0]))).toThrow(/damaged/)
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
