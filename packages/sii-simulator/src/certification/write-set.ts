import { DOCUMENTS } from '@timbre/dte/wire'
import { type Case, caseName, type Item, type PurchaseRow, type Section, type TestSet } from './set.ts'

/** The text of a set, laid out as the SII's files are: ISO-8859-1, CRLF, columns set apart by tabs. */
export function writeSet(set: TestSet): Buffer {
  const sections = set.sections.map((section) => lined(section).join('\r\n'))
  const text = `${[...GENERAL, sections.join(`\r\n${RULE}\r\n`)].join('\r\n')}\r\n`
  return Buffer.from(text, 'latin1')
}

const RULE = '-'.repeat(80)
const DOUBLE = '='.repeat(74)

const GENERAL: readonly string[] = [
  'INDICACIONES GENERALES:',
  '',
  'Adjunte ejemplar tributario y cedible de las facturas, facturas exentas, guías de despacho que sean venta y facturas de compra.',
  '',
  '',
]

function lined(section: Section): string[] {
  switch (section.kind) {
    case 'basico':
      return [title('SET BASICO', section), '', ...cases(section, '\t\t')]
    case 'exenta':
      return [title('SET FACTURA EXENTA', section), '', ...cases(section, '\t\t')]
    case 'compra':
      return [
        title('SET BASICO CASO GENERAL DE EMISOR DE FACTURA DE COMPRA', section),
        '',
        ...cases(section, '\t', 'LOS PRECIOS UNITARIOS DE LOS ITEMS DEBEN SER LOS MISMOS DE LA FACTURA'),
      ]
    case 'guias':
      return [title('SET GUIA DE DESPACHO', section), '', ...cases(section, '\t\t')]
    case 'ventas':
      return [title('SET LIBRO DE VENTAS', section), '', ...SALES]
    case 'compras':
      return [title('SET LIBRO DE COMPRAS', section), ' ', ...purchases(section)]
    case 'libro_guias':
      return [title('SET LIBRO DE GUIAS', section), '', ...GUIDES]
    default:
      return boletas(section)
  }
}

const title = (name: string, { attention }: Section) => `${name} - NUMERO DE ATENCION: ${attention}`

function cases(section: Section, gap: string, remark: string | null = null): string[] {
  return section.cases.flatMap((one) => [...caseLines(section, one, gap, remark), '', ''])
}

function caseLines(section: Section, one: Case, gap: string, remark: string | null): string[] {
  const heading = [caseName(section, one.number), '='.repeat(14)]
  const head =
    one.reference === null
      ? [`DOCUMENTO\t${documentName(one.tipo)}`, ...transferLines(one)]
      : [
          `DOCUMENTO\t\t${documentName(one.tipo)}`,
          `REFERENCIA\t\t${documentName(referredTipo(section, one))} CORRESPONDIENTE A ${caseName(section, one.reference.case)}`,
          `RAZON REFERENCIA\t${one.reference.reason}`,
        ]
  const discount =
    one.global_discount === null ? [] : ['', `DESCUENTO GLOBAL ITEMES AFECTOS\t\t${padded(one.global_discount)}%`]
  const items = one.items.length === 0 ? [] : ['', ...itemLines(one.items, gap)]
  const told = remark !== null && one.reference?.code === 3 ? ['', remark] : []
  return [...heading, ...head, ...items, ...discount, ...told]
}

function referredTipo(section: Section, { reference }: Case): number {
  return section.cases.find(({ number }) => number === reference?.case)?.tipo ?? 33
}

function transferLines({ transfer }: Case): string[] {
  if (transfer === null) return []
  const carried = transfer.carried_by === null ? [] : [`TRASLADO POR: \t${transfer.carried_by}`]
  return [`MOTIVO:\t\t${transfer.motivo}`, ...carried]
}

/** A column for each thing that some line of the case tells. */
function itemLines(items: readonly Item[], gap: string): string[] {
  const has = (name: 'quantity' | 'unit' | 'price' | 'discount') => items.some((item) => item[name] !== null)
  const price = items.some(({ exempt }) => !exempt) ? 'PRECIO UNITARIO' : 'VALOR UNITARIO'
  const columns: readonly (readonly [string, (item: Item) => string])[] = [
    ...(has('quantity') ? [['CANTIDAD', ({ quantity }: Item) => padded(quantity)] as const] : []),
    ...(has('unit') ? [['UNIDAD MEDIDA', ({ unit }: Item) => unit ?? ''] as const] : []),
    ...(has('price') ? [[price, (item: Item) => padded(item.price)] as const] : []),
    ...(has('discount') ? [['DESCUENTO ITEM', ({ discount }: Item) => `${padded(discount)}%`] as const] : []),
  ]
  return [
    ['ITEM', ...columns.map(([name]) => name)].join(gap),
    ...items.map((item) => [item.name, ...columns.map(([, value]) => value(item))].join(gap)),
  ]
}

const padded = (value: number | null) => String(value ?? '').padStart(7)

function documentName(tipo: number): string {
  // The sets call it so, without saying that it is electronic.
  if (tipo === 52) return 'GUIA DE DESPACHO'
  return (DOCUMENTS[tipo]?.name ?? `DOCUMENTO ${tipo}`).normalize('NFD').replace(/\p{M}/gu, '').toUpperCase()
}

const SALES: readonly string[] = [
  'CONSTRUYA EL LIBRO DE VENTAS CON LOS DOCUMENTOS CON QUE GENERO',
  'EL SET BASICO O EL SET DE FACTURA EXENTA, SEGUN CORRESPONDA.',
  'SI OBTUVO AMBOS SET, UTILICE LOS DOCUMENTOS DEL SET BASICO PARA',
  'CONSTRUIR EL LIBRO DE VENTAS.',
]

const GUIDES: readonly string[] = [
  'CONSTRUYA EL LIBRO CON LAS GUIAS CON QUE GENERO EL SET GUIA DE DESPACHO, ',
  'TENIENDO EN CUENTA LAS SIGUIENTES CONSIDERACIONES',
  '',
  '- EL CASO 2 CORRESPONDE A UNA GUIA QUE SE FACTURO EN EL PERIODO',
  '- EL CASO 3 CORRESPONDE A UNA GUIA ANULADA',
]

function purchases({ purchases: rows, factor }: Section): string[] {
  const row = ({ name, folio, observation, exempt, taxed }: PurchaseRow) => [
    `${name}\t\t\t\t${String(folio).padStart(3)}`,
    observation,
    `${exempt === null ? '' : padded(exempt)}\t\t${padded(taxed)}`,
  ]
  return [
    DOUBLE,
    'TIPO DOCUMENTO\t\t\t\tFOLIO',
    'OBSERVACIONES',
    'MONTO EXENTO\tMONTO AFECTO',
    DOUBLE,
    ...rows.flatMap((one, at) => (at === 0 ? row(one) : ['', ...row(one)])),
    DOUBLE,
    '',
    'OBSERVACIONES GENERALES',
    '-----------------------',
    'EN FACTURA CON IVA USO COMUN CONSIDERE QUE EL FACTOR DE PROPORCIONALIDAD ',
    `DEL IVA ES DE 0.${String(factor).padStart(2, '0')}`,
  ]
}

/** Nobody has published the SII's own layout of this one: these are the columns of the only public sample (unverified). */
function boletas(section: Section): string[] {
  const line = ({ number, correction }: Case, item: Item, at: number) => {
    const heads = at === 0
    const annul = heads && correction?.code === 1 ? 1 : ''
    const lower = heads && correction?.code === 3 ? correction.percent : ''
    const { exempt, name, quantity, unit, price } = item
    return [heads ? number : '', exempt ? 1 : '', name, quantity, unit ?? '', price, annul, lower].join(';')
  }
  return [
    'Folio;IndExe;NmbItem;QtyItem;UnmdItem;PrcItem;Anular;Rebajar',
    ...section.cases.flatMap((one) => one.items.map((item, at) => line(one, item, at))),
  ]
}

/** The set of boletas is a file of its own. */
export function writeBoletaSet(section: Section): Buffer {
  return Buffer.from(`${boletas(section).join('\r\n')}\r\n`, 'latin1')
}
