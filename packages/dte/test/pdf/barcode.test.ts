import { existsSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { PDF_FORMATS } from '../../src/pdf/options.ts'
import { renderPdf } from '../../src/pdf/render.ts'
import { decodePdf417, type Grey } from './decode.ts'
import { hasPoppler, rasterize } from './raster.ts'
import { sample, sampleTed } from './samples.ts'

const noPoppler = !hasPoppler()
if (noPoppler) console.warn('barcode.test.ts: pdftoppm is missing; no printed timbre is read back')
const golden = new URL('../../../../../shared/sii/samples/synthetic/EnvioDTE.xml', import.meta.url)
const noShared = !existsSync(golden)
if (noShared) console.warn('barcode.test.ts: ../shared/sii is missing; its timbres are not read back')

const options = {
  cedible: true,
  watermark: 'SIN VALOR TRIBUTARIO',
  resolucion: { numero: 80, fecha: '2014-08-22' },
  created_at: '2026-11-15T13:20:30Z',
}

async function readBack(page: Grey | undefined): Promise<string> {
  if (!page) return 'no page'
  const found = await decodePdf417(page)
  return found.map(({ bytes }) => new TextDecoder('latin1').decode(bytes)).join('|') || 'no timbre found'
}

// Drawing and reading pages takes the time that a busy machine gives it.
describe.skipIf(noPoppler)('the printed timbre', () => {
  for (const format of PDF_FORMATS) {
    for (const tipo_dte of [33, 39] as const) {
      it(`${format}, tipo ${tipo_dte}: at 200 dpi it is read back as the very bytes of the TED`, async () => {
        const dte = sample(tipo_dte)
        const ted = sampleTed(dte)
        const pages = rasterize(await renderPdf(dte, { ...options, format, ted }), 200)
        expect(await readBack(pages.at(-1))).toBe(ted)
      })
    }
  }

  for (const format of ['ticket_80', 'ticket_58'] as const) {
    it(`${format}: a thermal head of 8 dots a millimetre prints it legibly, short or long`, async () => {
      for (const keyLength of [86, 172]) {
        const dte = sample(39)
        const ted = sampleTed(dte, keyLength)
        const pages = rasterize(await renderPdf(dte, { ...options, format, ted }), 203.2, 'mono')
        expect(await readBack(pages.at(-1)), `${ted.length} bytes`).toBe(ted)
      }
    })
  }

  it('letter: it is read on the last page of a long document', async () => {
    const items = Array.from({ length: 60 }, (_, i) => ({
      description: `Artículo ${i + 1}`,
      quantity: 1,
      unit_price: 1000 + i,
    }))
    const dte = sample(33, { items })
    const ted = sampleTed(dte)
    const pages = rasterize(await renderPdf(dte, { ...options, format: 'letter', ted }), 200)
    expect(pages.length).toBeGreaterThan(1)
    expect(await readBack(pages[0])).toBe('no timbre found')
    expect(await readBack(pages.at(-1))).toBe(ted)
  })

  it.skipIf(noShared)('every timbre of the golden envelope is read back, the layouts taking turns', async () => {
    const envelope = new TextDecoder('latin1').decode(readFileSync(golden))
    const teds = envelope.match(/<TED .*?<\/TED>/gs) ?? []
    expect(teds).toHaveLength(6)
    for (const [i, ted] of teds.entries()) {
      const format = PDF_FORMATS[i % PDF_FORMATS.length] ?? 'letter'
      const pages = rasterize(await renderPdf(sample(39), { ...options, format, ted }), 200)
      expect(await readBack(pages.at(-1)), `${format}, ${ted.length} bytes`).toBe(ted)
    }
  })
})
