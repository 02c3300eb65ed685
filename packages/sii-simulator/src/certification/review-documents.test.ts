import { describe, expect, it } from 'vitest'
import {
  asked,
  BASIC,
  book,
  bookLine,
  but,
  DOCUMENTS,
  FIVE,
  FOUR,
  item,
  line,
  linesBut,
  made,
  noteOf,
  ONE,
  SIX,
  section,
  sumOf,
  THREE,
  TWO,
} from '../../test/support/review-samples.ts'
import type { BookLine } from './read-book.ts'
import type { SetDocument } from './read-set-document.ts'
import { reviewGuides } from './review-books.ts'
import { reviewDocuments } from './review-documents.ts'

describe('the review of a set of documents', () => {
  it('finds nothing in an envelope that has every case as it was asked', () => {
    expect(reviewDocuments(BASIC, DOCUMENTS)).toEqual([])
  })

  it.each<[string, readonly SetDocument[], RegExp]>([
    ['a case is missing', DOCUMENTS.slice(0, -1), /CASO 414175-7 - Falta/],
    ['a case is there twice', [...DOCUMENTS, ONE], /CASO 414175-1 - Caso repetido/],
    [
      'the case is of another set',
      but(ONE, { references: [{ tipo: 'SET', folio: '1', code: null, reason: 'CASO 9-1' }] }),
      /primera referencia/,
    ],
    [
      'the set is not the first reference',
      but(FOUR, { references: [...FOUR.references].reverse() }),
      /Tipo 61 Folio 1 - La primera/,
    ],
    [
      'the tipo is another',
      but(THREE, { tipo: 34 }),
      /CASO 414175-3 - Tipo de documento no corresponde \[34\] <> \[33\]/,
    ],
    ['an item has another name', linesBut(ONE, 0, { name: 'Cajon AFECTO' }), /CASO 414175-1 - Linea 1: Nombre/],
    ['an item has another quantity', linesBut(ONE, 1, { quantity: 54 }), /Linea 2: Cantidad \[54\] <> \[53\]/],
    ['an item has another price', linesBut(ONE, 1, { price: 1474 }), /Linea 2: Precio unitario/],
    ['a line comes to another amount', linesBut(ONE, 1, { amount: 78070 }), /Linea 2: Monto/],
    ['a line is missing', but(ONE, { lines: ONE.lines.slice(1) }), /lineas de detalle/],
    [
      'a discount is another',
      linesBut(TWO, 0, { discount_percent: 5 }),
      /CASO 414175-2 - Linea 1: Descuento \[5\] <> \[4\]/,
    ],
    ['a discount nobody asked for', linesBut(ONE, 0, { discount_amount: 1 }), /Linea 1: Descuento/],
    ['an exempt item is taxed', linesBut(THREE, 2, { exempt: false }), /Linea 3: Indicador de exencion/],
    ['the global discount is missing', but(THREE, { discounts: [] }), /CASO 414175-3 - Falta el descuento global/],
    [
      'the global discount is over the exempt items',
      but(THREE, { discounts: [{ movement: 'D', kind: '%', value: 6, over: 'exempt' }] }),
      /items afectos/,
    ],
    [
      'the IVA is a peso off',
      but(ONE, { amounts: { ...ONE.amounts, iva: 36403, total: 228001 } }),
      /CASO 414175-1 - El Monto Total No Cuadra \[228001\] <> \[228002\]/,
    ],
    [
      'the net and the IVA are wrong together',
      but(ONE, { amounts: { ...ONE.amounts, neto: 191597, iva: 36405 } }),
      /Monto neto no cuadra/,
    ],
    [
      'a note refers to another document',
      but(FIVE, { references: noteOf(5, ONE, 3).references }),
      /CASO 414175-5 - No referencia al documento del caso 2/,
    ],
    [
      'a note has another code',
      but(SIX, { references: noteOf(6, ONE, 3).references }),
      /CASO 414175-6 - Codigo de referencia no corresponde \[3\] <> \[1\]/,
    ],
    [
      'a correction of text has an amount',
      but(FOUR, { amounts: { ...ONE.amounts } }),
      /CASO 414175-4 - El Monto Total No Cuadra/,
    ],
    [
      'a return forgets the discount of the original',
      linesBut(FIVE, 0, { amount: 165636 }),
      /CASO 414175-5 - Linea 1: Monto/,
    ],
    ['a note goes to another receptor', but(SIX, { receptor: '1-9' }), /CASO 414175-6 - Receptor distinto/],
    [
      'two facturas go to one receptor',
      but(TWO, { receptor: ONE.receptor }),
      /CASO 414175-2 - Mismo receptor que el caso 1/,
    ],
  ])('refuses, naming the case, where %s', (_, documents, refusal) => {
    expect(reviewDocuments(BASIC, documents)).toContainEqual(expect.stringMatching(refusal))
  })

  // 10 x 1000 = 10000, IVA 1900, all of it kept back; 3 of them came back.
  const PURCHASE = section('compra', [
    asked(1, 46, [item('Producto 1', 10, 1000)]),
    asked(2, 61, [item('Producto 1', 3, null)], { reference: { case: 1, reason: 'DEVOLUCION', code: 3 } }),
  ])
  const BOUGHT = made(1, 46, 1, [10000, 0, 1900, 10000, 1900], {
    lines: [line('Producto 1', 10, 1000, 10000, { tax: '15' })],
  })
  const RETURNED = made(2, 61, 9, [3000, 0, 570, 3000, 570], {
    ...noteOf(2, BOUGHT, 3),
    lines: [line('Producto 1', 3, 1000, 3000, { tax: '15' })],
  })

  it('asks for the whole IVA of a factura de compra to be kept back, and of its notes', () => {
    expect(reviewDocuments(PURCHASE, [BOUGHT, RETURNED])).toEqual([])
    const paid = { ...RETURNED, amounts: { neto: 3000, exento: 0, iva: 570, withheld: 0, total: 3570 } }
    expect(reviewDocuments(PURCHASE, [BOUGHT, paid])).toEqual([
      'CASO 414175-2 - El Monto Total No Cuadra [3570] <> [3000]',
    ])
  })

  it('takes a note that changes an amount for one unit or for all of them: the set does not tell', () => {
    const exempt = section('exenta', [
      asked(1, 34, [item('HORAS', 12, 7000, { exempt: true })]),
      asked(2, 61, [item('HORAS', null, 500, { exempt: true })], {
        reference: { case: 1, reason: 'MODIFICA MONTO', code: 3 },
      }),
    ])
    const first = made(1, 34, 1, [0, 84000, 0, 84000], { lines: [line('HORAS', 12, 7000, 84000, { exempt: true })] })
    const note = (quantity: number, amount: number) =>
      made(2, 61, 5, [0, amount, 0, amount], {
        ...noteOf(2, first, 3),
        lines: [line('HORAS', quantity, 500, amount, { exempt: true })],
      })
    expect(reviewDocuments(exempt, [first, note(1, 500)])).toEqual([])
    expect(reviewDocuments(exempt, [first, note(12, 6000)])).toEqual([])
    expect(reviewDocuments(exempt, [first, note(2, 1000)])).not.toEqual([])
  })

  const GUIDES = section('guias', [
    asked(1, 52, [item('ITEM 1', 68, null)], {
      transfer: { motivo: 'TRASLADO', carried_by: null, kind: 5, despacho: null },
    }),
    asked(2, 52, [item('ITEM 1', 450, 70)], {
      transfer: { motivo: 'VENTA', carried_by: 'EMISOR', kind: 1, despacho: 2 },
    }),
    asked(3, 52, [item('ITEM 1', 10, 100)], {
      transfer: { motivo: 'VENTA', carried_by: 'CLIENTE', kind: 1, despacho: 1 },
    }),
  ])
  const MOVED = made(1, 52, 4, [0, 0, 0, 0], {
    receptor: '76543210-3',
    transfer: 5,
    lines: [line('ITEM 1', 68, 0, 0, { price: null })],
  })
  const SOLD = made(2, 52, 5, [31500, 0, 5985, 37485], {
    transfer: 1,
    despacho: 2,
    lines: [line('ITEM 1', 450, 70, 31500)],
  })
  const FETCHED = made(3, 52, 6, [1000, 0, 190, 1190], {
    transfer: 1,
    despacho: 1,
    lines: [line('ITEM 1', 10, 100, 1000)],
  })

  it('asks of a guía who moves what, and that a transfer goes to the emitter itself', () => {
    expect(reviewDocuments(GUIDES, [MOVED, SOLD, FETCHED])).toEqual([])
    expect(
      reviewDocuments(GUIDES, [
        { ...MOVED, receptor: '1-9' },
        { ...SOLD, despacho: 1 },
        { ...FETCHED, transfer: 6 },
      ]),
    ).toEqual([
      'CASO 414175-1 - En un traslado interno el receptor debe ser el emisor [1-9] <> [76543210-3]',
      'CASO 414175-2 - Tipo de despacho no corresponde [1] <> [2]',
      'CASO 414175-3 - Indicador de traslado no corresponde [6] <> [1]',
    ])
  })

  it('squares the book of guías: case 2 invoiced, case 3 annulled, the transfer no sale', () => {
    const entry = (document: SetDocument, more: Partial<BookLine>) =>
      bookLine(52, document.folio, [0, document.amounts.neto, document.amounts.iva, document.amounts.total], more)
    const lines = [
      entry(MOVED, { transfer: 5 }),
      entry(SOLD, { transfer: 1, invoiced: true }),
      entry(FETCHED, { transfer: 1, annulled: '2' }),
    ]
    const sums = sumOf({ documents: 1, total: 37485, annulled: 1 })
    const right = book(null, lines, new Map([[52, sums]]))
    expect(reviewGuides(right, GUIDES, [MOVED, SOLD, FETCHED])).toEqual([])
    const wrong = book(
      null,
      [lines[0] as BookLine, { ...(lines[1] as BookLine), invoiced: false }],
      new Map([[52, { ...sums, annulled: 0 }]]),
    )
    expect(reviewGuides(wrong, GUIDES, [MOVED, SOLD, FETCHED])).toEqual([
      'Doc 52 Folio 6 - No esta en el libro',
      'CASO 414175-2 - Falta la factura con que se facturo la guia',
      'Resumen - Guias anuladas [0] <> [1]',
    ])
  })
})
