import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import type { Rectangle } from './read-pdf.ts'

/** More than any stamp needs: about 300 modules across. */
const MOST_PIXELS = 4_000_000
/** Bars that lie over each other draw no stamp. */
const MOST_PAINTED = 4 * MOST_PIXELS
const PIXELS_PER_MODULE = 3
const QUIET = 12

type Reader = typeof import('zxing-wasm/reader')

let opened: Promise<Reader> | undefined

/** The decoder would fetch its program over the network unless it is handed over. */
async function openReader(): Promise<Reader> {
  opened ??= (async () => {
    const reader = await import('zxing-wasm/reader')
    const program = await readFile(createRequire(import.meta.url).resolve('zxing-wasm/reader/zxing_reader.wasm'))
    await reader.prepareZXingModule({
      overrides: { wasmBinary: Uint8Array.from(program).buffer },
      fireImmediately: true,
    })
    return reader
  })()
  return opened
}

/** The bytes of the PDF417 that these bars draw; null where they draw none that can be read. */
export async function decodeBars(bars: readonly Rectangle[]): Promise<Uint8Array | null> {
  const picture = paint(bars)
  if (picture === null) return null
  const { readBarcodes } = await openReader()
  const found = await readBarcodes(picture, {
    formats: ['PDF417'],
    tryRotate: false,
    tryInvert: false,
    tryDownscale: false,
    maxNumberOfSymbols: 1,
  })
  return found.find(({ isValid }) => isValid)?.bytes ?? null
}

/** Paints the bars at so many pixels for the narrowest of them, with white around. */
function paint(bars: readonly Rectangle[]) {
  const widths = bars.map(({ width }) => width).filter((width) => width > 0)
  if (widths.length < 50) return null
  const edge = (pick: (bar: Rectangle) => number, best: (...values: number[]) => number) =>
    bars.reduce((found, bar) => best(found, pick(bar)), pick(bars[0] as Rectangle))
  const [left, top] = [edge(({ x }) => x, Math.min), edge(({ y }) => y, Math.min)]
  const right = edge(({ x, width }) => x + width, Math.max)
  const bottom = edge(({ y, height }) => y + height, Math.max)
  const scale = PIXELS_PER_MODULE / widths.reduce((least, width) => Math.min(least, width))
  const at = (value: number) => QUIET + Math.round(value * scale)
  const [width, height] = [at(right - left) + QUIET, at(bottom - top) + QUIET]
  if (width * height > MOST_PIXELS) return null
  const data = new Uint8ClampedArray(width * height * 4).fill(255)
  const pixels = new Uint32Array(data.buffer)
  let painted = 0
  for (const bar of bars) {
    const [from, to] = [at(bar.x - left), at(bar.x + bar.width - left)]
    painted += (to - from) * (at(bar.height) - QUIET)
    if (painted > MOST_PAINTED) return null
    for (let row = at(bar.y - top); row < at(bar.y + bar.height - top); row++)
      pixels.fill(0xff000000, row * width + from, row * width + to)
  }
  return { data, width, height, colorSpace: 'srgb' as const }
}
