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

export type Dataset = 'names' | 'activities' | 'addresses'

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
  readonly columns: readonly Column[]
}

const rut = [
  { header: 'RUT', kind: 'rut', into: 'rut' },
  { header: 'DV', kind: 'dv' },
] as const satisfies Column[]

/**
 * The published files as profiled on 2026-08-23: the SII publishes no layout. Tab separated, with a header row, and
 * recognised by that header whatever the file is called.
 */
export const LAYOUTS: readonly Layout[] = [
  {
    dataset: 'names',
    table: 'contribuyente',
    members: ['PUB_NOMBRES_PJ.txt'],
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
]

/** Published beside the names and not needed: the list of subtypes. */
export const IGNORED_MEMBERS: readonly string[] = ['CODIGO_TIPO_SUBTIPO.txt']

/** The layout a header row announces, or null. */
export function layoutOf(header: string): Layout | null {
  const names = header.split('\t').map((name) => name.trim().toUpperCase())
  return LAYOUTS.find(({ columns }) => columns.map(({ header }) => header).join('\t') === names.join('\t')) ?? null
}

export function storedColumns(layout: Layout): string[] {
  return layout.columns.flatMap(({ into }) => into ?? [])
}
