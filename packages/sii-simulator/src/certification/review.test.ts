import { describe, expect, it } from 'vitest'
import {
  asked,
  book,
  bookLine,
  FOUR,
  item,
  line,
  made,
  ONE,
  section,
  sumOf,
} from '../../test/support/review-samples.ts'
import { reviewSimulation } from './review.ts'
import { reviewBoletas } from './review-boletas.ts'
import { reviewPurchases, reviewSales } from './review-books.ts'
import type { Case } from './set.ts'

describe('the review of the books', () => {
  it('squares the sales with the documents of the set, line by line and in their sums', () => {
    const lines = [bookLine(33, 21, [0, 191598, 36404, 228002]), bookLine(61, 1, [0, 0, 0, 0])]
    const sums = new Map([
      [33, sumOf({ documents: 1, net: 191598, iva: 36404, total: 228002 })],
      [61, sumOf({ documents: 1 })],
    ])
    expect(reviewSales(book('VENTA', lines, sums), [ONE, FOUR])).toEqual([])
    const off = [bookLine(33, 21, [0, 191598, 36404, 228003])]
    expect(reviewSales({ ...book('VENTA', off, sums), tipo_libro: 'MENSUAL' }, [ONE, FOUR])).toEqual([
      'Caratula - Tipo de libro [MENSUAL] <> [ESPECIAL]',
      'Doc 61 Folio 1 - No esta en el libro',
      'Doc 33 Folio 21 - El Monto Total No Cuadra [228003] <> [228002]',
      'Resumen Doc 33 - Monto total [228002] <> [228003]',
      'Resumen Doc 61 - Total documentos [1] <> [0]',
    ])
  })

  // IVA of 30171 is 5732.49; 60% of 5732 is 3439.2. IVA of 12135 is 2305.65, of 10632 is 2020.08.
  const PURCHASES = section('compras', [], {
    factor: 60,
    purchases: [
      { name: 'FACTURA', tipo: 30, folio: 781, observation: '', treatment: 'uso_comun', exempt: null, taxed: 30171 },
      { name: 'FACTURA', tipo: 33, folio: 67, observation: '', treatment: 'gratuita', exempt: null, taxed: 12135 },
      { name: 'FACTURA', tipo: 46, folio: 9, observation: '', treatment: 'retencion', exempt: null, taxed: 10632 },
    ],
  })
  const COMMON = bookLine(30, 781, [0, 30171, 0, 35903], { common_use: 5732 })
  const FREE = bookLine(33, 67, [0, 12135, 0, 14441], { not_recoverable: [{ code: '4', amount: 2306 }] })
  const KEPT = bookLine(46, 9, [0, 10632, 2020, 10632], { withheld: 2020 })
  const SUMS = new Map([
    [30, sumOf({ documents: 1, net: 30171, total: 35903, common_use: 5732, factor: 60, common_use_credit: 3439 })],
    [33, sumOf({ documents: 1, net: 12135, total: 14441 })],
    [46, sumOf({ documents: 1, net: 10632, iva: 2020, total: 10632 })],
  ])

  it('treats each purchase as the set observes it: common use, free delivery, whole retention', () => {
    expect(reviewPurchases(book('COMPRA', [COMMON, FREE, KEPT], SUMS), PURCHASES)).toEqual([])
    const credited = { ...FREE, iva: 2306, not_recoverable: [] }
    const paid = { ...KEPT, total: 12652 }
    const sums = new Map([...SUMS, [30, sumOf({ ...SUMS.get(30), factor: 50 })]])
    const refusals = reviewPurchases(book('COMPRA', [COMMON, credited, paid], sums), PURCHASES)
    expect(refusals).toContain('Doc 33 Folio 67 - IVA no recuperable codigo 4 [0] <> [2306]')
    expect(refusals).toContain('Doc 46 Folio 9 - El Monto Total No Cuadra [12652] <> [10632]')
    expect(refusals).toContain('Doc 30 - Factor de proporcionalidad [0.5] <> [0.6]')
  })
})

describe('the review of the rest', () => {
  it('takes 10 to 100 documents of the tipos asked for as a simulation, and none of the set', () => {
    const documents = Array.from({ length: 10 }, (_, at) => ({ tipo: 33, folio: at + 1, references: [] }))
    expect(reviewSimulation({ tipos: [33] }, documents)).toEqual([])
    expect(reviewSimulation({ tipos: [33] }, documents.slice(1))).toEqual([
      expect.stringMatching(/entre 10 y 100 documentos \[9\]/),
    ])
    expect(reviewSimulation({ tipos: [34] }, documents)).toHaveLength(10)
    const [first, ...rest] = documents
    const asTest = {
      tipo: 33,
      folio: first?.folio ?? 1,
      references: [{ tipo: 'SET', folio: '1', code: null, reason: null }],
    }
    expect(reviewSimulation({ tipos: [33] }, [asTest, ...rest])).toHaveLength(1)
  })

  it('reads boletas as gross, by CASO-n, and asks for the RVD of their day', () => {
    const boletas = section('boletas', [asked(1, 39, [item('té', 1, 680), item('pan', 1, 1000, { exempt: true })])])
    // 680 / 1.19 = 571.4
    const boleta = made(1, 39, 1, [571, 1000, 109, 1680], {
      references: [{ tipo: '', folio: '', code: 'SET', reason: 'CASO-1' }],
      lines: [line('té', 1, 680, 680), line('pan', 1, 1000, 1000, { exempt: true })],
    })
    const report = { from: '2026-10-05', to: '2026-10-05', tipo: 39, emitted: 1, used: 1, total: 1680 }
    expect(reviewBoletas(boletas, [boleta], [report])).toEqual([])
    expect(reviewBoletas(boletas, [boleta], [])).toEqual(['RVD - No hay reporte de consumo de folios del 2026-10-05'])
    expect(reviewBoletas(boletas, [boleta], [{ ...report, total: 1679 }])).toEqual([
      'RVD - Monto total [1679] <> [1680]',
    ])
  })

  it('asks for the notes that annul or lower boletas, with their amounts and their use of folios', () => {
    const sold = (number: number, correction: NonNullable<Case['correction']>) =>
      asked(number, 39, [item('té', 1, 690)], { correction })
    const boletas = section('boletas', [sold(1, { code: 1, percent: 100 }), sold(2, { code: 3, percent: 30 })])
    const issued = [1, 2].map((number) =>
      made(number, 39, 10 + number, [580, 0, 110, 690], {
        references: [{ tipo: '', folio: '', code: 'SET', reason: `CASO-${number}` }],
        lines: [line('té', 1, 690, 690)],
      }),
    )
    const day = { from: '2026-10-05', to: '2026-10-05', used: 2 }
    const reports = [
      { ...day, tipo: 39, emitted: 2, total: 1380 },
      { ...day, tipo: 61, emitted: 2, total: 897 },
    ]
    const annuls = { folio: 11, code: 1, fecha: '2026-10-05', total: 690 }
    const lowers = { folio: 12, code: 3, fecha: '2026-10-05', total: 207 }
    expect(reviewBoletas(boletas, issued, reports, [annuls, lowers])).toEqual([])
    // Net and IVA of a note are told apart, which may cost it a peso.
    expect(reviewBoletas(boletas, issued, reports, [annuls, { ...lowers, total: 206 }])).toEqual([])
    expect(reviewBoletas(boletas, issued, reports, [annuls, { ...lowers, total: 205 }])).toEqual([
      'CASO-2 - Nota de credito: El Monto Total No Cuadra [205] <> [207]',
    ])
    expect(reviewBoletas(boletas, issued, reports, [lowers, { ...annuls, code: 3 }])).toEqual([
      'CASO-1 - Falta la nota de credito de codigo 1',
    ])
    expect(reviewBoletas(boletas, issued, reports.slice(0, 1), [annuls, lowers])).toEqual([
      'RVD - No hay reporte de consumo de folios de notas de credito del 2026-10-05',
    ])
  })
})
