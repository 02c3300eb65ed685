import { describe, expect, it } from 'vitest'
import { decodePdf417, type Grey } from '../../test/pdf/decode.ts'
import { encodePdf417, FIXED_MODULES, type Pdf417, START_PATTERN, STOP_PATTERN, shapePdf417 } from './pdf417.ts'
import { CLUSTERS } from './pdf417-patterns.ts'

const QUIET = 4
const SCALE = 2

/** Two pixels a module, rows three modules high. */
function draw(symbol: Pdf417): Grey {
  const modules = symbol.columns * 17 + FIXED_MODULES
  const width = (modules + 2 * QUIET) * SCALE
  const height = (symbol.rows * 3 + 2 * QUIET) * SCALE
  const pixels = new Uint8Array(width * height).fill(255)
  const across = symbol.columns + 2
  for (let row = 0; row < symbol.rows; row++) {
    const inner = Array.from(symbol.patterns.subarray(row * across, (row + 1) * across), (bits) => bits.toString(2))
    const bars = [START_PATTERN.toString(2), ...inner, STOP_PATTERN.toString(2)].join('')
    expect(bars).toHaveLength(modules)
    for (let y = 0; y < 3 * SCALE; y++) {
      const line = ((row * 3 + QUIET) * SCALE + y) * width + QUIET * SCALE
      for (let x = 0; x < modules; x++) if (bars[x] === '1') pixels.fill(0, line + x * SCALE, line + (x + 1) * SCALE)
    }
  }
  return { width, height, pixels }
}

const bytesOf = (length: number) => Uint8Array.from({ length }, (_, i) => (i * 71 + length) % 256)

describe('PDF417', () => {
  it('every byte comes back from an independent reader, at every remainder of six and in wide and narrow symbols', async () => {
    for (const length of [1, 5, 6, 7, 100, 776, 1034]) {
      for (const columns of [9, 14, 16]) {
        const shape = shapePdf417(length, columns)
        if (!shape) continue
        const [found] = await decodePdf417(draw(encodePdf417(bytesOf(length), shape)))
        expect(found?.bytes, `${length} bytes in ${columns} columns`).toEqual(bytesOf(length))
      }
    }
  })

  it('the level is 5 while it fits and gives way, one at a time, only for a timbre that is too long', () => {
    expect(shapePdf417(800, 14)?.level).toBe(5)
    expect(shapePdf417(1034, 16)?.level).toBe(5)
    expect(shapePdf417(1051, 16)?.level).toBe(4)
    expect(shapePdf417(1200, 16)).toBeNull()
  })

  it('a damaged symbol is still read: level 5 repairs 32 codewords', async () => {
    const shape = shapePdf417(776, 14)
    if (!shape) throw new Error('776 bytes fit in 14 columns')
    const symbol = encodePdf417(bytesOf(776), shape)
    const patterns = Int32Array.from(symbol.patterns)
    for (let i = 0; i < 28; i++) patterns[40 + i * 20] = CLUSTERS[Math.floor((40 + i * 20) / 16) % 3]?.[i] ?? 0
    const [found] = await decodePdf417(draw({ ...symbol, patterns }))
    expect(found?.bytes).toEqual(bytesOf(776))
  })

  it('the table is whole: 2,787 patterns of four bars and four spaces, each in the cluster of its row', () => {
    const seen = new Set<number>()
    for (const [turn, cluster] of CLUSTERS.entries()) {
      for (const pattern of cluster) {
        const runs =
          pattern
            .toString(2)
            .match(/1+|0+/g)
            ?.map((run) => run.length) ?? []
        const [b1 = 0, , b2 = 0, , b3 = 0, , b4 = 0] = runs
        expect(runs).toHaveLength(8)
        expect(Math.max(...runs)).toBeLessThanOrEqual(6)
        expect((b1 - b2 + b3 - b4 + 9) % 9).toBe(turn * 3)
        seen.add(pattern)
      }
    }
    expect(seen.size).toBe(2787)
  })
})
