import { RECIBO_DECLARATION } from '@timbre/dte/wire'
import { BOLETA } from './boleta.ts'
import { CONSUMO_FOLIOS, LIBRO_COMPRA_VENTA, LIBRO_GUIA } from './books.ts'
import { CESION } from './cesion.ts'
import { DOCUMENTO, DTE, SHARED } from './documento.ts'
import { ENVIO_DTE, SIGNATURE } from './envio.ts'
import { type Definition, type Part, readGrammar } from './notation.ts'
import { EXPORTACIONES, LIQUIDACION } from './other-documents.ts'

export const SII = 'http://www.sii.cl/SiiDte'
export const XMLDSIG = 'http://www.w3.org/2000/09/xmldsig#'

const list = (text: string) => `{${text.trim().replace(/\s*\n\s*/g, '|')}}`

/** Simple types that several tables name. */
const TYPES: Readonly<Record<string, string>> = {
  rut: 'str 3..10 /[0-9]+-([0-9]|K)/',
  rut_libro: 'str ..10 /[0-9]+-([0-9]|K)/',
  fecha: 'date >=2000-01-01 <=2050-12-31',
  fecha_hora: 'dateTime >=2000-01-01T00:00:00 <=2050-12-31T23:59:59',
  fecha_evento: 'dateTime >=2010-03-10T00:00:00 <=2050-12-31T23:59:59',
  monto: 'nat d18',
  valor: 'int d18',
  folio: 'pos d10',
  pct: 'dec d5 f2 >=0.01 <=999.99',
  tasa: 'dec d5 f2 >=0 <=100',
  dec16_2: 'dec d18 f2 >=0.01 <=9999999999999999.99',
  dec14_4: 'dec d18 f4 >=0.0001 <=99999999999999.9999',
  dec14_4_o_cero: 'dec d18 f4 >=0 <=99999999999999.9999',
  dec12_6: 'dec d18 f6 >=0.000001 <=999999999999.999999',
  dec6_4: 'dec d10 f4 >=0.0001 <=999999.9999',
  medio_pago: 'str {CH|LT|EF|PE|TC|CF|OT}',
  impuesto: `str ${list(`
    14|15|16|17|18|19|23|24|25|26|27|28|30|31|32|33|34|35|36|37|38|39|40|41|44|45|46|47|48|49|50|51|52|53|54|55
    271|301|321|331|341|361|371|481`)}`,
  impuesto_libro: `pos ${list(`
    14|15|16|17|18|19|23|24|25|26|27|28|29|30|31|32|33|34|35|36|37|38|39|40|41|44|45|46|47|48|49|50|51|52|53|60
    271|301|321|331|341|361|371|481`)}`,
  documento_libro: `pos ${list(`
    29|30|32|33|34|35|38|39|40|41|43|45|46|48|53|55|56|60|61|101|102|103|104|105|106|108|109|110|111|112|175|180|185
    500|501|900|901|902|903|904|905|906|907|909|910|911|914|918|919|920|921|922|924`)}`,
  documento_guia: `pos ${list(`
    30|32|33|34|35|38|39|40|45|46|55|56|60|61|101|102|103|104|105|106|108|109
    900|901|902|903|904|905|906|907|909|910|911|914|918|919`)}`,
  moneda: `str ${list(`
    BOLIVAR|BOLIVIANO|CHELIN|CORONA DIN|CORONA NOR|CORONA SC|CRUZEIRO REAL|DIRHAM|DOLAR AUST|DOLAR CAN|DOLAR HK
    DOLAR NZ|DOLAR SIN|DOLAR TAI|DOLAR USA|DRACMA|ESCUDO|EURO|FLORIN|FRANCO BEL|FRANCO FR|FRANCO SZ|GUARANI|LIBRA EST
    LIRA|MARCO AL|MARCO FIN|NUEVO SOL|OTRAS MONEDAS|PESETA|PESO|PESO CL|PESO COL|PESO MEX|PESO URUG|RAND|RENMINBI
    RUPIA|SUCRE|YEN`)}`,
  declaracion: `str {${RECIBO_DECLARATION}}`,
}

const signature: Part = { namespace: XMLDSIG, table: SIGNATURE }
const sii = (...tables: readonly string[]): Part[] => tables.map((table) => ({ namespace: SII, table }))
const DOCUMENTS = [DTE, DOCUMENTO, LIQUIDACION, EXPORTACIONES, SHARED]

const PARTS = {
  EnvioDTE: [...sii(ENVIO_DTE, ...DOCUMENTS), signature],
  EnvioBOLETA: [...sii(BOLETA), signature],
  ConsumoFolios: [...sii(CONSUMO_FOLIOS), signature],
  LibroCompraVenta: [...sii(LIBRO_COMPRA_VENTA), signature],
  LibroGuia: [...sii(LIBRO_GUIA), signature],
  AEC: [...sii(CESION, ...DOCUMENTS), signature],
  DTE: [...sii(...DOCUMENTS), signature],
} as const satisfies Record<string, readonly Part[]>

export type Root = keyof typeof PARTS

const made = new Map<Root, Definition>()

/** The grammar of a file by its root element, read from the tables when first asked for. */
export function grammarOf(root: Root): Definition {
  const known = made.get(root)
  if (known !== undefined) return known
  const definition = readGrammar(PARTS[root], TYPES).get(root)
  if (definition === undefined) throw new TypeError(`no grammar for ${root}`)
  made.set(root, definition)
  return definition
}

export function isRoot(name: string): name is Root {
  return Object.hasOwn(PARTS, name)
}
