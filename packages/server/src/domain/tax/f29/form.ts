/** A block of the form, in its order. */
export const SECTIONS = [
  'ventas',
  'compras',
  'iva',
  'retenciones',
  'ppm',
  'impuestos_adicionales',
  'cambio_sujeto',
  'totales',
] as const
export type Section = (typeof SECTIONS)[number]

/**
 * The sums that lines go into: débitos, créditos, the front of the form, the tax of article 37, débitos and créditos of
 * article 42, IVA paid in advance, the withholding of change of subject.
 */
export type Total = 538 | 537 | 595 | 550 | 602 | 603 | 543 | 596

/**
 * A line of the form: how many documents, and how much. `into` is the total it counts in, taken away where `minus`.
 * `from` says where its figure comes from: a line without one is filled by an override alone.
 */
export interface Line {
  readonly line: number
  readonly section: Section
  readonly label: string
  readonly count?: number
  readonly amount: number
  readonly into?: Total
  readonly minus?: true
  readonly from?: string
}

// Form 29 as in force in 2025 and 2026, in our own words: the lines that the registers, the figures given by the
// caller or an override can fill (D.L. 825, D.L. 824 arts. 74, 84; instructions of the SII to the form).
// biome-ignore format: one line of the form per line reads as the form it is
export const LINES: readonly Line[] = [
  { line: 1,   section: 'ventas', label: 'Exportaciones', count: 585, amount: 20, from: 'net and exempt of sales 101, 104, 106, 110, 111, 112' },
  { line: 2,   section: 'ventas', label: 'Ventas exentas o no gravadas del giro', count: 586, amount: 142, from: 'sales 32, 34, 38, 41 and the exempt part of the others, less notas de crédito' },
  { line: 3,   section: 'ventas', label: 'Ventas con retención sobre el margen', count: 731, amount: 732 },
  { line: 4,   section: 'ventas', label: 'Ventas exentas que no son del giro', count: 714, amount: 715 },
  { line: 5,   section: 'ventas', label: 'Facturas de compra recibidas con retención total', count: 515, amount: 587, from: 'net of sales 45, 46 whose IVA the buyer withheld whole' },
  { line: 6,   section: 'ventas', label: 'Facturas de compra recibidas con retención parcial (neto)', amount: 720, from: 'net of sales 45, 46 whose IVA the buyer withheld in part' },
  { line: 7,   section: 'ventas', label: 'Facturas emitidas del giro', count: 503, amount: 502, into: 538, from: 'IVA of sales 30, 33' },
  { line: 8,   section: 'ventas', label: 'Facturas por venta de inmuebles', count: 763, amount: 764, into: 538, from: 'IVA of sales 30, 33, 55, 56 of tipo_venta 3' },
  { line: 9,   section: 'ventas', label: 'Facturas y notas de débito que no son del giro (activo fijo)', count: 716, amount: 717, into: 538, from: 'IVA of sales 30, 33, 55, 56 of tipo_venta 2' },
  { line: 10,  section: 'ventas', label: 'Boletas', count: 110, amount: 111, into: 538, from: 'IVA of sales 35, 39' },
  { line: 11,  section: 'ventas', label: 'Comprobantes de pago electrónico', count: 758, amount: 759, into: 538, from: 'IVA of sales 48' },
  { line: 12,  section: 'ventas', label: 'Notas de débito emitidas', count: 512, amount: 513, into: 538, from: 'IVA of sales 55, 56' },
  { line: 13,  section: 'ventas', label: 'Notas de crédito emitidas', count: 509, amount: 510, into: 538, minus: true, from: 'IVA of sales 60, 61' },
  { line: 14,  section: 'ventas', label: 'Notas de crédito por comprobantes de pago', count: 708, amount: 709, into: 538, minus: true, from: 'IVA of sales 60, 61 that refer to a 48' },
  { line: 15,  section: 'ventas', label: 'Notas de crédito que no son del giro', count: 733, amount: 734, into: 538, minus: true, from: 'IVA of sales 60, 61 of tipo_venta 2 or 3' },
  { line: 16,  section: 'ventas', label: 'Facturas de compra recibidas con retención parcial', count: 516, amount: 517, into: 538, from: 'IVA of sales 45, 46 that the buyer did not withhold' },
  { line: 17,  section: 'ventas', label: 'Liquidaciones y liquidaciones factura', count: 500, amount: 501, into: 538, from: 'IVA of sales 40, 43' },
  { line: 18,  section: 'ventas', label: 'Adiciones al débito, art. 27 bis', amount: 154, into: 538 },
  { line: 19,  section: 'ventas', label: 'Restitución adicional, art. 27 bis', amount: 518, into: 538 },
  { line: 20,  section: 'ventas', label: 'Reintegro del impuesto de timbres', amount: 713, into: 538 },
  { line: 22,  section: 'ventas', label: 'Restitución de remanente devuelto', amount: 791, into: 538 },
  { line: 24,  section: 'compras', label: 'IVA de documentos electrónicos con derecho a crédito', amount: 511, from: 'IVA of electronic purchases 33, 43, 46, 56, less 61' },
  { line: 24,  section: 'compras', label: 'IVA de documentos electrónicos sin derecho a crédito', amount: 514, from: 'iva_not_recoverable of electronic purchases, less 61' },
  { line: 25,  section: 'compras', label: 'Compras afectas sin derecho a crédito (neto)', count: 564, amount: 521, from: 'net of purchases whose IVA is not recoverable, less notas de crédito' },
  { line: 26,  section: 'compras', label: 'Importaciones sin derecho a crédito (neto)', count: 566, amount: 560, from: 'net of purchases 914 whose IVA is not recoverable' },
  { line: 27,  section: 'compras', label: 'Compras exentas o no gravadas', count: 584, amount: 562, from: 'purchases 32, 34 and the exempt part of the others, less notas de crédito' },
  { line: 28,  section: 'compras', label: 'Facturas recibidas del giro y facturas de compra emitidas', count: 519, amount: 520, into: 537, from: 'IVA of purchases 30, 33, 43 del giro and 45, 46 issued, and the recoverable share of common use' },
  { line: 29,  section: 'compras', label: 'Facturas de supermercados y similares', count: 761, amount: 762, into: 537, from: 'IVA of purchases of tipo_compra 2' },
  { line: 30,  section: 'compras', label: 'Facturas por inmuebles', count: 765, amount: 766, into: 537, from: 'IVA of purchases of tipo_compra 3' },
  { line: 31,  section: 'compras', label: 'Facturas de activo fijo', count: 524, amount: 525, into: 537, from: 'IVA of purchases of tipo_compra 4' },
  { line: 32,  section: 'compras', label: 'Notas de crédito recibidas', count: 527, amount: 528, into: 537, minus: true, from: 'IVA of purchases 60, 61' },
  { line: 33,  section: 'compras', label: 'Notas de débito recibidas', count: 531, amount: 532, into: 537, from: 'IVA of purchases 55, 56' },
  { line: 34,  section: 'compras', label: 'Importaciones del giro (DIN)', count: 534, amount: 535, into: 537, from: 'IVA of purchases 914' },
  { line: 35,  section: 'compras', label: 'Importaciones de activo fijo (DIN)', count: 536, amount: 553, into: 537, from: 'IVA of purchases 914 of tipo_compra 4' },
  { line: 36,  section: 'compras', label: 'Remanente de crédito del mes anterior', amount: 504, into: 537, from: '77 of the period before x UTM of the month it is used in / UTM of the month it was due in' },
  { line: 37,  section: 'compras', label: 'Devolución, art. 36 (exportadores)', amount: 593, into: 537, minus: true },
  { line: 38,  section: 'compras', label: 'Devolución, art. 27 bis', amount: 594, into: 537, minus: true },
  { line: 39,  section: 'compras', label: 'Imputación, art. 27 bis', amount: 592, into: 537, minus: true },
  { line: 40,  section: 'compras', label: 'Devolución por cambio de sujeto, art. 3', amount: 539, into: 537, minus: true },
  { line: 41,  section: 'compras', label: 'Devolución, ley 20.258', amount: 718, into: 537, minus: true },
  { line: 42,  section: 'compras', label: 'Devolución de remanente', amount: 790, into: 537, minus: true },
  { line: 43,  section: 'compras', label: 'Reintegro de devoluciones indebidas', amount: 164, into: 537 },
  { line: 44,  section: 'compras', label: 'Diésel, art. 7: metros cúbicos', amount: 730 },
  { line: 44,  section: 'compras', label: 'Diésel, art. 7: componente base', amount: 742 },
  { line: 44,  section: 'compras', label: 'Diésel, art. 7: componente variable', amount: 743 },
  { line: 44,  section: 'compras', label: 'Recuperación del impuesto al diésel, art. 7', amount: 127, into: 537 },
  { line: 45,  section: 'compras', label: 'Diésel, transportistas: metros cúbicos', amount: 729 },
  { line: 45,  section: 'compras', label: 'Diésel, transportistas: componente base', amount: 744 },
  { line: 45,  section: 'compras', label: 'Diésel, transportistas: componente variable', amount: 745 },
  { line: 45,  section: 'compras', label: 'Recuperación del impuesto al diésel, transportistas', amount: 544, into: 537 },
  { line: 46,  section: 'compras', label: 'Crédito de zona franca', amount: 523, into: 537 },
  { line: 47,  section: 'compras', label: 'Crédito por impuesto de timbres', amount: 712, into: 537 },
  { line: 48,  section: 'compras', label: 'Crédito por IVA restituido', amount: 757, into: 537 },
  { line: 59,  section: 'retenciones', label: 'Retención de primera categoría, art. 20 N° 2', amount: 50, into: 595 },
  { line: 60,  section: 'retenciones', label: 'Impuesto único de los trabajadores', amount: 48, into: 595, from: 'payroll_tax' },
  { line: 61,  section: 'retenciones', label: 'Retención de honorarios, art. 42 N° 2', amount: 151, into: 595, from: 'honorarios_withheld' },
  { line: 62,  section: 'retenciones', label: 'Retención de directores', amount: 153, into: 595 },
  { line: 63,  section: 'retenciones', label: 'Retención de 3 % por préstamo tasa 0, trabajadores', amount: 49, into: 595 },
  { line: 64,  section: 'retenciones', label: 'Retención de 3 % por préstamo tasa 0, honorarios', amount: 155, into: 595 },
  { line: 65,  section: 'retenciones', label: 'Retención de suplementeros', amount: 54, into: 595, from: 'tax 53 of sales, less notas de crédito' },
  { line: 66,  section: 'retenciones', label: 'Retención por compra de minerales', amount: 56, into: 595 },
  { line: 69,  section: 'ppm', label: 'PPM: pérdida, art. 90', amount: 30 },
  { line: 69,  section: 'ppm', label: 'PPM: base imponible', amount: 563, from: 'net and exempt of every sale, boletas included, less notas de crédito' },
  { line: 69,  section: 'ppm', label: 'PPM: crédito', amount: 68 },
  { line: 74,  section: 'ppm', label: 'PPM de transportistas', amount: 66, into: 595 },
  { line: 75,  section: 'ppm', label: 'Crédito SENCE que se imputa', amount: 723, into: 595, minus: true },
  { line: 76,  section: 'ppm', label: 'PPM de segunda categoría', amount: 152, into: 595 },
  { line: 78,  section: 'ppm', label: 'PPM sobre renta líquida provisional', amount: 70, into: 595 },
  { line: 84,  section: 'impuestos_adicionales', label: 'Art. 37 letras e, h, i, l, 15 %', amount: 522, into: 550, from: 'tax 44 of sales, less notas de crédito' },
  { line: 85,  section: 'impuestos_adicionales', label: 'Art. 37 letra j, pirotecnia, 50 %', amount: 526, into: 550, from: 'tax 45 of sales, less notas de crédito' },
  { line: 86,  section: 'impuestos_adicionales', label: 'Ventas art. 37 letras a, b, c y art. 40, 15 %', amount: 113, into: 550, from: 'tax 23 of sales, less notas de crédito' },
  { line: 87,  section: 'impuestos_adicionales', label: 'Crédito art. 37 letras a, b, c', amount: 28, into: 550, minus: true, from: 'tax 23 of purchases that give credit, less notas de crédito' },
  { line: 88,  section: 'impuestos_adicionales', label: 'Art. 37: reintegro de devolución indebida a exportadores', amount: 548, into: 550, minus: true },
  { line: 89,  section: 'impuestos_adicionales', label: 'Art. 37: remanente del mes anterior', amount: 540, into: 550, minus: true, from: '549 of the period before, readjusted as 504' },
  { line: 90,  section: 'impuestos_adicionales', label: 'Art. 37: devolución solicitada, art. 36', amount: 541, into: 550 },
  { line: 92,  section: 'impuestos_adicionales', label: 'Pisco, licores, whisky y aguardiente, 31,5 %', amount: 577, into: 602, from: 'tax 24 of sales' },
  { line: 93,  section: 'impuestos_adicionales', label: 'Vinos, champaña, chichas, 20,5 %', amount: 32, into: 602, from: 'tax 25 of sales' },
  { line: 94,  section: 'impuestos_adicionales', label: 'Cervezas, 20,5 %', amount: 150, into: 602, from: 'tax 26 of sales' },
  { line: 95,  section: 'impuestos_adicionales', label: 'Bebidas analcohólicas, 10 %', amount: 146, into: 602, from: 'tax 27 of sales' },
  { line: 96,  section: 'impuestos_adicionales', label: 'Bebidas de elevado contenido de azúcares, 18 %', amount: 752, into: 602, from: 'tax 271 of sales' },
  { line: 97,  section: 'impuestos_adicionales', label: 'Art. 42: notas de débito emitidas', amount: 545, into: 602, from: 'taxes 24, 25, 26, 27, 271 of notas de débito issued' },
  { line: 98,  section: 'impuestos_adicionales', label: 'Art. 42: notas de crédito emitidas', amount: 546, into: 602, minus: true, from: 'taxes 24, 25, 26, 27, 271 of notas de crédito issued in term' },
  { line: 99,  section: 'impuestos_adicionales', label: 'Art. 42: notas de crédito por vales', amount: 710, into: 602, minus: true, from: 'the same of notas de crédito that refer to a 48' },
  { line: 101, section: 'impuestos_adicionales', label: 'Pisco, licores, whisky: impuesto recargado en facturas', amount: 575, from: 'tax 24 of purchases' },
  { line: 101, section: 'impuestos_adicionales', label: 'Crédito por pisco, licores, whisky y aguardiente', amount: 576, into: 603, from: 'tax 24 of purchases that give credit' },
  { line: 102, section: 'impuestos_adicionales', label: 'Vinos: impuesto recargado en facturas', amount: 574, from: 'tax 25 of purchases' },
  { line: 102, section: 'impuestos_adicionales', label: 'Crédito por vinos, champaña, chichas', amount: 33, into: 603, from: 'tax 25 of purchases that give credit' },
  { line: 103, section: 'impuestos_adicionales', label: 'Cervezas: impuesto recargado en facturas', amount: 580, from: 'tax 26 of purchases' },
  { line: 103, section: 'impuestos_adicionales', label: 'Crédito por cervezas', amount: 149, into: 603, from: 'tax 26 of purchases that give credit' },
  { line: 104, section: 'impuestos_adicionales', label: 'Bebidas analcohólicas: impuesto recargado en facturas', amount: 582, from: 'tax 27 of purchases' },
  { line: 104, section: 'impuestos_adicionales', label: 'Crédito por bebidas analcohólicas', amount: 85, into: 603, from: 'tax 27 of purchases that give credit' },
  { line: 105, section: 'impuestos_adicionales', label: 'Bebidas azucaradas: impuesto recargado en facturas', amount: 753, from: 'tax 271 of purchases' },
  { line: 105, section: 'impuestos_adicionales', label: 'Crédito por bebidas de elevado contenido de azúcares', amount: 754, into: 603, from: 'tax 271 of purchases that give credit' },
  { line: 106, section: 'impuestos_adicionales', label: 'Art. 42: notas de débito recibidas', amount: 551, into: 603, from: 'taxes 24, 25, 26, 27, 271 of notas de débito received' },
  { line: 107, section: 'impuestos_adicionales', label: 'Art. 42: notas de crédito recibidas', amount: 559, into: 603, minus: true, from: 'taxes 24, 25, 26, 27, 271 of notas de crédito received' },
  { line: 108, section: 'impuestos_adicionales', label: 'Art. 42: remanente del mes anterior', amount: 508, into: 603, from: '507 of the period before, readjusted as 504' },
  { line: 109, section: 'impuestos_adicionales', label: 'Art. 42: devolución, art. 36', amount: 533, into: 603, minus: true },
  { line: 110, section: 'impuestos_adicionales', label: 'Art. 42: reintegro de devoluciones indebidas', amount: 552, into: 603 },
  { line: 113, section: 'cambio_sujeto', label: 'IVA anticipado del período (harina, carne, faenamiento)', amount: 556, into: 543, from: 'taxes 17, 18, 19 of purchases, less notas de crédito' },
  { line: 114, section: 'cambio_sujeto', label: 'IVA anticipado: remanente del mes anterior', amount: 557, into: 543, from: '573 of the period before, readjusted as 504' },
  { line: 115, section: 'cambio_sujeto', label: 'IVA anticipado: devolución del mes anterior', amount: 558, into: 543, minus: true },
  { line: 118, section: 'cambio_sujeto', label: 'IVA retenido a terceros (total)', amount: 39, into: 596, from: 'IVA withheld whole on purchases 45, 46 issued' },
  { line: 119, section: 'cambio_sujeto', label: 'IVA retenido a terceros (parcial)', amount: 554, into: 596, from: 'IVA withheld in part on purchases 45, 46 issued' },
  { line: 120, section: 'cambio_sujeto', label: 'IVA retenido, notas de crédito emitidas', amount: 736, into: 596, minus: true, from: 'IVA withheld on notas de crédito that refer to a 45 or 46' },
  { line: 121, section: 'cambio_sujeto', label: 'Retención sobre el margen de comercialización', amount: 597, into: 596, from: 'tax 14 of sales, less notas de crédito' },
  { line: 122, section: 'cambio_sujeto', label: 'Retención por anticipo de cambio de sujeto', amount: 555, into: 596, from: 'taxes 17, 18, 19 of sales, less notas de crédito' },
  { line: 142, section: 'totales', label: 'Más IPC', amount: 92 },
  { line: 143, section: 'totales', label: 'Más intereses y multas', amount: 93 },
  { line: 144, section: 'totales', label: 'Condonación del SII', amount: 795 },
  { line: 50,  section: 'iva', label: 'IVA postergado', amount: 755 },
]

export type CodeKind = 'count' | 'amount' | 'rate' | 'total'

/** A code of the form and its place in it. */
export interface CodeEntry {
  readonly code: number
  readonly line: number
  readonly section: Section
  readonly label: string
  readonly kind: CodeKind
  readonly sign: '+' | '-' | '=' | null
  /** Null where only an override fills it. */
  readonly formula: string | null
  readonly into: Total | null
  /** The code that counts the documents of an amount. */
  readonly counted_by: number | null
}

const sumOf = (total: Total): string =>
  LINES.filter(({ into }) => into === total)
    .map(({ amount, minus }, i) => `${minus ? ' - ' : i === 0 ? '' : ' + '}${amount}`)
    .join('')

const fromLines: CodeEntry[] = LINES.flatMap(({ line, section, label, count, amount, into, minus, from }) => {
  const shared = { line, section, label, formula: from ?? null }
  const sign = into === undefined ? null : minus ? ('-' as const) : ('+' as const)
  const counted = count === undefined ? [] : [{ ...shared, code: count, kind: 'count' as const, sign: null }]
  return [
    ...counted.map((entry) => ({ ...entry, into: null, counted_by: null })),
    { ...shared, code: amount, kind: 'amount' as const, sign, into: into ?? null, counted_by: count ?? null },
  ]
})

const computed = (code: number, line: number, section: Section, label: string, formula: string): CodeEntry => ({
  code,
  line,
  section,
  label,
  kind: 'total',
  sign: '=',
  formula,
  into: null,
  counted_by: null,
})

// Codes that the form works out by itself. The tax of the month and the withheld IVA are never offset by a remanente, and
// the credits of articles 37 and 42 never lower IVA, nor one another.
// biome-ignore format: one sum per line
const TOTALS: readonly CodeEntry[] = [
  computed(538, 23, 'ventas', 'Total débitos', sumOf(538)),
  computed(537, 49, 'compras', 'Total créditos', sumOf(537)),
  computed(89, 50, 'iva', 'IVA determinado', 'max(0, 538 - 537)'),
  computed(77, 50, 'iva', 'Remanente de crédito para el mes siguiente', 'max(0, 537 - 538)'),
  { ...computed(115, 69, 'ppm', 'PPM: tasa', 'ppm_rate'), kind: 'rate', sign: null },
  { ...computed(62, 69, 'ppm', 'PPM neto determinado', 'max(0, round(563 x 115 / 100) - 68)'), sign: '+', into: 595 },
  computed(595, 80, 'totales', 'Subtotal impuesto determinado', `89 + 62 + ${sumOf(595)}`),
  computed(550, 91, 'impuestos_adicionales', 'Impuesto adicional art. 37 determinado', `max(0, ${sumOf(550)})`),
  computed(549, 91, 'impuestos_adicionales', 'Art. 37: remanente para el mes siguiente', `max(0, -(${sumOf(550)}))`),
  computed(602, 100, 'impuestos_adicionales', 'Total débitos art. 42', sumOf(602)),
  computed(603, 111, 'impuestos_adicionales', 'Total créditos art. 42', sumOf(603)),
  computed(506, 112, 'impuestos_adicionales', 'Impuesto adicional art. 42 determinado', 'max(0, 602 - 603)'),
  computed(507, 112, 'impuestos_adicionales', 'Art. 42: remanente para el mes siguiente', 'max(0, 603 - 602)'),
  computed(543, 116, 'cambio_sujeto', 'Total IVA anticipado', sumOf(543)),
  computed(598, 117, 'cambio_sujeto', 'IVA anticipado que se imputa', 'min(543, 89)'),
  computed(573, 117, 'cambio_sujeto', 'IVA anticipado: remanente para el mes siguiente', '543 - 598'),
  computed(596, 122, 'cambio_sujeto', 'Retención por cambio de sujeto', sumOf(596)),
  computed(547, 140, 'totales', 'Total determinado', '595 + 550 + 506 - 598 + 596'),
  computed(91, 141, 'totales', 'Total a pagar dentro del plazo', '547 - 755'),
  computed(94, 144, 'totales', 'Total a pagar con recargo', '91 + 92 + 93 - 795'),
]

/** Every code we know, in the order of the form. */
export const CODES: readonly CodeEntry[] = [...fromLines, ...TOTALS].sort((one, other) => one.line - other.line)

const byCode = new Map(CODES.map((entry) => [entry.code, entry]))

export function codeEntry(code: number): CodeEntry | null {
  return byCode.get(code) ?? null
}

/** Whether the form works it out: such a code follows from the others and is never set by hand. */
export function isComputed({ kind }: CodeEntry): boolean {
  return kind === 'total' || kind === 'rate'
}

/** Shown even at zero, as in every declaration. The others are shown when they hold something. */
export const ALWAYS_SHOWN: ReadonlySet<number> = new Set([
  585, 20, 586, 142, 503, 502, 110, 111, 758, 759, 512, 513, 509, 510, 716, 717, 538, 564, 521, 584, 562, 511, 514, 519,
  520, 761, 762, 765, 766, 524, 525, 527, 528, 531, 532, 534, 535, 504, 537, 89, 77, 39, 736, 596, 563, 115, 62, 48,
  151, 595, 547, 91,
])
