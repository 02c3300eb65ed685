import { addDays } from '@timbre/dte/values'
import { Chance } from './chance.ts'
import { COUNTER, CUSTOMERS, type Customer, type Party, SOLD, SUPPLIERS, type Supplier } from './people.ts'

/** A document of the story, from a supplier or to a customer. */
export interface Paper<P extends Party = Party> {
  readonly party: P
  readonly folio: number
  readonly issue_date: string
  readonly net: number
  readonly iva: number
  readonly total: number
}

/** A factura that the empresa issues. */
export interface Sale extends Paper<Customer> {
  /** The time of day, in Santiago. */
  readonly time: string
  readonly what: string
  readonly quantity: number
  readonly unit_price: number
  /** How many days later it was paid; null where the customer has not. */
  readonly paid_after: number | null
  /** When a nota de crédito annulled it. */
  readonly annulled_on: string | null
}

/** A boleta of the counter. */
export interface CounterSale {
  readonly issue_date: string
  readonly time: string
  readonly what: string
  readonly price: number
}

export interface Month {
  readonly period: string
  /** In the register alone. */
  readonly purchases: readonly Paper<Supplier>[]
  /** These arrive as signed documents, and come to be in the register by themselves. */
  readonly received: readonly Paper<Supplier>[]
  readonly sales: readonly Sale[]
  /** Some of the boletas, issued one by one. */
  readonly counter: readonly CounterSale[]
  /** The boletas of the month, which the register adds up. */
  readonly boletas: { readonly documents: number; readonly net: number; readonly iva: number }
}

/** IVA of a net amount, half a peso up (DL 825, art. 14: 19 %). */
function ivaOf(net: number): number {
  return Math.floor((net * 19 + 50) / 100)
}

function paper<P extends Party>(party: P, period: string, day: number, folio: number, net: number): Paper<P> {
  const iva = ivaOf(net)
  return { party, folio, issue_date: `${period}-${String(day).padStart(2, '0')}`, net, iva, total: net + iva }
}

/** Months since the year 2000: folios of the story grow with it and never meet. */
function monthNumber(period: string): number {
  return (Number(period.slice(0, 4)) - 2000) * 12 + Number(period.slice(5))
}

/** How many of the documents of a month arrive as signed files: each takes a key and two signatures. */
const ARRIVING = 2

const two = (number: number) => String(number).padStart(2, '0')
const timeOf = (chance: Chance) => `${two(chance.between(9, 18))}:${two(chance.between(0, 59))}:00`

/** One in eight customers has not paid yet. */
const UNPAID = 8
/** In every third month the last customer changes its mind. */
const ANNULLED_EVERY = 3

function salesOf(empresa_id: string, period: string): Sale[] {
  const chance = new Chance(empresa_id, period, 'sales')
  const base = monthNumber(period) * 100
  const days = Array.from({ length: chance.between(6, 9) }, () => chance.between(1, 24)).sort((a, b) => a - b)
  return days.map((day, i) => {
    const { what, price } = chance.oneOf(SOLD)
    const [quantity, unit_price] = [chance.between(1, 12), chance.between(...price)]
    const sale = paper(chance.oneOf(CUSTOMERS), period, day, base + i, quantity * unit_price)
    const is_annulled = i === days.length - 1 && monthNumber(period) % ANNULLED_EVERY === 0
    const days_to_pay = chance.between(3, 32)
    const is_unpaid = is_annulled || chance.between(1, UNPAID) === 1
    const annulled_on = is_annulled ? addDays(sale.issue_date, 3) : null
    return {
      ...sale,
      time: timeOf(chance),
      what,
      quantity,
      unit_price,
      paid_after: is_unpaid ? null : days_to_pay,
      annulled_on,
    }
  })
}

const COUNTER_SALES = 3

function counterOf(empresa_id: string, period: string): CounterSale[] {
  const chance = new Chance(empresa_id, period, 'counter')
  return Array.from({ length: COUNTER_SALES }, () => {
    const { what, price } = chance.oneOf(COUNTER)
    const issue_date = `${period}-${two(chance.between(1, 28))}`
    return { issue_date, time: timeOf(chance), what, price: chance.between(...price) }
  })
}

/** What an empresa bought and sold in a month: the same story each time it is told, up to the day it is told on. */
export function monthOf(empresa_id: string, period: string, today: string): Month {
  const chance = new Chance(empresa_id, period)
  const base = monthNumber(period) * 100
  const bought = SUPPLIERS.flatMap((supplier, i) => {
    const times = supplier.monthly_on === undefined ? chance.between(1, 3) : 1
    return Array.from({ length: times }, (_, j) => {
      const day = supplier.monthly_on ?? chance.between(2, 26)
      return paper(supplier, period, day, base + i * 10 + j, chance.between(...supplier.net))
    })
  })
  const net = chance.between(900_000, 2_600_000)
  const boletas = { documents: chance.between(120, 420), net, iva: ivaOf(net) }
  const known = <P extends { readonly issue_date: string }>(papers: readonly P[]) =>
    papers.filter(({ issue_date }) => issue_date <= today)
  const arriving = known(bought.filter(({ party }) => party.monthly_on === undefined)).slice(0, ARRIVING)
  return {
    period,
    purchases: known(bought).filter((one) => !arriving.includes(one)),
    received: arriving,
    sales: known(salesOf(empresa_id, period)).map((sale) => ({
      ...sale,
      annulled_on: sale.annulled_on !== null && sale.annulled_on <= today ? sale.annulled_on : null,
    })),
    counter: known(counterOf(empresa_id, period)),
    boletas,
  }
}
