import { BILLING, BOLETA_PAYMENT_METHODS, PAYMENT_FORMS, PAYMENT_METHODS } from '../../tables/codes.ts'
import { ELECTRONIC_TIPOS } from '../../tables/documents.ts'
import { MAX_PESOS } from '../money.ts'
import { CREDIT_TIPOS } from '../taxes.ts'
import { BOLETA_ITEMS, isTipoDte, type TipoDte, tipo } from '../tipos.ts'
import {
  choice,
  date,
  decimal,
  flag,
  integer,
  type Kind,
  pesos,
  positivePesos,
  referenceFolio,
  rut,
  signedPesos,
  text,
  word,
} from './kinds.ts'
import { ALL, BOLETA, DTE, field, type Group, group, listMembers, type Member, valueAt } from './shape.ts'

/**
 * The one table of a Documento: every element this engine writes, checks and reads, in the order and with the limits
 * of DTE_v10.xsd and EnvioBOLETA_v11.xsd. Which tipos ask for an element: SII, Formato DTE v2.4.2, column
 * "obligatoriedad", and Formato de Boletas v4.1. Where the format text and the schema disagree on a length (70 or 60
 * for an address) the schema wins, because it is what the SII's door runs.
 */

const address = text(70)
const comuna = text(20)
const city = text(20)
const percent = decimal(2, 100, 0.01)
/** Twelve whole digits; six decimals in a quantity, four in a price, of the six the schema allows. */
const quantity = decimal(6, 999_999_999_999, 0.000001)
const price = decimal(4, 999_999_999_999)
const FACTURAS: readonly TipoDte[] = [33, 34, 46, 52]
const SELLERS: readonly TipoDte[] = [33, 34, 52]

const idDoc = group('IdDoc', '', [
  field('TipoDTE', 'tipo_dte', choice(...ALL), { required: ALL }),
  field('Folio', 'folio', integer(1, 9_999_999_999), { required: ALL, computed: true }),
  field('FchEmis', 'issue_date', date, { required: ALL }),
  field('IndNoRebaja', 'no_debit_reduction', flag(true, '1'), { tipos: [61], strict: true }),
  field('TipoDespacho', 'dispatch.dispatch_type', choice(1, 2, 3), { tipos: FACTURAS, strict: true }),
  field('IndTraslado', 'dispatch.transfer_type', integer(1, 9), { tipos: [52], required: [52], strict: true }),
  field('IndServicio', 'service_type', choice(1, 2, 3), { tipos: DTE }),
  field('IndServicio', 'service_type', choice(1, 2, 3, 4), { tipos: BOLETA, fallback: () => 3 }),
  field('MntBruto', 'gross_prices', flag(true, '1'), { tipos: DTE }),
  field('IndMntNeto', 'gross_prices', flag(false, '2'), { tipos: BOLETA }),
  field('TpoTranCompra', 'purchase_type', integer(1, 7), { tipos: DTE, strict: true }),
  field('TpoTranVenta', 'sale_type', integer(1, 4), { tipos: DTE, strict: true }),
  field('FmaPago', 'payment.form', word(PAYMENT_FORMS), { tipos: DTE }),
  field('FchCancel', 'payment.paid_on', date, { tipos: DTE }),
  group(
    'MntPagos',
    'payment.instalments',
    [
      field('FchPago', 'date', date, { required: DTE }),
      field('MntPago', 'amount', pesos, { required: DTE }),
      field('GlosaPagos', 'note', text(40)),
    ],
    { tipos: DTE, max: 30 },
  ),
  field('PeriodoDesde', 'period.from', date),
  field('PeriodoHasta', 'period.to', date),
  field('MedioPago', 'payment.method', word(PAYMENT_METHODS), { tipos: DTE }),
  field('TermPagoGlosa', 'payment.terms', text(100, { multiline: true }), { tipos: DTE }),
  field('FchVenc', 'payment.due_date', date),
  field('MedioPago', 'payment.method', word(BOLETA_PAYMENT_METHODS), { tipos: BOLETA }),
])

const emisor = group(
  'Emisor',
  'emisor',
  [
    field('RUTEmisor', 'rut', rut, { required: ALL }),
    field('RznSoc', 'legal_name', text(100), { tipos: DTE, required: DTE }),
    field('GiroEmis', 'giro', text(80), { tipos: DTE, required: DTE }),
    field('RznSocEmisor', 'legal_name', text(100), { tipos: BOLETA, required: BOLETA }),
    field('GiroEmisor', 'giro', text(80), { tipos: BOLETA }),
    field('Telefono', 'phones', text(20), { tipos: DTE, max: 2 }),
    field('CorreoEmisor', 'email', text(80), { tipos: DTE }),
    field('Acteco', 'acteco', integer(1, 999_999), { tipos: DTE, required: DTE, max: 4 }),
    field('Sucursal', 'branch', text(20), { tipos: DTE }),
    field('CdgSIISucur', 'codigo_sucursal', integer(1, 999_999_999)),
    field('DirOrigen', 'address.street', address, { required: [...SELLERS, 46] }),
    field('CmnaOrigen', 'address.comuna', comuna, { required: SELLERS }),
    field('CiudadOrigen', 'address.city', city),
    field('CdgVendedor', 'seller', text(60), { tipos: DTE }),
  ],
  { required: true },
)

const receptor = group(
  'Receptor',
  'receptor',
  [
    field('RUTRecep', 'rut', rut, { required: ALL }),
    field('CdgIntRecep', 'code', text(20)),
    field('RznSocRecep', 'legal_name', text(100), { required: DTE }),
    group('Extranjero', 'foreign', [field('NumId', 'id', text(20)), field('Nacionalidad', 'nationality', text(3))], {
      tipos: DTE,
    }),
    field('GiroRecep', 'giro', text(40), { tipos: DTE, required: DTE }),
    field('Contacto', 'contact', text(80)),
    field('CorreoRecep', 'email', text(80)),
    field('TelefonoRecep', 'phone', text(20), { tipos: BOLETA }),
    field('DirRecep', 'address.street', address, { required: DTE }),
    field('CmnaRecep', 'address.comuna', comuna, { required: DTE }),
    field('CiudadRecep', 'address.city', city),
    field('DirPostal', 'postal_address.street', address),
    field('CmnaPostal', 'postal_address.comuna', comuna),
    field('CiudadPostal', 'postal_address.city', city),
  ],
  { required: true },
)

const transporte = group(
  'Transporte',
  'dispatch',
  [
    field('Patente', 'plate', text(8)),
    field('RUTTrans', 'carrier_rut', rut),
    group('Chofer', 'driver', [
      field('RUTChofer', 'rut', rut, { required: DTE }),
      field('NombreChofer', 'name', text(30), { required: DTE }),
    ]),
    field('DirDest', 'destination.street', address),
    field('CmnaDest', 'destination.comuna', comuna),
    field('CiudadDest', 'destination.city', city),
    // Printed only: the schema has no element for these.
    field('', 'trailer_plate', text(8)),
    field('', 'origin.street', address),
    field('', 'origin.comuna', comuna),
    field('', 'origin.city', city),
    field('', 'departure_at', text(40)),
    field('', 'estimated_delivery_at', text(40)),
  ],
  { tipos: DTE, strict: true },
)

const total = (xml: string, at: string, kind: Kind, tipos = ALL) => field(xml, at, kind, { tipos, computed: true })

const totales = group('Totales', 'totals', [
  total('MntNeto', 'net', pesos),
  total('MntExe', 'exempt', pesos),
  total('TasaIVA', 'iva_rate', decimal(2, 999.99), DTE),
  total('IVA', 'iva', pesos),
  group(
    'ImptoReten',
    'taxes',
    [
      total('TipoImp', 'code', integer(1, 999)),
      total('TasaImp', 'rate', decimal(2, 100)),
      total('MontoImp', 'amount', signedPesos),
    ],
    { tipos: DTE, max: 20 },
  ),
  total('IVANoRet', 'iva_not_withheld', positivePesos, DTE),
  total('CredEC', 'construction_credit', pesos, DTE),
  total('GrntDep', 'deposit', pesos, DTE),
  field('MntTotal', 'total', pesos, { required: ALL, computed: true }),
  total('MontoNF', 'non_billable', signedPesos),
  total('MontoPeriodo', 'period_total', signedPesos, DTE),
  total('TotalPeriodo', 'period_total', signedPesos, BOLETA),
  total('SaldoAnterior', 'previous_balance', signedPesos),
  total('VlrPagar', 'amount_due', signedPesos),
])

/** In a tipo without IVA every plain line is exempt, and saying so is the custom. */
const impliedExempt = (item: unknown, tipo_dte: number) =>
  isUntaxed(tipo_dte) && valueAt(item, ['billing']) === undefined ? true : undefined

function isUntaxed(tipo_dte: number): boolean {
  return isTipoDte(tipo_dte) && !tipo(tipo_dte).taxed
}

/** A price without a quantity is the price of one. */
const impliedQuantity = (item: unknown) => ((valueAt(item, ['unit_price']) ?? 0) === 0 ? undefined : 1)

const lineNumber = (xml: string) =>
  field(xml, '', integer(1, 1000), { fallback: (_value, _tipo, index) => index + 1, computed: true })

const detalle = group(
  'Detalle',
  'items',
  [
    lineNumber('NroLinDet'),
    group('CdgItem', 'code', [
      field('TpoCodigo', 'type', text(10), { required: ALL }),
      field('VlrCodigo', 'value', text(35), { required: ALL }),
    ]),
    field('IndExe', 'exempt', flag(true, '1'), { shared: true, fallback: impliedExempt }),
    field('IndExe', 'billing', word(BILLING), { shared: true }),
    group(
      'Retenedor',
      'retention_agent',
      [
        field('IndAgente', '', text(1), { fallback: () => 'R', computed: true }),
        field('MntBaseFaena', 'slaughter_base', pesos),
        field('MntMargComer', 'margin', pesos),
        field('PrcConsFinal', 'consumer_price', pesos),
      ],
      { tipos: DTE, strict: true },
    ),
    field('NmbItem', 'description', text(80), { required: ALL }),
    field('DscItem', 'detail', text(1000, { multiline: true })),
    field('QtyItem', 'quantity', quantity, { required: [52], fallback: impliedQuantity }),
    field('UnmdItem', 'unit', text(4)),
    field('PrcItem', 'unit_price', price),
    field('DescuentoPct', 'discount.percent', percent),
    field('DescuentoMonto', 'discount_amount', positivePesos, { computed: true }),
    field('', 'discount.amount', integer(1, MAX_PESOS)),
    field('RecargoPct', 'surcharge.percent', decimal(2, 999.99, 0.01), { tipos: DTE }),
    field('RecargoPct', 'surcharge.percent', percent, { tipos: BOLETA }),
    field('RecargoMonto', 'surcharge_amount', positivePesos, { computed: true }),
    field('', 'surcharge.amount', integer(1, MAX_PESOS)),
    field('CodImpAdic', 'additional_tax', integer(1, 999), { tipos: DTE, strict: true }),
    field('MontoItem', 'amount', pesos, { required: ALL, computed: true }),
  ],
  { max: BOLETA_ITEMS, maxFor: (tipo_dte) => tipo(tipo_dte).max_items, min: 1, settle: settleItem },
)

/** An amount without a percentage is what the emitter discounted; with one, it is what the percentage came to. */
export function settleItem(item: Record<string, unknown>): void {
  for (const name of ['discount', 'surcharge'] as const) {
    const amount = item[`${name}_amount`]
    if (amount !== undefined && item[name] === undefined) item[name] = { amount }
  }
}

const APPLIES_TO = { exempt: '1', non_billable: '2' }
const appliesTo: Kind = { ...word(APPLIES_TO), check: word({ taxed: '', ...APPLIES_TO }).check }

/** Discounts and surcharges over a whole document; an export has them in its currency. */
export const adjustmentRows = (amount: Kind): Group =>
  group(
    'DscRcgGlobal',
    '',
    [
      lineNumber('NroLinDR'),
      field('TpoMov', 'movement', text(1), { computed: true }),
      field('GlosaDR', 'reason', text(45)),
      field('TpoValor', 'unit', text(1), { computed: true }),
      field('ValorDR', 'percent', decimal(2, 999.99, 0.01), { shared: true }),
      field('ValorDR', 'amount', amount, { shared: true }),
      field('IndExeDR', 'applies_to', appliesTo, {
        fallback: (_value, tipo_dte) => (isUntaxed(tipo_dte) ? 'exempt' : null),
      }),
    ],
    { max: 20, view: { lists: ['discounts', 'surcharges'], members: adjustmentMembers, place: placeAdjustment } },
  )

/** We keep discounts and surcharges apart; the SII has one list that says which is which and whether it is in %. */
function adjustmentMembers(value: unknown, limit: number): readonly Member[] {
  const lists = [
    ['discounts', 'D'],
    ['surcharges', 'R'],
  ] as const
  return lists
    .flatMap(([name, movement]) =>
      listMembers(value, [name], limit).map(({ path, value: member }) => {
        if (typeof member !== 'object' || member === null) return { path, value: member }
        const unit = valueAt(member, ['percent']) === undefined ? '$' : '%'
        return { path, value: { ...member, movement, unit } }
      }),
    )
    .slice(0, limit)
}

function placeAdjustment(target: Record<string, unknown>, member: Record<string, unknown>): void {
  const { movement, unit, percent: points, amount, ...rest } = member
  const name = movement === 'R' ? 'surcharges' : 'discounts'
  const list = (target[name] ?? []) as unknown[]
  list.push({ ...rest, ...(unit === '%' ? { percent: points } : { amount }) })
  target[name] = list
}

const referencia = group(
  'Referencia',
  'references',
  [
    lineNumber('NroLinRef'),
    field('TpoDocRef', 'tipo_dte', choice(...ELECTRONIC_TIPOS), { shared: true }),
    field('TpoDocRef', 'document_type', text(3), { shared: true }),
    field('IndGlobal', 'global', flag(true, '1'), { tipos: DTE }),
    field('FolioRef', 'folio', referenceFolio, {
      fallback: (value) => (valueAt(value, ['global']) === true ? 0 : undefined),
    }),
    field('RUTOtr', 'emisor_rut', rut, { tipos: DTE }),
    field('FchRef', 'date', date, { tipos: DTE, required: DTE }),
    field('CodRef', 'code', choice(1, 2, 3), { tipos: DTE }),
    field('CodRef', 'text_code', text(18), { tipos: BOLETA }),
    field('RazonRef', 'reason', text(90)),
    field('CodVndor', 'seller', text(8), { tipos: BOLETA }),
    field('CodCaja', 'till', text(8), { tipos: BOLETA }),
  ],
  { max: 40, settle: settleReference },
)

export function settleReference(reference: Record<string, unknown>): void {
  if (reference.tipo_dte !== undefined) delete reference.document_type
}

export const DOCUMENTO: Group = group('Documento', '', [
  group('Encabezado', '', [
    idDoc,
    emisor,
    receptor,
    field('RUTProvSW', 'software_rut', rut, { tipos: BOLETA }),
    transporte,
    totales,
  ]),
  detalle,
  adjustmentRows(integer(1, 9_999_999_999_999)),
  referencia,
  // Inputs of the totals: what they come to is written in Totales.
  group(
    '',
    'stated_taxes',
    [field('', 'code', integer(1, 999), { required: DTE }), field('', 'amount', pesos, { required: DTE })],
    {
      tipos: DTE,
      max: 20,
      strict: true,
    },
  ),
  field('', 'construction_credit', pesos, { tipos: CREDIT_TIPOS, strict: true }),
  field('', 'previous_balance', signedPesos),
])
