import {
  date,
  decimal,
  flag,
  integer,
  type Kind,
  pesos,
  referenceFolio,
  rut,
  signedPesos,
  text,
  word,
} from '../document/fields/kinds.ts'
import { field, type Group, group, type Row, valueAt } from '../document/fields/shape.ts'
import { adjustmentRows, settleItem, settleReference } from '../document/fields/table.ts'
import { BILLING, PAYMENT_FORMS, PAYMENT_METHODS } from '../tables/codes.ts'
import { ELECTRONIC_TIPOS } from '../tables/documents.ts'
import type { UnissuedTipo } from './tipos.ts'

/** The tables of a Liquidacion and of Exportaciones, in the order and with the limits of DTE_v10.xsd. */

const address = text(70)
const place = text(20)
/** Dec14_4 and the amounts of an export: in its currency, zero among them. */
const money: Kind = { ...decimal(4, 99_999_999_999_999), write: String }
const quantity = decimal(6, 999_999_999_999, 0.000001)
const code = (digits: number) => integer(1, 10 ** digits - 1)

const lineNumber = (xml: string) => field(xml, '', integer(1, 99), { fallback: (_value, _tipo, index) => index + 1 })

const dates: readonly Row[] = [field('FchCancel', 'payment.paid_on', date)]
const instalments = (amount: Kind) =>
  group(
    'MntPagos',
    'payment.instalments',
    [field('FchPago', 'date', date), field('MntPago', 'amount', amount), field('GlosaPagos', 'note', text(40))],
    { max: 30 },
  )
const terms: readonly Row[] = [
  field('PeriodoDesde', 'period.from', date),
  field('PeriodoHasta', 'period.to', date),
  field('MedioPago', 'payment.method', word(PAYMENT_METHODS)),
  field('TermPagoGlosa', 'payment.terms', text(100, { multiline: true })),
  field('FchVenc', 'payment.due_date', date),
]
const identity: readonly Row[] = [
  field('TipoDTE', 'tipo_dte', integer(1, 999)),
  field('Folio', 'folio', integer(1, 9_999_999_999)),
  field('FchEmis', 'issue_date', date),
]

const emisor = group('Emisor', 'emisor', [
  field('RUTEmisor', 'rut', rut),
  field('RznSoc', 'legal_name', text(100)),
  field('GiroEmis', 'giro', text(80)),
  field('Telefono', 'phones', text(20), { max: 2 }),
  field('CorreoEmisor', 'email', text(80)),
  field('Acteco', 'acteco', integer(1, 999_999), { max: 4 }),
  field('Sucursal', 'branch', text(20)),
  field('CdgSIISucur', 'codigo_sucursal', integer(1, 999_999_999)),
  field('DirOrigen', 'address.street', address),
  field('CmnaOrigen', 'address.comuna', place),
  field('CiudadOrigen', 'address.city', place),
  field('CdgVendedor', 'seller', text(60)),
])

const receptor = group('Receptor', 'receptor', [
  field('RUTRecep', 'rut', rut),
  field('CdgIntRecep', 'code', text(20)),
  field('RznSocRecep', 'legal_name', text(100)),
  group('Extranjero', 'foreign', [field('NumId', 'id', text(20)), field('Nacionalidad', 'nationality', text(3))]),
  field('GiroRecep', 'giro', text(40)),
  field('Contacto', 'contact', text(80)),
  field('CorreoRecep', 'email', text(80)),
  field('DirRecep', 'address.street', address),
  field('CmnaRecep', 'address.comuna', place),
  field('CiudadRecep', 'address.city', place),
  field('DirPostal', 'postal_address.street', address),
  field('CmnaPostal', 'postal_address.comuna', place),
  field('CiudadPostal', 'postal_address.city', place),
])

const itemCode = group('CdgItem', 'code', [field('TpoCodigo', 'type', text(10)), field('VlrCodigo', 'value', text(35))])
const exempt: readonly Row[] = [
  field('IndExe', 'exempt', flag(true, '1'), { shared: true }),
  field('IndExe', 'billing', word(BILLING), { shared: true }),
]
const priced: readonly Row[] = [
  field('NmbItem', 'description', text(80)),
  field('DscItem', 'detail', text(1000, { multiline: true })),
  field('QtyItem', 'quantity', quantity),
  field('UnmdItem', 'unit', text(4)),
  field('PrcItem', 'unit_price', decimal(6, 999_999_999_999)),
]

const referencia = group(
  'Referencia',
  'references',
  [
    lineNumber('NroLinRef'),
    field('TpoDocRef', 'tipo_dte', integerIn(ELECTRONIC_TIPOS), { shared: true }),
    field('TpoDocRef', 'document_type', text(3), { shared: true }),
    field('IndGlobal', 'global', flag(true, '1')),
    field('FolioRef', 'folio', referenceFolio, {
      fallback: (value) => (valueAt(value, ['global']) === true ? 0 : undefined),
    }),
    field('FchRef', 'date', date),
    field('CodRef', 'code', integer(1, 3)),
    field('RazonRef', 'reason', text(90)),
  ],
  { max: 40, settle: settleReference },
)

function integerIn(codes: readonly number[]): Kind {
  const any = integer(1, 999)
  return { ...any, read: (content) => (codes.includes(Number(content)) ? any.read(content) : undefined) }
}

const COMMISSION_KINDS = { commission: 'C', other: 'O' }

const LIQUIDACION = group('Liquidacion', '', [
  group('Encabezado', '', [
    group('IdDoc', '', [
      ...identity,
      field('IndServicio', 'service_type', integer(1, 3)),
      field('MntBruto', 'gross_prices', flag(true, '1')),
      field('TpoTranCompra', 'purchase_type', integer(1, 7)),
      field('TpoTranVenta', 'sale_type', integer(1, 4)),
      field('FmaPago', 'payment.form', word(PAYMENT_FORMS)),
      ...dates,
      instalments(pesos),
      ...terms,
    ]),
    emisor,
    receptor,
    group('Totales', 'totals', [
      field('MntNeto', 'net', signedPesos),
      field('MntExe', 'exempt', signedPesos),
      field('TasaIVA', 'iva_rate', decimal(2, 999.99)),
      field('IVA', 'iva', signedPesos),
      group(
        'ImptoReten',
        'taxes',
        [
          field('TipoImp', 'code', integer(1, 999)),
          field('TasaImp', 'rate', decimal(2, 100)),
          field('MontoImp', 'amount', signedPesos),
        ],
        { max: 20 },
      ),
      group('Comisiones', 'commissions', [
        field('ValComNeto', 'net', signedPesos),
        field('ValComExe', 'exempt', signedPesos),
        field('ValComIVA', 'iva', signedPesos),
      ]),
      field('MntTotal', 'total', signedPesos),
      field('MontoPeriodo', 'period_total', signedPesos),
      field('SaldoAnterior', 'previous_balance', signedPesos),
      field('VlrPagar', 'amount_due', signedPesos),
    ]),
  ]),
  group(
    'Detalle',
    'items',
    [
      lineNumber('NroLinDet'),
      itemCode,
      field('TpoDocLiq', 'settled_type', text(3)),
      ...exempt,
      ...priced,
      field('CodImpAdic', 'additional_tax', integer(1, 999)),
      field('MontoItem', 'amount', signedPesos),
    ],
    { max: 60 },
  ),
  referencia,
  group(
    'Comisiones',
    'commissions',
    [
      lineNumber('NroLinCom'),
      field('TipoMovim', 'kind', word(COMMISSION_KINDS)),
      field('Glosa', 'description', text(60)),
      field('TasaComision', 'rate', decimal(2, 999.99)),
      field('ValComNeto', 'net', signedPesos),
      field('ValComExe', 'exempt', signedPesos),
      field('ValComIVA', 'iva', signedPesos),
    ],
    { max: 20 },
  ),
])

const aduana = group('Aduana', 'customs', [
  field('CodModVenta', 'sale_mode', code(2)),
  field('CodClauVenta', 'sale_clause', code(2)),
  field('TotClauVenta', 'clause_total', decimal(2, 99_999_999_999_999)),
  field('CodViaTransp', 'transport', code(2)),
  field('NombreTransp', 'transport_name', text(40)),
  field('NomCiaTransp', 'carrier', text(40)),
  field('Booking', 'booking', text(20)),
  field('CodPtoEmbarque', 'loading_port', code(4)),
  field('CodPtoDesemb', 'landing_port', code(4)),
  field('PesoBruto', 'gross_weight', decimal(2, 99_999_999)),
  field('CodUnidPesoBruto', 'gross_weight_unit', code(2)),
  field('PesoNeto', 'net_weight', decimal(2, 99_999_999)),
  field('CodUnidPesoNeto', 'net_weight_unit', code(2)),
  field('TotBultos', 'packages', code(15)),
  field('MntFlete', 'freight', decimal(4, 99_999_999_999_999)),
  field('MntSeguro', 'insurance', decimal(4, 99_999_999_999_999)),
  field('CodPaisRecep', 'receptor_country', code(3)),
  field('CodPaisDestin', 'destination_country', code(3)),
])

const EXPORTACIONES = group('Exportaciones', '', [
  group('Encabezado', '', [
    group('IdDoc', '', [
      ...identity,
      field('TipoDespacho', 'dispatch.dispatch_type', integer(1, 3)),
      field('IndServicio', 'service_type', integer(1, 9)),
      field('FmaPago', 'payment.form', word(PAYMENT_FORMS)),
      field('FmaPagExp', 'export_payment', code(2)),
      ...dates,
      instalments(pesos),
      ...terms,
    ]),
    emisor,
    receptor,
    group('Transporte', '', [
      field('Patente', 'dispatch.plate', text(8)),
      field('RUTTrans', 'dispatch.carrier_rut', rut),
      field('DirDest', 'dispatch.destination.street', address),
      field('CmnaDest', 'dispatch.destination.comuna', place),
      field('CiudadDest', 'dispatch.destination.city', place),
      aduana,
    ]),
    group('Totales', 'totals', [
      field('TpoMoneda', 'currency', text(20)),
      field('MntExe', 'exempt', money),
      field('MntTotal', 'total', money),
    ]),
    group('OtraMoneda', 'other_currency', [
      field('TpoMoneda', 'currency', text(20)),
      field('TpoCambio', 'exchange_rate', decimal(4, 999_999)),
      field('MntExeOtrMnda', 'exempt', money),
      field('MntTotOtrMnda', 'total', money),
    ]),
  ]),
  group(
    'Detalle',
    'items',
    [
      lineNumber('NroLinDet'),
      itemCode,
      ...exempt,
      ...priced,
      field('DescuentoPct', 'discount.percent', decimal(2, 100, 0.01)),
      field('DescuentoMonto', 'discount_amount', decimal(4, 99_999_999_999_999)),
      field('RecargoPct', 'surcharge.percent', decimal(2, 100, 0.01)),
      field('RecargoMonto', 'surcharge_amount', decimal(4, 99_999_999_999_999)),
      field('MontoItem', 'amount', money),
    ],
    { max: 60, settle: settleItem },
  ),
  adjustmentRows(decimal(2, 99_999_999_999_999, 0.01)),
  referencia,
])

/** The rows of a group in every place where this table is used, whatever the tipos of the other table are. */
function forTipos<T extends Row>(row: T, tipos: readonly number[]): T {
  return 'rows' in row ? { ...row, tipos, rows: row.rows.map((one) => forTipos(one, tipos)) } : { ...row, tipos }
}

const BODIES: readonly Group[] = [forTipos(LIQUIDACION, [43]), forTipos(EXPORTACIONES, [110, 111, 112])]

export function bodyOf(tipo_dte: UnissuedTipo): Group {
  return BODIES.find(({ tipos }) => tipos.includes(tipo_dte)) as Group
}
