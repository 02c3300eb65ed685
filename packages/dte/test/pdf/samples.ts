import type { Dte, DteDraft } from '../../src/document/document.ts'
import { type TipoDte, tipo } from '../../src/document/tipos.ts'
import { completeDraft } from '../../src/document/totals.ts'

/** Documents to print: one for each tipo, with every part that it may carry. The companies are invented. */

const emisor: DteDraft['emisor'] = {
  rut: '76543210-3',
  legal_name: 'Viña y Bodegas Peñalolén SpA',
  giro: 'Elaboración y venta de vinos, mostos y aceite de oliva',
  acteco: [110200],
  address: { street: 'Avenida José Arrieta 8512, oficina 34', comuna: 'Peñalolén', city: 'Santiago' },
  phones: ['+56 2 2345 6789'],
  email: 'ventas@vinapenalolen.cl',
  branch: 'Bodega Requínoa, Camino Los Lirios km 4',
  seller: 'M. Ñancupil',
}

const receptor: DteDraft['receptor'] = {
  rut: '77123456-9',
  legal_name: 'Distribuidora Gastronómica Ñuble & Compañía Limitada',
  giro: 'Venta al por mayor de alimentos y bebidas',
  address: { street: 'Calle Cinco de Abril 0457, bodega 12', comuna: 'Chillán', city: 'Chillán' },
  contact: 'Úrsula Güell, adquisiciones',
  email: 'facturas@nuble.cl',
}

const ISSUED = '2026-11-15'

const items: DteDraft['items'] = [
  {
    description: 'Carmenère Gran Reserva 2023, caja de 6 botellas de 750 cc',
    detail: 'Cosecha manual, 14 meses en barrica. Lote LC-2307.',
    code: { type: 'INT1', value: 'CAR-GR-23' },
    quantity: 40,
    unit: 'CJ',
    unit_price: 54900,
    discount: { percent: 10 },
  },
  {
    description: 'Aceite de oliva extra virgen 1 L',
    code: { type: 'INT1', value: 'AOE-1000' },
    quantity: 24,
    unit: 'UN',
    unit_price: 7350.5,
  },
  {
    description: 'Mosto concentrado a granel',
    code: { type: 'INT1', value: 'MOS-01' },
    quantity: 1250.75,
    unit: 'KG',
    unit_price: 812.4025,
  },
  { description: 'Curso de cata para el equipo de ventas', quantity: 1, unit_price: 180000, exempt: true },
]

const exemptItems: DteDraft['items'] = [
  {
    description: 'Curso de cata, ocho sesiones',
    detail: 'Asistentes: equipo de ventas.',
    quantity: 8,
    unit: 'HR',
    unit_price: 45000,
  },
  { description: 'Material de apoyo', quantity: 12, unit: 'UN', unit_price: 6500, discount: { amount: 3000 } },
]

const boletaItems: DteDraft['items'] = [
  { description: 'Café de grano Villarrica 250 g', quantity: 2, unit_price: 6990 },
  { description: 'Pan de Pascua artesanal', quantity: 1, unit_price: 12990, discount: { percent: 15 } },
  { description: 'Queso fresco', quantity: 0.435, unit: 'KG', unit_price: 9800 },
]

const references: DteDraft['references'] = [
  { document_type: '801', folio: 'OC-77812', date: '2026-11-03' },
  { tipo_dte: 52, folio: 1043, date: '2026-11-12', reason: 'Despacho a bodega Chillán' },
]

const dispatch: DteDraft['dispatch'] = {
  dispatch_type: 2,
  transfer_type: 1,
  driver: { rut: '12345678-5', name: 'Segundo Catrileo Huenchumán' },
  carrier_rut: '78901234-2',
  plate: 'KJRT45',
  trailer_plate: 'JB1234',
  origin: { street: 'Camino Los Lirios km 4', comuna: 'Requínoa' },
  destination: { street: 'Calle Cinco de Abril 0457', comuna: 'Chillán' },
  departure_at: '2026-11-15T08:30:00-03:00',
  estimated_delivery_at: '2026-11-15T13:00:00-03:00',
}

const corrects = (code: 1 | 2 | 3, tipo_dte: number, reason: string): DteDraft['references'] => [
  { tipo_dte, folio: 2210, date: '2026-11-02', code, reason },
]

const base = { issue_date: ISSUED, emisor, receptor }

const DRAFTS: Readonly<Record<TipoDte, DteDraft>> = {
  33: {
    ...base,
    tipo_dte: 33,
    items,
    references,
    discounts: [{ percent: 5, reason: 'Pronto pago' }],
    payment: { form: 'credit', due_date: '2026-12-15', method: 'transfer', terms: '30 días fecha factura' },
  },
  34: { ...base, tipo_dte: 34, items: exemptItems, payment: { form: 'cash' } },
  39: { ...base, tipo_dte: 39, items: boletaItems, receptor: { rut: '66666666-6' }, payment: { method: 'card' } },
  41: { ...base, tipo_dte: 41, items: exemptItems, receptor: { rut: '12345678-5', legal_name: 'Rosa Ñanco Ávila' } },
  46: {
    ...base,
    tipo_dte: 46,
    items: [{ description: 'Uva país, cosecha 2026', quantity: 8200, unit: 'KG', unit_price: 310, additional_tax: 15 }],
    payment: { form: 'credit', due_date: '2026-12-01' },
  },
  52: { ...base, tipo_dte: 52, items: items.slice(0, 3), dispatch, references: references.slice(0, 1) },
  56: {
    ...base,
    tipo_dte: 56,
    items: [{ description: 'Intereses por mora, factura 2210', quantity: 1, unit_price: 48500 }],
    references: corrects(3, 33, 'Intereses por pago fuera de plazo'),
  },
  61: {
    ...base,
    tipo_dte: 61,
    items: items.slice(0, 1),
    references: corrects(1, 33, 'Devolución total por botellas quebradas en el traslado'),
  },
}

/** The sample of a tipo, with some of its parts replaced. */
export function sample(tipo_dte: TipoDte, changes: Partial<DteDraft> = {}, folio = 2231): Dte {
  return completeDraft({ ...DRAFTS[tipo_dte], ...changes, tipo_dte }, folio)
}

const key = (seed: number, length: number) =>
  Array.from(
    { length },
    (_, i) => 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'[(seed * (i + 7) * 31 + i * i) % 64],
  ).join('')

/** A TED of the size that the SII's 512-bit keys give, with letters that only ISO-8859-1 bytes can carry. */
export function sampleTed(dte: Dte, keyLength = 86): string {
  const { emisor: issuer, receptor: buyer, tipo_dte, folio, totals } = dte
  const name = (buyer.legal_name ?? 'CLIENTE').slice(0, 40).replaceAll('&', '&amp;')
  const item = (dte.items[0]?.description ?? tipo(tipo_dte).name).slice(0, 40).replaceAll('&', '&amp;')
  const caf =
    `<CAF version="1.0"><DA><RE>${issuer.rut}</RE><RS>${issuer.legal_name.toUpperCase()}</RS><TD>${tipo_dte}</TD>` +
    `<RNG><D>2001</D><H>3000</H></RNG><FA>2026-10-01</FA><RSAPK><M>${key(3, keyLength)}==</M><E>Aw==</E></RSAPK>` +
    `<IDK>300</IDK></DA><FRMA algoritmo="SHA1withRSA">${key(5, keyLength)}==</FRMA></CAF>`
  return (
    `<TED version="1.0"><DD><RE>${issuer.rut}</RE><TD>${tipo_dte}</TD><F>${folio}</F><FE>${dte.issue_date}</FE>` +
    `<RR>${buyer.rut}</RR><RSR>${name}</RSR><MNT>${totals.total}</MNT><IT1>${item}</IT1>${caf}` +
    `<TSTED>2026-11-15T10:20:30</TSTED></DD><FRMT algoritmo="SHA1withRSA">${key(7, keyLength)}==</FRMT></TED>`
  )
}
