import { checkDigit, formatRut } from '@timbre/dte/values'

/** Somebody the empresa of the story deals with. The numbers are of a range that the SII gives to nobody. */
export interface Party {
  readonly rut: string
  readonly name: string
  readonly giro: string
}

const party = (number: number, name: string, giro: string): Party => ({
  rut: formatRut({ number, check_digit: checkDigit(number) }),
  name,
  giro,
})

export interface Supplier extends Party {
  /** What it sells, and between which net amounts. */
  readonly sells: string
  readonly net: readonly [least: number, most: number]
  /** Bills every month on this day; others come when they are needed. */
  readonly monthly_on?: number
}

const sells = (of: Party, what: string, net: readonly [number, number], monthly_on?: number): Supplier => ({
  ...of,
  sells: what,
  net,
  ...(monthly_on !== undefined && { monthly_on }),
})

export const SUPPLIERS: readonly Supplier[] = [
  sells(
    party(99_990_101, 'Inmobiliaria Plaza Ñuñoa SpA', 'Arriendo de oficinas'),
    'Arriendo oficina',
    [620_000, 620_000],
    1,
  ),
  sells(
    party(99_990_102, 'Energía del Valle S.A.', 'Distribución eléctrica'),
    'Consumo eléctrico',
    [42_000, 88_000],
    8,
  ),
  sells(party(99_990_103, 'Aguas del Maipo Sur S.A.', 'Agua potable'), 'Consumo de agua', [14_000, 29_000], 10),
  sells(
    party(99_990_104, 'Telecomunicaciones Austral S.A.', 'Telecomunicaciones'),
    'Fibra y telefonía',
    [54_990, 54_990],
    5,
  ),
  sells(
    party(99_990_105, 'Araya y Rojas Contadores Ltda.', 'Contabilidad'),
    'Contabilidad mensual',
    [180_000, 180_000],
    3,
  ),
  sells(party(99_990_106, 'Distribuidora Los Aromos SpA', 'Venta por mayor'), 'Mercadería', [250_000, 1_400_000]),
  sells(party(99_990_107, 'Ferretería El Maitén Ltda.', 'Ferretería'), 'Materiales', [18_000, 160_000]),
  sells(party(99_990_108, 'Transportes Río Claro SpA', 'Transporte de carga'), 'Fletes', [45_000, 240_000]),
  sells(party(99_990_109, 'Papelería Central Ltda.', 'Librería'), 'Útiles de oficina', [9_000, 62_000]),
]

export const CUSTOMERS: readonly Party[] = [
  party(99_990_201, 'Constructora Cordillera SpA', 'Construcción'),
  party(99_990_202, 'Clínica Santa Emilia S.A.', 'Salud'),
  party(99_990_203, 'Colegio Los Alerces', 'Educación'),
  party(99_990_204, 'Viña Quebrada Honda Ltda.', 'Viticultura'),
  party(99_990_205, 'Hotel Mirador del Lago SpA', 'Hotelería'),
  party(99_990_206, 'Pesquera Isla Grande S.A.', 'Pesca'),
  party(99_990_207, 'Muebles Raulí Ltda.', 'Fabricación de muebles'),
]

/** What a card shows of providers abroad, and between which amounts in pesos. */
export const ABROAD: readonly {
  readonly words: string
  readonly pesos: readonly [number, number]
  readonly day: number
}[] = [
  { words: 'GOOGLE *ADS7712 CC GOOGLE.COM', pesos: [90_000, 240_000], day: 2 },
  { words: 'FACEBK *ADS FB.ME/ADS', pesos: [60_000, 180_000], day: 11 },
  { words: 'AWS EMEA AWS.AMAZON.CO', pesos: [38_000, 71_000], day: 3 },
  { words: 'ZOOM.US 888-799-9666', pesos: [14_200, 15_600], day: 14 },
  { words: 'NOTION LABS, INC.', pesos: [19_000, 21_500], day: 17 },
]

export const EMPLOYEES = ['Camila Fuentes Soto', 'Diego Muñoz Parra', 'Valentina Rojas Núñez'] as const
