// A set of tests, what an emitter made of it, and books of it, to be reviewed.

import type { Book, BookLine, Sums } from '../../src/certification/read-book.ts'
import type { SetDocument, SetLine } from '../../src/certification/read-set-document.ts'
import type { Case, Item, Section } from '../../src/certification/set.ts'

export const item = (name: string, quantity: number | null, price: number | null, more: Partial<Item> = {}): Item => ({
  name,
  quantity,
  unit: null,
  price,
  discount: null,
  exempt: false,
  ...more,
})
export const asked = (number: number, tipo: number, items: readonly Item[], more: Partial<Case> = {}): Case => ({
  number,
  tipo,
  items,
  global_discount: null,
  reference: null,
  transfer: null,
  ...more,
})
export const section = (kind: Section['kind'], cases: readonly Case[], more: Partial<Section> = {}): Section => ({
  kind,
  attention: 414175,
  cases,
  purchases: [],
  factor: 0,
  ...more,
})

export const line = (
  name: string,
  quantity: number,
  price: number,
  amount: number,
  more: Partial<SetLine> = {},
): SetLine => ({
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
export const made = (
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
export const noteOf = (
  number: number,
  original: SetDocument,
  code: number,
): Pick<SetDocument, 'references' | 'receptor'> => ({
  receptor: original.receptor,
  references: [
    { tipo: 'SET', folio: '1', code: null, reason: `CASO 414175-${number}` },
    { tipo: String(original.tipo), folio: String(original.folio), code: String(code), reason: 'x' },
  ],
})

// Totals worked out by hand, those of the published set of 414175: 123 x 923 + 53 x 1473 = 113529 + 78069.
export const BASIC = section('basico', [
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
export const ONE = made(1, 33, 21, [191598, 0, 36404, 228002], {
  lines: [line('Cajón AFECTO', 123, 923, 113529), line('Relleno AFECTO', 53, 1473, 78069)],
})
export const TWO = made(2, 33, 22, [585926, 0, 111326, 697252], {
  lines: [
    line('Pañuelo AFECTO', 235, 1926, 434506, { discount_percent: 4, discount_amount: 18104 }),
    line('ITEM 2 AFECTO', 161, 990, 151420, { discount_percent: 5, discount_amount: 7970 }),
  ],
})
export const THREE = made(3, 33, 23, [173531, 13534, 32971, 220036], {
  lines: [
    line('ITEM 1 AFECTO', 81, 1672, 135432),
    line('ITEM 2 AFECTO', 35, 1405, 49175),
    line('ITEM 3', 2, 6767, 13534, { exempt: true }),
  ],
  discounts: [{ movement: 'D', kind: '%', value: 6, over: 'taxed' }],
})
export const FOUR = made(4, 61, 1, [0, 0, 0, 0], noteOf(4, ONE, 2))
// 86 x 1926 = 165636 less 4% (6625) = 159011; 109 x 990 = 107910 less 5% (5395.5, up) = 102514; IVA 49689.75.
export const FIVE = made(5, 61, 2, [261525, 0, 49690, 311215], {
  ...noteOf(5, TWO, 3),
  lines: [
    line('Pañuelo AFECTO', 86, 1926, 159011, { discount_percent: 4, discount_amount: 6625 }),
    line('ITEM 2 AFECTO', 109, 990, 102514, { discount_percent: 5, discount_amount: 5396 }),
  ],
})
export const SIX = made(6, 61, 3, [191598, 0, 36404, 228002], { ...noteOf(6, ONE, 1), lines: ONE.lines })
export const SEVEN = made(7, 56, 1, [0, 0, 0, 0], noteOf(7, FOUR, 1))
export const DOCUMENTS = [ONE, TWO, THREE, FOUR, FIVE, SIX, SEVEN]

/** The envelope with one document changed. */
export const but = (of: SetDocument, change: Partial<SetDocument>) =>
  DOCUMENTS.map((document) => (document === of ? { ...document, ...change } : document))
export const linesBut = (of: SetDocument, at: number, change: Partial<SetLine>) =>
  but(of, { lines: of.lines.map((one, index) => (index === at ? { ...one, ...change } : one)) })

export const bookLine = (
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
export const sumOf = (more: Partial<Sums>): Sums => ({
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
export const book = (operation: string | null, lines: readonly BookLine[], sums: Book['sums']): Book => ({
  operation,
  tipo_libro: 'ESPECIAL',
  tipo_envio: 'TOTAL',
  notification: operation === 'COMPRA' ? 2 : 1,
  lines,
  sums,
})
