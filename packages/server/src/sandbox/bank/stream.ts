import { createHash } from 'node:crypto'
import { addDays, checkDigit, DAY_MS, formatRut } from '@timbre/dte/values'
import type { BankMovement } from '../../ports/bank.ts'

/** A movement of the sandbox, and from which day on the bank tells it otherwise, or not at all. */
export interface SandboxMovement extends BankMovement {
  readonly account: 'corriente' | 'vista'
  readonly edited_on?: string
  readonly removed_on?: string
}

/** A number from 0 that looks like chance and is always the same. */
export function dice(sides: number, ...of: readonly (string | number)[]): number {
  return createHash('sha256').update(of.join('|')).digest().readUInt32BE() % sides
}

const person = (number: number, name: string) => ({
  counterparty_rut: formatRut({ number, check_digit: checkDigit(number) }),
  counterparty_name: name,
})

const CUSTOMERS = [
  person(76_411_223, 'Comercial Aconcagua Ltda.'),
  person(77_024_518, 'Servicios Ñuble SpA'),
  person(76_880_341, 'Constructora Río Claro SpA'),
  person(78_115_902, 'Distribuidora El Olivar Ltda.'),
  person(12_345_678, 'María Fernanda Soto Peña'),
  person(15_667_210, 'José Ignacio Muñoz Araya'),
]
const LANDLORD = person(76_502_117, 'Inmobiliaria Los Aromos SpA')
const STAFF = [
  person(17_402_356, 'Camila Andrea Rojas Díaz'),
  person(16_208_844, 'Pedro Antonio Fuentes Lillo'),
  person(18_530_019, 'Daniela Paz Contreras Vera'),
]

/** Charges of a debit card abroad, as they are printed: the day of the month, the words and about how much. */
const CARD = [
  { day: 2, words: 'GOOGLE *WORKSPACE CC GOOGLE.COM', pesos: 38_900 },
  { day: 3, words: 'AMAZON WEB SERVICES AWS.AMAZON.CO', pesos: 124_500 },
  { day: 8, words: 'FACEBK *ADS FB.ME/ADS', pesos: 90_000 },
  { day: 11, words: 'GITHUB, INC. GITHUB.COM', pesos: 19_800 },
  { day: 15, words: 'OPENAI *CHATGPT SUBSCR OPENAI.COM', pesos: 23_400 },
  { day: 18, words: 'FACEBK *ADS FB.ME/ADS', pesos: 120_000 },
  { day: 22, words: 'ADOBE *CREATIVE CLOUD ADOBE.LY', pesos: 54_990 },
] as const

const NOBODY = { counterparty_rut: null, counterparty_name: null }
const CLP = { currency: 'CLP' } as const

function customersOn(seed: string, day: string, everyday: boolean): SandboxMovement[] {
  const weekday = new Date(`${day}T00:00:00Z`).getUTCDay()
  const rests = weekday === 0 || weekday === 6
  const count = everyday ? 1 : rests ? 0 : dice(3, seed, day, 'customers')
  return Array.from({ length: count }, (_, i): SandboxMovement => {
    const whom = CUSTOMERS[dice(CUSTOMERS.length, seed, day, i)] as (typeof CUSTOMERS)[number]
    const amount = 47_600 + dice(1_200, seed, day, i, 'amount') * 1_190
    const description = `TRANSFERENCIA DE ${whom.counterparty_name.toUpperCase()}`
    return { id: `mov_${day}_c${i}`, account: 'corriente', post_date: day, amount, ...CLP, description, ...whom }
  })
}

function monthlyOn(seed: string, day: string): SandboxMovement[] {
  const paid = (id: string, amount: number, description: string, whom: object = NOBODY): SandboxMovement => ({
    id: `mov_${day}_${id}`,
    account: 'corriente',
    post_date: day,
    amount: -amount,
    ...CLP,
    description,
    ...(whom as typeof NOBODY),
  })
  const date = Number(day.slice(8))
  const last = addDays(day, 1).slice(8) === '01'
  return [
    ...(date === 5 ? [paid('rent', 850_000, 'PAGO ARRIENDO OFICINA', LANDLORD)] : []),
    ...(date === 10 ? [paid('previred', 412_300 + dice(20, seed, day) * 1_000, 'PAGO PREVIRED')] : []),
    ...(last
      ? STAFF.map((whom, i) => paid(`pay${i}`, 780_000 + i * 145_000, `REMUNERACION ${whom.counterparty_name}`, whom))
      : []),
  ]
}

function cardOn(seed: string, day: string): SandboxMovement[] {
  const date = Number(day.slice(8))
  return CARD.filter((charge) => charge.day === date).map(
    ({ words, pesos }): SandboxMovement => ({
      id: `mov_${day}_card`,
      account: 'vista',
      post_date: day,
      // The dollar moves, so no month costs what the last one did.
      amount: -(pesos + dice(40, seed, day, 'dollar') * Math.ceil(pesos / 1_000)),
      ...CLP,
      description: `COMPRA INTERNACIONAL ${words}`,
      ...NOBODY,
    }),
  )
}

/** What the bank counted on one day: the same on every reading of it. */
export function movementsOn(seed: string, day: string, everyday: boolean): SandboxMovement[] {
  return [...customersOn(seed, day, everyday), ...monthlyOn(seed, day), ...cardOn(seed, day)]
}

/** The bank that changes its mind: of what customers paid, one day in three is edited and one is taken back. */
export function withSecondThoughts(movement: SandboxMovement): SandboxMovement {
  if (!/_c\d+$/.test(movement.id)) return movement
  const turn = (Date.parse(movement.post_date) / DAY_MS) % 3
  if (turn === 0) return { ...movement, edited_on: addDays(movement.post_date, 2) }
  return turn === 1 ? { ...movement, removed_on: addDays(movement.post_date, 3) } : movement
}

/** A movement as the bank tells it on a day; null when it no longer does. */
export function toldOn(movement: SandboxMovement, today: string): BankMovement | null {
  const { account: _account, edited_on, removed_on, ...told } = movement
  if (told.post_date > today || (removed_on !== undefined && removed_on <= today)) return null
  if (edited_on === undefined || edited_on > today) return told
  return { ...told, amount: told.amount + 1_000, description: `${told.description} (CORREGIDO)` }
}
