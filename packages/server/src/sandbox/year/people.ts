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

export interface Customer extends Party {
  readonly street: string
  readonly comuna: string
}

const at = (of: Party, street: string, comuna: string): Customer => ({ ...of, street, comuna })

/** What the empresa sells to other businesses, and between which net prices of one. */
export const SOLD: readonly { readonly what: string; readonly price: readonly [least: number, most: number] }[] = [
  { what: 'Silla de oficina ergonómica', price: [78_000, 96_000] },
  { what: 'Escritorio de roble', price: [165_000, 210_000] },
  { what: 'Estantería modular', price: [58_000, 74_000] },
  { what: 'Instalación y montaje', price: [45_000, 60_000] },
  { what: 'Lámpara de pie', price: [32_000, 41_000] },
]

/** What it sells over the counter, with IVA. */
export const COUNTER: readonly { readonly what: string; readonly price: readonly [least: number, most: number] }[] = [
  { what: 'Lámpara de escritorio', price: [18_990, 27_990] },
  { what: 'Cojín de lana', price: [9_990, 14_990] },
  { what: 'Repisa de pino', price: [12_990, 19_990] },
]

export const CUSTOMERS: readonly Customer[] = [
  at(party(99_990_201, 'Constructora Cordillera SpA', 'Construcción'), 'Av. Apoquindo 4501', 'Las Condes'),
  at(party(99_990_202, 'Clínica Santa Emilia S.A.', 'Salud'), 'Av. Salvador 351', 'Providencia'),
  at(party(99_990_203, 'Colegio Los Alerces', 'Educación'), 'Irarrázaval 2880', 'Ñuñoa'),
  at(party(99_990_204, 'Viña Quebrada Honda Ltda.', 'Viticultura'), 'Camino Las Viñas 1200', 'Santa Cruz'),
  at(party(99_990_205, 'Hotel Mirador del Lago SpA', 'Hotelería'), 'Costanera 990', 'Puerto Varas'),
  at(party(99_990_206, 'Pesquera Isla Grande S.A.', 'Pesca'), 'Av. Angelmó 2201', 'Puerto Montt'),
  at(party(99_990_207, 'Muebles Raulí Ltda.', 'Fabricación de muebles'), 'Franklin 741', 'Santiago'),
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
