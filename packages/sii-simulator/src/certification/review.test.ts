import { describe, expect, it } from 'vitest'
import type { Book, BookLine, Sums } from './read-book.ts'
import type { SetDocument, SetLine } from './read-set-document.ts'
import { reviewSimulation } from './review.ts'
import { reviewBoletas } from './review-boletas.ts'
import { reviewGuides, reviewPurchases, reviewSales } from './review-books.ts'
import { reviewDocuments } from './review-documents.ts'
import type { Case, Item, Section } from './set.ts'

const item = (name: string, quantity: number | null, price: number | null, more: Partial<Item> = {}): Item => ({
  name,
  quantity,
  unit: null,
  price,
  discount: null,
  exempt: false,
  ...more,
})
const asked = (number: number, tipo: number, items: readonly Item[], more: Partial<Case> = {}): Case => ({
  number,
  tipo,
  items,
  global_discount: null,
  reference: null,
  transfer: null,
  ...more,
})
const section = (kind: Section['kind'], cases: readonly Case[], more: Partial<Section> = {}): Section => ({
  kind,
  attention: 414175,
  cases,
  purchases: [],
  factor: 0,
  ...more,
})

const line = (name: string, quantity: number, price: number, amount: number, more: Partial<SetLine> = {}): SetLine => ({
  name,
  quantity,
  unit: null,
  price,
  discount_percent: null,
  discount_amount: null,
  exempt: false,
  tax: null,
  amount,
  ...more,
})
const made = (
  number: number,
  tipo: number,
  folio: number,
  amounts: readonly [neto: number, exento: number, iva: number, total: number, withheld?: number],
  more: Partial<SetDocument> = {},
): SetDocument => ({
  tipo,
  folio,
  fecha: '2026-10-05',
  emisor: '76543210-3',
  receptor: `${70000000 + number}-0`,
  lines: [],
  discounts: [],
  amounts: { neto: amounts[0], exento: amounts[1], iva: amounts[2], total: amounts[3], withheld: amounts[4] ?? 0 },
  references: [{ tipo: 'SET', folio: String(folio), code: null, reason: `CASO 414175-${number}` }],
  transfer: null,
  despacho: null,
  ...more,
})
const noteOf = (number: number, original: SetDocument, code: number): Pick<SetDocument, 'references' | 'receptor'> => ({
  receptor: original.receptor,
  references: [
    { tipo: 'SET', folio: '1', code: null, reason: `CASO 414175-${number}` },
    { tipo: String(original.tipo), folio: String(original.folio), code: String(code), reason: 'x' },
  ],
})

// Totals worked out by hand, those of the published set of 414175: 123 x 923 + 53 x 1473 = 113529 + 78069.
const BASIC = section('basico', [
  asked(1, 33, [item('Cajón AFECTO', 123, 923), item('Relleno AFECTO', 53, 1473)]),
  asked(2, 33, [item('Pañuelo AFECTO', 235, 1926, { discount: 4 }), item('ITEM 2 AFECTO', 161, 990, { discount: 5 })]),
  asked(
    3,
    33,
    [item('ITEM 1 AFECTO', 81, 1672), item('ITEM 2 AFECTO', 35, 1405), item('ITEM 3', 2, 6767, { exempt: true })],
    {
      global_discount: 6,
    },
  ),
  asked(4, 61, [], { reference: { case: 1, reason: 'CORRIGE GIRO DEL RECEPTOR', code: 2 } }),
  asked(5, 61, [item('Pañuelo AFECTO', 86, null), item('ITEM 2 AFECTO', 109, null)], {
    reference: { case: 2, reason: 'DEVOLUCION DE MERCADERIAS', code: 3 },
  }),
  asked(6, 61, [], { reference: { case: 1, reason: 'ANULA FACTURA', code: 1 } }),
  asked(7, 56, [], { reference: { case: 4, reason: 'ANULA NOTA DE CREDITO ELECTRONICA', code: 1 } }),
])
const ONE = made(1, 33, 21, [191598, 0, 36404, 228002], {
  lines: [line('Cajón AFECTO', 123, 923, 113529), line('Relleno AFECTO', 53, 1473, 78069)],
})
const TWO = made(2, 33, 22, [585926, 0, 111326, 697252], {
  lines: [
    line('Pañuelo AFECTO', 235, 1926, 434506, { discount_percent: 4, discount_amount: 18104 }),
    line('ITEM 2 AFECTO', 161, 990, 151420, { discount_percent: 5, discount_amount: 7970 }),
  ],
})
const THREE = made(3, 33, 23, [173531, 13534, 32971, 220036], {
  lines: [
    line('ITEM 1 AFECTO', 81, 1672, 135432),
    line('ITEM 2 AFECTO', 35, 1405, 49175),
    line('ITEM 3', 2, 6767, 13534, { exempt: true }),
  ],
  discounts: [{ movement: 'D', kind: '%', value: 6, over: 'taxed' }],
})
const FOUR = made(4, 61, 1, [0, 0, 0, 0], noteOf(4, ONE, 2))
// 86 x 1926 = 165636 less 4% (6625) = 159011; 109 x 990 = 107910 less 5% (5395.5, up) = 102514; IVA 49689.75.
const FIVE = made(5, 61, 2, [261525, 0, 49690, 311215], {
  ...noteOf(5, TWO, 3),
  lines: [
    line('Pañuelo AFECTO', 86, 1926, 159011, { discount_percent: 4, discount_amount: 6625 }),
    line('ITEM 2 AFECTO', 109, 990, 102514, { discount_percent: 5, discount_amount: 5396 }),
  ],
})
const SIX = made(6, 61, 3, [191598, 0, 36404, 228002], { ...noteOf(6, ONE, 1), lines: ONE.lines })
const SEVEN = made(7, 56, 1, [0, 0, 0, 0], noteOf(7, FOUR, 1))
const DOCUMENTS = [ONE, TWO, THREE, FOUR, FIVE, SIX, SEVEN]

/** The envelope with one document changed. */
const but = (of: SetDocument, change: Partial<SetDocument>) =>
  DOCUMENTS.map((document) => (document === of ? { ...document, ...change } : document))
const linesBut = (of: SetDocument, at: number, change: Partial<SetLine>) =>
  but(of, { lines: of.lines.map((one, index) => (index === at ? { ...one, ...change } : one)) })

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

const bookLine = (
  tipo: number,
  folio: number,
  [exempt, net, iva, total]: readonly [number, number, number, number],
  more: Partial<BookLine> = {},
): BookLine => ({
  tipo,
  folio,
  rut: null,
  annulled: null,
  transfer: null,
  invoiced: false,
  exempt,
  net,
  iva,
  common_use: 0,
  not_recoverable: [],
  withheld: 0,
  total,
  ...more,
})
const sumOf = (more: Partial<Sums>): Sums => ({
  documents: 0,
  exempt: 0,
  net: 0,
  iva: 0,
  total: 0,
  common_use: 0,
  factor: null,
  common_use_credit: null,
  annulled: 0,
  ...more,
})
const book = (operation: string | null, lines: readonly BookLine[], sums: Book['sums']): Book => ({
  operation,
  tipo_libro: 'ESPECIAL',
  tipo_envio: 'TOTAL',
  notification: operation === 'COMPRA' ? 2 : 1,
  lines,
  sums,
})

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
