import { type Numbers, numbersFrom } from './random.ts'
import type {
  Case,
  CaseReference,
  Correction,
  Item,
  PurchaseRow,
  Section,
  SectionKind,
  TestSet,
  Transfer,
} from './set.ts'

/**
 * Makes a set of tests. Its cases are those of the sets that the SII has handed out for years; their numbers are
 * different for each company and each request, and the same when the same is asked again.
 */
export function makeSet(order: {
  readonly rut: string
  readonly request: number
  readonly at: number
  readonly kinds: readonly SectionKind[]
  readonly first_attention: number
}): TestSet {
  const sections = order.kinds.map((kind, at) => {
    const numbers = numbersFrom(`${order.rut}:${order.request}:${kind}`)
    return SECTIONS[kind](order.first_attention + at, numbers)
  })
  const { rut, request, at } = order
  return { rut, request, made_at: at, expires_at: twoMonthsAfter(at), sections }
}

export function twoMonthsAfter(instant: number): number {
  const date = new Date(instant)
  const day = date.getUTCDate()
  date.setUTCDate(1)
  date.setUTCMonth(date.getUTCMonth() + 2)
  const last = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0)).getUTCDate()
  date.setUTCDate(Math.min(day, last))
  return date.getTime()
}

const SECTIONS: Readonly<Record<SectionKind, (attention: number, numbers: Numbers) => Section>> = {
  basico: (attention, numbers) => section('basico', attention, { cases: basic(numbers) }),
  ventas: (attention) => section('ventas', attention, {}),
  compras: (attention, numbers) => section('compras', attention, { purchases: purchases(numbers), factor: 60 }),
  guias: (attention, numbers) => section('guias', attention, { cases: guias(numbers) }),
  libro_guias: (attention) => section('libro_guias', attention, {}),
  exenta: (attention, numbers) => section('exenta', attention, { cases: exempt(numbers) }),
  compra: (attention, numbers) => section('compra', attention, { cases: purchaseInvoices(numbers) }),
  boletas: (attention, numbers) => section('boletas', attention, { cases: boletas(numbers) }),
  boletas_exentas: (attention, numbers) => section('boletas_exentas', attention, { cases: exemptBoletas(numbers) }),
}

function section(kind: SectionKind, attention: number, more: Partial<Section>): Section {
  return { kind, attention, cases: [], purchases: [], factor: 0, ...more }
}

function item(name: string, quantity: number | null, price: number | null, more: Partial<Item> = {}): Item {
  return { name, quantity, unit: null, price, discount: null, exempt: false, ...more }
}

function document(number: number, tipo: number, items: readonly Item[], more: Partial<Case> = {}): Case {
  return { number, tipo, items, global_discount: null, reference: null, transfer: null, ...more }
}

function note(number: number, tipo: 56 | 61, reference: CaseReference, items: readonly Item[] = []): Case {
  return document(number, tipo, items, { reference })
}

const ANNULS_CREDIT = 'ANULA NOTA DE CREDITO ELECTRONICA'

function basic(numbers: Numbers): Case[] {
  const units = () => numbers.between(20, 800)
  const price = () => numbers.between(900, 7_500)
  const [first, second] = [units(), units()]
  const back = (of: number) => numbers.between(Math.floor(of / 4), Math.floor(of / 2))
  return [
    document(1, 33, [item('Cajón AFECTO', units(), price()), item('Relleno AFECTO', units(), price())]),
    document(2, 33, [
      item('Pañuelo AFECTO', first, price(), { discount: numbers.between(3, 12) }),
      item('ITEM 2 AFECTO', second, price(), { discount: numbers.between(5, 25) }),
    ]),
    document(3, 33, [
      item('Pintura B&W AFECTO', units(), price()),
      item('ITEM 2 AFECTO', units(), price()),
      item('ITEM 3 SERVICIO EXENTO', 1, numbers.between(30_000, 36_000), { exempt: true }),
    ]),
    document(
      4,
      33,
      [
        item('ITEM 1 AFECTO', units(), price()),
        item('ITEM 2 AFECTO', units(), price()),
        item('ITEM 3 SERVICIO EXENTO', 2, numbers.between(6_000, 7_000), { exempt: true }),
      ],
      { global_discount: numbers.between(5, 25) },
    ),
    note(5, 61, { case: 1, reason: 'CORRIGE GIRO DEL RECEPTOR', code: 2 }),
    note(6, 61, { case: 2, reason: 'DEVOLUCION DE MERCADERIAS', code: 3 }, [
      item('Pañuelo AFECTO', back(first), null),
      item('ITEM 2 AFECTO', back(second), null),
    ]),
    note(7, 61, { case: 3, reason: 'ANULA FACTURA', code: 1 }),
    note(8, 56, { case: 5, reason: ANNULS_CREDIT, code: 1 }),
  ]
}

function purchases(numbers: Numbers): PurchaseRow[] {
  const GIRO = 'FACTURA DEL GIRO CON DERECHO A CREDITO'
  const amount = () => numbers.between(9_000, 54_000)
  const small = () => numbers.between(1_500, 3_000)
  const row = (
    name: string,
    tipo: number,
    folio: number,
    observation: string,
    treatment: PurchaseRow['treatment'],
    taxed: number,
    exempt: number | null = null,
  ): PurchaseRow => ({ name, tipo, folio, observation, treatment, exempt, taxed })
  return [
    row('FACTURA', 30, 234, GIRO, 'giro', amount()),
    row('FACTURA ELECTRONICA', 33, 32, GIRO, 'giro', amount(), numbers.between(8_000, 11_000)),
    row('FACTURA', 30, 781, 'FACTURA CON IVA USO COMUN', 'uso_comun', amount()),
    row('NOTA DE CREDITO', 60, 451, 'NOTA DE CREDITO POR DESCUENTO A FACTURA 234', 'giro', small()),
    row('FACTURA ELECTRONICA', 33, 67, 'ENTREGA GRATUITA DEL PROVEEDOR', 'gratuita', amount()),
    row('FACTURA DE COMPRA ELECTRONICA', 46, 9, 'COMPRA CON RETENCION TOTAL DEL IVA', 'retencion', amount()),
    row('NOTA DE CREDITO', 60, 211, 'NOTA DE CREDITO POR DESCUENTO FACTURA ELECTRONICA 32', 'giro', small()),
  ]
}

/** `IndTraslado` 5 goes to the emitter itself; `TipoDespacho` 1 is carried by the receptor, 2 by the emitter to him. */
const INTERNAL: Transfer = {
  motivo: 'TRASLADO DE MATERIALES ENTRE BODEGAS DE LA EMPRESA',
  carried_by: null,
  kind: 5,
  despacho: null,
}
const DELIVERED: Transfer = {
  motivo: 'VENTA',
  carried_by: 'EMISOR DEL DOCUMENTO AL LOCAL DEL CLIENTE',
  kind: 1,
  despacho: 2,
}
const FETCHED: Transfer = { motivo: 'VENTA', carried_by: 'CLIENTE', kind: 1, despacho: 1 }

function guias(numbers: Numbers): Case[] {
  const units = () => numbers.between(40, 430)
  const sold = (name: string) => item(name, units(), numbers.between(1_200, 5_000))
  const moved = ['ITEM 1', 'ITEM 2', 'ITEM 3'].map((name) => item(name, units(), null))
  return [
    document(1, 52, moved, { transfer: INTERNAL }),
    document(2, 52, [sold('ITEM 1'), sold('ITEM 2')], { transfer: DELIVERED }),
    document(3, 52, [sold('ITEM 1'), sold('ITEM 2')], { transfer: FETCHED }),
  ]
}

function exempt(numbers: Numbers): Case[] {
  const free = (name: string, quantity: number | null, price: number, unit: string | null = null) =>
    item(name, quantity, price, { unit, exempt: true })
  const changes = (of: number): CaseReference => ({ case: of, reason: 'MODIFICA MONTO', code: 3 })
  const hours = 'HORAS PROGRAMADOR'
  const [course, other] = ['CAPACITACION USO CIGUEÑALES', "CAPACITACION USO PLC's CNC"] as const
  return [
    document(1, 34, [free(hours, numbers.between(8, 40), numbers.between(6_000, 9_000), 'Hora')]),
    note(2, 61, changes(1), [free(hours, null, numbers.between(500, 1_500))]),
    document(3, 34, [
      free('SERV CONSULTORIA FACT ELECTRONICA', 1, numbers.between(200_000, 400_000)),
      free('SERV CONSULTORIA GUIA DESPACHO ELECT', 1, numbers.between(200_000, 400_000)),
    ]),
    note(4, 61, { case: 3, reason: 'CORRIGE GIRO', code: 2 }),
    note(5, 56, { case: 4, reason: ANNULS_CREDIT, code: 1 }),
    document(6, 34, [
      free(course, 1, numbers.between(300_000, 400_000)),
      free(other, 1, numbers.between(200_000, 300_000)),
    ]),
    note(7, 61, changes(6), [free(course, null, numbers.between(100_000, 200_000))]),
    note(8, 56, changes(6), [free(other, null, numbers.between(30_000, 60_000))]),
  ]
}

function purchaseInvoices(numbers: Numbers): Case[] {
  const [many, few] = [numbers.between(400, 1_200), numbers.between(20, 60)]
  const third = (of: number) => Math.floor(of / 3)
  return [
    document(1, 46, [
      item('Producto 1', many, numbers.between(2_000, 9_000)),
      item('Producto 2', few, numbers.between(2_000, 9_000)),
    ]),
    note(2, 61, { case: 1, reason: 'DEVOLUCION DE MERCADERIA ITEMS 1 Y 2', code: 3 }, [
      item('Producto 1', third(many), null),
      item('Producto 2', third(few), null),
    ]),
    note(3, 56, { case: 2, reason: ANNULS_CREDIT, code: 1 }),
  ]
}

/** Of one set in three nothing is corrected; of the others the first boleta is annulled and the last one lowered. */
function corrected(cases: readonly Case[], numbers: Numbers): Case[] {
  if (numbers.between(1, 3) === 1) return [...cases]
  const annul: Correction = { code: 1, percent: 100 }
  const lower: Correction = { code: 3, percent: 10 * numbers.between(1, 6) }
  return cases.map((one, at) => {
    const correction = at === 0 ? annul : at === cases.length - 1 ? lower : null
    return correction === null ? one : { ...one, correction }
  })
}

function boletas(numbers: Numbers): Case[] {
  const sold = (name: string, most = 3_500) => item(name, numbers.between(1, 40), numbers.between(100, most))
  const cases = [
    document(1, 39, [sold('koyak el chupete', 300), sold('cuaderno pre U')]),
    document(2, 39, [sold('pizza española el italiano')]),
    document(3, 39, [sold('sorpresa de cumpleaño'), sold('gorros superhéroes')]),
    document(4, 39, [sold('item afecto 1'), item('item exento 2', 2, numbers.between(2_000, 6_000), { exempt: true })]),
    document(5, 39, [
      item('Arroz', numbers.between(2, 9), numbers.between(700, 1_200), { unit: 'Kg' }),
      sold('té ceylán'),
    ]),
  ]
  return corrected(cases, numbers)
}

function exemptBoletas(numbers: Numbers): Case[] {
  const free = (name: string) => item(name, numbers.between(1, 9), numbers.between(1_000, 20_000), { exempt: true })
  const cases = [
    document(1, 41, [free('arriendo de sala')]),
    document(2, 41, [free('clase de piano'), free('clase de guitarra')]),
    document(3, 41, [free('entrada general')]),
  ]
  return corrected(cases, numbers)
}
