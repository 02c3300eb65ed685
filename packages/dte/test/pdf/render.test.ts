import { describe, expect, it } from 'vitest'
import type { DteDraft } from '../../src/document/document.ts'
import { TIPO_NUMBERS, type TipoDte, tipo } from '../../src/document/tipos.ts'
import { ACUSE_TEXT } from '../../src/pdf/copy.ts'
import { widthOf } from '../../src/pdf/face.ts'
import { isLawfulFormat, PDF_FORMATS, type PdfFormat } from '../../src/pdf/options.ts'
import { renderPdf } from '../../src/pdf/render.ts'
import { readPages, readText } from './extract.ts'
import { sample, sampleTed } from './samples.ts'

const created_at = '2026-11-15T13:20:30Z'
const resolucion = { numero: 80, fecha: '2014-08-22' }

function print(
  tipo_dte: TipoDte,
  format: PdfFormat,
  changes: Partial<DteDraft> = {},
  more: object = {},
): Promise<Uint8Array> {
  const dte = sample(tipo_dte, changes)
  return renderPdf(dte, { format, ted: sampleTed(dte), resolucion, created_at, ...more })
}

const squeeze = (text: string) => text.replace(/\s+/g, '')

/** The widest letter in every field, at the length that the SII's schema allows. */
const wide = (length: number) => 'W'.repeat(length)
const LONGEST: Partial<DteDraft> = {
  emisor: {
    rut: '76543210-3',
    legal_name: `A${wide(98)}Z`,
    giro: `B${wide(78)}Z`,
    address: { street: `C${wide(68)}Z`, comuna: `D${wide(18)}Z`, city: `E${wide(18)}Z` },
  },
  receptor: {
    rut: '77123456-9',
    legal_name: `F${wide(98)}Z`,
    giro: `G${wide(38)}Z`,
    address: { street: `H${wide(68)}Z`, comuna: `I${wide(18)}Z`, city: `J${wide(18)}Z` },
    contact: `K${wide(78)}Z`,
    email: `L${wide(78)}Z`,
  },
  items: [
    {
      description: `M${wide(78)}Z`,
      detail: `N${wide(998)}Z`,
      code: { type: 'INT1', value: `O${wide(33)}Z` },
      quantity: 99999999.123456,
      unit: wide(4),
      unit_price: 9999.1234,
      discount: { percent: 12.34 },
    },
  ],
  references: [{ document_type: '801', folio: `P${wide(16)}Z`, date: '2026-01-01', reason: `Q${wide(88)}Z` }],
  discounts: [{ percent: 1, reason: `R${wide(43)}Z` }],
}

describe('renderPdf', () => {
  for (const tipo_dte of TIPO_NUMBERS) {
    it(`tipo ${tipo_dte}: every format prints the box, the parties, the lines and the total`, async () => {
      for (const format of PDF_FORMATS) {
        const text = squeeze(readText(await print(tipo_dte, format)))
        const { items, totals } = sample(tipo_dte)
        const total = totals.total.toLocaleString('es-CL')
        const expected = [
          'R.U.T.: 76.543.210-3',
          tipo(tipo_dte).printed_name,
          'N° 2231',
          'S.I.I. - ÑUÑOA',
          `$ ${total}`,
        ]
        for (const part of [
          ...expected,
          'Timbre Electrónico SII',
          'Res. 80 de 2014',
          'Verifique documento: www.sii.cl',
        ]) {
          expect(text, format).toContain(squeeze(part))
        }
        for (const { description } of items) expect(text, format).toContain(squeeze(description))
      }
    })
  }

  it('the same arguments give the same bytes, and another instant gives others', async () => {
    for (const format of PDF_FORMATS) {
      expect(await print(33, format)).toEqual(await print(33, format))
      expect(await print(33, format, {}, { created_at: '2026-11-16T00:00:00Z' })).not.toEqual(await print(33, format))
    }
  })

  it('no text is cut and none leaves the page, at the longest that the schema allows', async () => {
    for (const format of PDF_FORMATS) {
      const pdf = await print(33, format, LONGEST, { cedible: true, footer: `S${wide(300)}Z` })
      const text = squeeze(readText(pdf))
      for (const [letter, length] of Object.entries({ A: 98, F: 98, G: 38, H: 68, K: 78, L: 78, S: 300 })) {
        expect(text, `${letter} in ${format}`).toContain(`${letter}${wide(length)}Z`)
      }
      expect(text.match(/W/g)?.length, format).toBe(countWide(format))
      for (const page of readPages(pdf)) {
        for (const { text: piece, x, y, size, bold } of page.texts) {
          const right = x + widthOf(bold ? 'bold' : 'regular', piece, size)
          expect(x, piece).toBeGreaterThanOrEqual(0)
          expect(right, `${piece} in ${format}`).toBeLessThanOrEqual(page.width - 10)
          expect(y, piece).toBeLessThan(page.height)
        }
      }
    }
  })

  it('a long document takes several numbered pages, each with its box, and only the last has the timbre', async () => {
    const items = Array.from({ length: 60 }, (_, i) => ({
      description: `Artículo ${i + 1}.`,
      quantity: 2,
      unit_price: 990,
    }))
    const pages = readPages(await print(33, 'letter', { items }))
    expect(pages.length).toBeGreaterThan(1)
    for (const [i, page] of pages.entries()) {
      const texts = page.texts.map(({ text }) => text)
      expect(texts).toContain('FACTURA ELECTRÓNICA')
      expect(texts).toContain(`Página ${i + 1} de ${pages.length}`)
      expect(page.stamped).toBe(i === pages.length - 1)
    }
    const last = pages.at(-1)?.texts.map(({ text }) => text)
    expect(last, 'the totals never stand alone').toContain('Artículo 60.')
    const all = pages.flatMap(({ texts }) => texts.map(({ text }) => text))
    for (let i = 1; i <= 60; i++) expect(all.filter((text) => text === `Artículo ${i}.`)).toHaveLength(1)
  })

  it('the head of the table never stands at the foot of a page without a line below it', async () => {
    const items = [{ description: 'Única.', quantity: 1, unit_price: 990 }]
    for (let count = 20; count <= 40; count++) {
      const references = Array.from({ length: count }, (_, i) => ({
        document_type: '801',
        folio: `${i}`,
        date: '2026-01-01',
      }))
      const pages = readPages(await print(33, 'letter', { items, references }))
      const heads = pages.filter(({ texts }) => texts.some(({ text }) => text === 'Descripción'))
      expect(heads, `${count} references`).toHaveLength(1)
      expect(heads[0]?.texts.map(({ text }) => text)).toContain('Única.')
    }
  })

  it('a roll of a thousand lines stays within the length that readers open', async () => {
    const items = Array.from({ length: 1000 }, (_, i) => ({
      description: `Artículo ${i + 1}`,
      quantity: 1,
      unit_price: 990,
    }))
    for (const format of ['ticket_80', 'ticket_58'] as const) {
      const pages = readPages(await print(39, format, { items }))
      for (const { height } of pages) expect(height).toBeLessThanOrEqual(14_400)
      expect(pages.filter(({ stamped }) => stamped)).toEqual([pages.at(-1)])
    }
  })

  it('the copy to cede has the legal text and its legend; what cannot be ceded never shows either', async () => {
    const legends: Partial<Record<TipoDte, string>> = {
      33: 'CEDIBLE',
      34: 'CEDIBLE',
      46: 'CEDIBLE',
      52: 'CEDIBLE CON SU FACTURA',
    }
    for (const tipo_dte of TIPO_NUMBERS) {
      for (const format of PDF_FORMATS) {
        const copy = readText(await print(tipo_dte, format, {}, { cedible: true }))
        const original = readText(await print(tipo_dte, format))
        const legend = legends[tipo_dte]
        expect(squeeze(copy).includes(squeeze(ACUSE_TEXT)), `${tipo_dte} ${format}`).toBe(legend !== undefined)
        expect(copy.includes('CEDIBLE')).toBe(legend !== undefined)
        if (legend) expect(squeeze(copy)).toContain(squeeze(legend))
        expect(original).not.toMatch(/CEDIBLE|Acuse|ACUSE/)
        expect(copy).not.toMatch(/recib[ií] conforme/i)
      }
    }
    const internal = await print(52, 'letter', { dispatch: { transfer_type: 5 } }, { cedible: true })
    expect(readText(internal)).not.toContain('CEDIBLE')
  })

  it('references, transport and payment are said in words', async () => {
    for (const format of PDF_FORMATS) {
      const factura = squeeze(readText(await print(33, format)))
      for (const words of [
        'Orden de compra',
        'OC-77812',
        'Guía de despacho electrónica',
        'Crédito',
        '15-12-2026',
        'Transferencia',
      ]) {
        expect(factura, format).toContain(squeeze(words))
      }
      const guia = squeeze(readText(await print(52, format)))
      for (const words of [
        'Operación constituye venta',
        'KJRT45',
        'Segundo Catrileo Huenchumán',
        '12.345.678-5',
        '15-11-2026 08:30',
      ]) {
        expect(guia, format).toContain(squeeze(words))
      }
      expect(squeeze(readText(await print(61, format))), format).toContain(squeeze('Anula documento de referencia'))
    }
  })

  it('totals are those of the tipo: no IVA in exempt ones, the withheld one in a factura de compra', async () => {
    expect(readText(await print(33, 'letter'))).toMatch(/Monto neto .*IVA 19 %/)
    expect(readText(await print(34, 'letter'))).toMatch(/Monto exento/)
    expect(readText(await print(34, 'letter'))).not.toMatch(/IVA|Monto neto/)
    expect(readText(await print(41, 'ticket_80'))).not.toMatch(/IVA|Monto neto/)
    expect(readText(await print(46, 'letter'))).toContain('-$ 482.980')
  })

  it('an exempt line is marked where others are not exempt, and a discount is printed as an amount', async () => {
    const text = readText(await print(33, 'letter'))
    expect(text).toContain('Exento')
    expect(text).toContain('-219.600')
    expect(readText(await print(34, 'letter'))).not.toContain('Exento ')
  })

  it('the watermark is on every page, under the rest', async () => {
    for (const format of PDF_FORMATS) {
      for (const { texts } of readPages(await print(39, format, {}, { watermark: 'SIN VALOR TRIBUTARIO' }))) {
        expect(texts[0]?.text, format).toBe('SIN VALOR TRIBUTARIO')
      }
    }
  })

  it('a document without a timbre says so', async () => {
    const pdf = await renderPdf(sample(33), { format: 'letter', created_at })
    expect(readText(pdf)).toContain('no tiene validez tributaria')
    expect(readPages(pdf)[0]?.stamped).toBe(false)
  })

  it('the buyer whom nobody asked for is not printed with the generic RUT', async () => {
    expect(readText(await print(39, 'ticket_80'))).not.toContain('66.666.666')
  })

  it('only boletas may be printed on paper of 58 mm', () => {
    expect(TIPO_NUMBERS.filter((tipo_dte) => isLawfulFormat(tipo_dte, 'ticket_58'))).toEqual([39, 41])
    expect(TIPO_NUMBERS.every((tipo_dte) => isLawfulFormat(tipo_dte, 'ticket_80'))).toBe(true)
  })

  it('a TED that is not ISO-8859-1, one that no symbol holds and a date that is none are refused', async () => {
    const dte = sample(33)
    await expect(renderPdf(dte, { format: 'letter', ted: '<TED>€</TED>', created_at })).rejects.toThrow(RangeError)
    await expect(renderPdf(dte, { format: 'letter', ted: 'x'.repeat(3000), created_at })).rejects.toThrow(RangeError)
    await expect(renderPdf(dte, { format: 'letter', created_at: 'ayer' })).rejects.toThrow(RangeError)
  })
})

/** How many wide letters the longest document has; the name of a comuna is printed also under the box. */
function countWide(format: PdfFormat): number {
  const once = 98 + 78 + 68 + 18 + 18 + 98 + 38 + 68 + 18 + 18 + 78 + 78 + 78 + 998 + 33 + 4 + 16 + 88 + 43 + 300
  const headers = format === 'letter' ? LETTER_PAGES : 1
  return once + 18 + (headers - 1) * (98 + 78 + 68 + 18 + 18 + 18 + 300)
}
const LETTER_PAGES = 3
