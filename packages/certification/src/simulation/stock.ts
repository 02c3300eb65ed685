import type { Receptor } from '@timbre/dte/draft'
import { ANONYMOUS_RUT, type TipoDte } from '@timbre/dte/values'
import type { Section, SectionKind } from '../set/set.ts'
import type {
  Business,
  BusinessDocument,
  Product,
  SimulatedDocument,
  SimulationInputs,
  SimulationSource,
} from './business.ts'
import type { OriginalTipo } from './needs.ts'
import { PUBLIC_BODIES } from './public-bodies.ts'

/** Something that may stand on a line, with the quantities in which it was seen. */
export interface Ware extends Omit<Product, 'quantity' | 'exempt'> {
  readonly exempt: boolean
  readonly gross: boolean
  readonly quantities: readonly number[]
  /** Line of the set where it was read; 0 when it was not. */
  readonly line: number
}

export interface KnownReceptor {
  readonly receptor: Receptor
  readonly source: SimulatedDocument['receptor_source']
}

/** What documents of one tipo may be drawn from, the empresa's own first. */
export interface Stock {
  readonly source: SimulationSource
  readonly wares: readonly Ware[]
  readonly receptores: readonly KnownReceptor[]
}

const BOUGHT = 46
/** IndTraslado of a guía that is itself a sale. */
export const SALE = 1
/** Documents whose lines are what the empresa sells; notes repeat the lines of others. */
const SOLD: readonly TipoDte[] = [33, 34, 39, 41, 52]
const EXEMPT: readonly TipoDte[] = [34, 41]
const GROSS: readonly TipoDte[] = [39, 41]

/**
 * What the empresa sells says nothing of what it buys: facturas de compra are drawn from facturas de compra. Items of
 * the set go to public bodies alone, never to customers of the empresa, which did not buy them.
 */
export function stocksFor(tipo_dte: OriginalTipo, business: Business, inputs: SimulationInputs): readonly Stock[] {
  const own = business.documents.filter((document) => isAbout(tipo_dte, document))
  const known = receptoresOf(tipo_dte, business, inputs)
  const stocks: Stock[] = [{ source: 'business', wares: own.flatMap(waresOf), receptores: known }]
  if (tipo_dte !== BOUGHT)
    stocks.push({ source: 'inputs', wares: business.products.map((product) => wareOf(product)), receptores: known })
  const strangers = known.some(({ source }) => source === 'inputs')
    ? known.filter(({ source }) => source === 'inputs')
    : publicBodies(tipo_dte)
  stocks.push({ source: 'set', wares: waresOfSet(tipo_dte, inputs), receptores: strangers })
  return stocks.map((stock) => ({ ...stock, wares: merge(stock.wares) }))
}

function isAbout(tipo_dte: OriginalTipo, document: BusinessDocument): boolean {
  if (tipo_dte === BOUGHT) return document.tipo_dte === BOUGHT
  return SOLD.includes(document.tipo_dte) && isSale(document)
}

/** Goods that a guía moves from one place to another are sold to nobody, at prices that may be none. */
export function isSale({ tipo_dte, transfer_type }: BusinessDocument): boolean {
  return tipo_dte !== 52 || transfer_type === SALE
}

/** Its own counterparties; where it has none, those that its people named; where there are none, public bodies. */
function receptoresOf(
  tipo_dte: OriginalTipo,
  { documents, counterparties }: Business,
  { emisor, receptores = [] }: SimulationInputs,
): readonly KnownReceptor[] {
  const of = (wanted: boolean) =>
    documents.filter((document) => isAbout(tipo_dte, document) === wanted).map(({ receptor }) => receptor)
  const elsewhere = new Set(of(false).map(({ rut }) => rut))
  // The address book does not tell buyers from sellers: who is known from the other side alone is left out.
  const met = tipo_dte === BOUGHT ? of(true) : [...of(true), ...counterparties.filter(({ rut }) => !elsewhere.has(rut))]
  const usable = (list: readonly Receptor[], source: KnownReceptor['source']) => {
    const distinct = new Map<string, Receptor>()
    for (const receptor of list) {
      const { rut } = receptor
      if (rut !== ANONYMOUS_RUT && rut !== emisor?.rut && !distinct.has(rut)) distinct.set(rut, receptor)
    }
    return [...distinct.values()].map((receptor) => ({ receptor, source }))
  }
  const own = usable(met, 'business')
  const named = own.length > 0 ? own : usable(receptores, 'inputs')
  return named.length > 0 ? named : publicBodies(tipo_dte)
}

/** A factura de compra has a receptor that no other document of the simulation has. */
function publicBodies(tipo_dte: OriginalTipo): readonly KnownReceptor[] {
  const half = PUBLIC_BODIES.length / 2
  const bodies = tipo_dte === BOUGHT ? PUBLIC_BODIES.slice(half) : PUBLIC_BODIES.slice(0, half)
  return bodies.map((receptor) => ({ receptor, source: 'public_body' }))
}

function waresOf({ tipo_dte, items, gross_prices }: BusinessDocument): readonly Ware[] {
  const gross = gross_prices ?? GROSS.includes(tipo_dte)
  return items.map((item) => wareOf({ ...item, exempt: item.exempt || EXEMPT.includes(tipo_dte) }, gross))
}

function wareOf({ quantity, exempt = false, ...product }: Product, gross = false, line = 0): Ware {
  // Without IVA a price is the same with and without it.
  return { ...product, exempt, gross: gross && !exempt, quantities: [quantity ?? 1], line }
}

const SECTION: Readonly<Record<OriginalTipo, SectionKind>> = { 33: 'basico', 34: 'exenta', 46: 'compra', 52: 'guias' }

/** The items of the section that asks for this tipo; where none has a price, those of the others. */
function waresOfSet(tipo_dte: OriginalTipo, { set }: SimulationInputs): readonly Ware[] {
  const sections = (set?.sections ?? []).filter(({ kind }) => kind !== 'boletas')
  const first = sections.filter(({ kind }) => kind === SECTION[tipo_dte]).flatMap(pricedItems)
  const all = sections.flatMap(pricedItems)
  const quantities = [...new Set(all.flatMap((ware) => ware.quantities))]
  // Nothing of it is the empresa's: any quantity will do, and what the set sells with IVA may be sold without.
  const wares = (first.length > 0 ? first : all).map((ware) => ({ ...ware, quantities }))
  if (tipo_dte !== 34 || wares.some(({ exempt }) => exempt)) return wares
  return wares.map((ware) => ({ ...ware, exempt: true }))
}

function pricedItems({ cases }: Section): readonly Ware[] {
  return cases
    .filter(({ reference }) => reference === undefined)
    .flatMap(({ items, tipo_dte, line }) =>
      items.flatMap(({ name, quantity, unit, unit_price, exempt }) => {
        if (unit_price === undefined) return []
        const product = { description: name, quantity, unit, unit_price, exempt: exempt || EXEMPT.includes(tipo_dte) }
        return [wareOf(product as Product, false, line)]
      }),
    )
}

/** The same thing at the same price is one ware, in all the quantities in which it was seen. */
function merge(wares: readonly Ware[]): readonly Ware[] {
  const merged = new Map<string, Ware>()
  for (const ware of wares) {
    const { quantities, line: _, ...what } = ware
    const key = JSON.stringify([
      what.description,
      what.unit,
      what.unit_price,
      what.exempt,
      what.gross,
      what.additional_tax,
    ])
    const before = merged.get(key)
    merged.set(key, before === undefined ? ware : { ...before, quantities: [...before.quantities, ...quantities] })
  }
  return [...merged.values()]
}
