/** A nómina that cannot be loaded. The message is for the person who started the load; what was loaded before still serves. */
export class NominaRefused extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'NominaRefused'
  }
}

/** The kind of value in a column. `dv` verifies the `rut` before it and is not stored. */
export type ColumnKind =
  | 'rut'
  | 'dv'
  /** A row without it is refused. */
  | 'needed_text'
  | 'text'
  /** Empty or a date; anything else refuses the row. */
  | 'date'
  /** Anything that is no date is taken as none. */
  | 'loose_date'
  /** S or N. */
  | 'flag'
  /** A RUT with its check digit in one column. */
  | 'whole_rut'
  /** Of no use here. */
  | 'ignored'

export type Dataset = 'names' | 'activities' | 'addresses' | 'mailboxes'

interface Column {
  readonly header: string
  readonly kind: ColumnKind
  readonly into?: string
}

export interface Layout {
  readonly dataset: Dataset
  readonly table: string
  /** Names under which the SII publishes it inside its .zip. */
  readonly members: readonly string[]
  readonly separator: '\t' | ';'
  readonly columns: readonly Column[]
}

const rut = [
  { header: 'RUT', kind: 'rut', into: 'rut' },
  { header: 'DV', kind: 'dv' },
] as const satisfies Column[]

/**
 * The published files as profiled on 2026-08-23: the SII publishes no layout. Each has a header row, and is recognised
 * by that header whatever the file is called.
 */
export const LAYOUTS: readonly Layout[] = [
  {
    dataset: 'names',
    table: 'contribuyente',
    members: ['PUB_NOMBRES_PJ.txt'],
    separator: '\t',
    columns: [
      ...rut,
      { header: 'COD_SUBTIPO', kind: 'text', into: 'subtype' },
      { header: 'RAZON_SOCIAL', kind: 'needed_text', into: 'legal_name' },
      { header: 'FECHA_INICIO_VIG', kind: 'date', into: 'started_on' },
      { header: 'FECHA_TG_VIG', kind: 'date', into: 'ended_on' },
    ],
  },
  {
    dataset: 'activities',
    table: 'contribuyente_activity',
    members: ['PUB_NOM_ACTECOS.txt'],
    separator: '\t',
    columns: [
      ...rut,
      { header: 'CODIGO ACTIVIDAD', kind: 'needed_text', into: 'code' },
      { header: 'DESC. ACTIVIDAD ECONOMICA', kind: 'text', into: 'description' },
      { header: 'FECHA', kind: 'date', into: 'started_on' },
      { header: 'AFECTA A IVA', kind: 'flag', into: 'affects_iva' },
      { header: 'CATEGORIA TRIBUTARIA', kind: 'text', into: 'category' },
    ],
  },
  {
    // Declared by the taxpayers themselves and never cleaned: all but the RUT is taken as it comes.
    dataset: 'addresses',
    table: 'contribuyente_address',
    members: ['PUB_NOM_DOMICILIO.txt', 'PUB_NOM_SUCURSAL.txt'],
    separator: '\t',
    columns: [
      ...rut,
      { header: 'VIGENCIA', kind: 'flag', into: 'in_force' },
      { header: 'FECHA', kind: 'loose_date', into: 'declared_on' },
      { header: 'TIPO_DIRECCION', kind: 'text', into: 'kind' },
      { header: 'CALLE', kind: 'text', into: 'street' },
      { header: 'NUMERO', kind: 'text', into: 'number' },
      { header: 'BLOQUE', kind: 'text', into: 'block' },
      { header: 'DEPARTAMENTO', kind: 'text', into: 'apartment' },
      { header: 'VILLA_POBLACION', kind: 'text', into: 'villa' },
      { header: 'CIUDAD', kind: 'text', into: 'city' },
      { header: 'COMUNA', kind: 'text', into: 'comuna' },
      { header: 'REGION', kind: 'text', into: 'region' },
    ],
  },
  {
    // Not in the nóminas: the list of electronic taxpayers, which the SII gives to whoever has a session.
    dataset: 'mailboxes',
    table: 'contribuyente_mailbox',
    members: ['ce_empresas_dwnld.csv'],
    separator: ';',
    columns: [
      { header: 'RUT', kind: 'whole_rut', into: 'rut' },
      { header: 'RAZON SOCIAL', kind: 'ignored' },
      { header: 'NUMERO RESOLUCION', kind: 'ignored' },
      { header: 'FECHA RESOLUCION', kind: 'ignored' },
      { header: 'MAIL INTERCAMBIO', kind: 'needed_text', into: 'email' },
      { header: 'URL', kind: 'ignored' },
    ],
  },
]

/** Published beside the names and not needed: the list of subtypes. */
export const IGNORED_MEMBERS: readonly string[] = ['CODIGO_TIPO_SUBTIPO.txt']

const nameOf = ({ header }: Column) => header
const namesIn = (header: string, separator: string) =>
  header
    .split(separator)
    .map((name) => name.trim().toUpperCase())
    .join('\t')

/** The layout a header row announces, or null. */
export function layoutOf(header: string): Layout | null {
  return LAYOUTS.find(({ columns, separator }) => namesIn(header, separator) === columns.map(nameOf).join('\t')) ?? null
}

export function storedColumns(layout: Layout): string[] {
  return layout.columns.flatMap(({ into }) => into ?? [])
}
