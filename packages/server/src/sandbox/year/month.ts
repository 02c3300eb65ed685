import { Chance } from './chance.ts'
import { CUSTOMERS, type Party, SUPPLIERS, type Supplier } from './people.ts'

/** A document of the story, from a supplier or to a customer. */
export interface Paper<P extends Party = Party> {
  readonly party: P
  readonly folio: number
  readonly issue_date: string
  readonly net: number
  readonly iva: number
  readonly total: number
}

export interface Month {
  readonly period: string
  /** In the register alone. */
  readonly purchases: readonly Paper<Supplier>[]
  /** These arrive as signed documents, and come to be in the register by themselves. */
  readonly received: readonly Paper<Supplier>[]
  readonly sales: readonly Paper[]
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
  const sold = Array.from({ length: chance.between(6, 9) }, (_, i) =>
    paper(chance.oneOf(CUSTOMERS), period, chance.between(1, 27), base + i, chance.between(180_000, 1_900_000)),
  )
  const net = chance.between(900_000, 2_600_000)
  const boletas = { documents: chance.between(120, 420), net, iva: ivaOf(net) }
  const known = <P extends Party>(papers: readonly Paper<P>[]) => papers.filter(({ issue_date }) => issue_date <= today)
  const arriving = known(bought.filter(({ party }) => party.monthly_on === undefined)).slice(0, ARRIVING)
  return {
    period,
    purchases: known(bought).filter((one) => !arriving.includes(one)),
    received: arriving,
    sales: known(sold),
    boletas,
  }
}
