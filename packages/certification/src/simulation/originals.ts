import { checkDraft, type DteDraft, type Emisor, type Item, priceDraft, type Receptor } from '@timbre/dte/draft'
import { FULL_WITHHOLDING } from '../plan/documents.ts'
import type { Business, BusinessDocument, Product, SimulatedDocument, SimulationInputs } from './business.ts'
import { Choice } from './choice.ts'
import type { OriginalTipo } from './needs.ts'
import { isSale, SALE, type Stock, stocksFor, type Ware } from './stock.ts'

export interface DrawnDraft extends Pick<SimulatedDocument, 'source' | 'receptor_source' | 'line'> {
  readonly draft: DteDraft
}

const MAX_LINES = 3
/** Draws that may come to nothing, for each document that is asked for. */
const TRIES = 25
/** Without a taxed line they would be another document. */
const WITH_IVA: readonly number[] = [33, 46, 52]

export interface DrawContext {
  readonly business: Business
  readonly inputs: SimulationInputs
  readonly emisor: Emisor
  readonly issue_date: string
}

/**
 * Documents of one tipo, each different: those that the empresa issued as they were, then others made of its products,
 * prices, quantities and counterparties. Fewer than asked for where nothing more can be drawn.
 */
export function drawOriginals(tipo_dte: OriginalTipo, count: number, context: DrawContext): readonly DrawnDraft[] {
  const { business, inputs, emisor } = context
  const drawn = new Map<string, DrawnDraft>()
  const take = (candidate: DrawnDraft) => {
    const key = contentOf(candidate.draft)
    if (drawn.size < count && !drawn.has(key) && isFit(candidate.draft)) drawn.set(key, candidate)
  }
  for (const document of business.documents) {
    if (document.tipo_dte === tipo_dte && document.receptor.rut !== emisor.rut && isSale(document))
      take({ draft: replay(document, context), source: 'business', receptor_source: 'business', line: 0 })
  }
  const choice = new Choice(`${inputs.seed ?? emisor.rut} ${tipo_dte}`)
  for (const stock of stocksFor(tipo_dte, business, inputs)) {
    for (let tries = 0; drawn.size < count && tries < count * TRIES; tries++) {
      const candidate = draw(tipo_dte, stock, choice, tries, context)
      if (candidate === null) break
      take(candidate)
    }
  }
  return [...drawn.values()]
}

/** What makes two documents the same but for their folio. */
export function contentOf({ tipo_dte, receptor, items, references }: DteDraft): string {
  const lines = items.map(({ description, quantity, unit, unit_price, exempt }) => [
    description,
    quantity ?? 1,
    unit ?? '',
    unit_price ?? 0,
    exempt ?? false,
  ])
  const corrected = (references ?? []).map((reference) => [reference.tipo_dte, String(reference.folio), reference.code])
  return JSON.stringify([tipo_dte, receptor.rut, lines, corrected])
}

/** A document that the engine would refuse, or that is worth nothing, is not drawn: the SII takes no reparo here. */
export function isFit(draft: DteDraft): boolean {
  if (checkDraft(draft, { today: draft.issue_date }).length > 0) return false
  const { totals } = priceDraft(draft)
  return totals.total > 0 && (!WITH_IVA.includes(draft.tipo_dte) || (totals.net ?? 0) > 0)
}

function replay({ tipo_dte, receptor, items, gross_prices }: BusinessDocument, context: DrawContext): DteDraft {
  const lines = items.map(({ exempt = false, ...item }) =>
    lineOf(tipo_dte as OriginalTipo, { ...item, exempt }, item.quantity),
  )
  return draftOf(tipo_dte as OriginalTipo, receptor, lines, gross_prices ?? false, context)
}

function draw(
  tipo_dte: OriginalTipo,
  { source, wares, receptores }: Stock,
  choice: Choice,
  turn: number,
  context: DrawContext,
): DrawnDraft | null {
  const known = receptores[turn % receptores.length]
  const first = choice.of(wares.filter(({ exempt }) => exempt === (tipo_dte === 34)))
  if (first === undefined || known === undefined) return null
  // Prices of a document either carry IVA or do not, and a factura exenta has nothing else.
  const beside = wares.filter(
    (ware) => ware !== first && (ware.exempt || (tipo_dte !== 34 && ware.gross === first.gross)),
  )
  const chosen = [first]
  for (let lines = choice.below(MAX_LINES); lines > 0 && beside.length > 0; lines--)
    chosen.push(...beside.splice(choice.below(beside.length), 1))
  const items = chosen.map((ware) => lineOf(tipo_dte, ware, choice.of(ware.quantities)))
  const draft = draftOf(tipo_dte, known.receptor, items, first.gross, context)
  return { draft, source, receptor_source: known.source, line: first.line }
}

/** The buyer withholds all of the IVA of a factura de compra, whatever it withheld elsewhere. */
function lineOf(
  tipo_dte: OriginalTipo,
  { description, unit, unit_price, exempt, additional_tax }: Pick<Ware, 'exempt'> & Omit<Product, 'exempt'>,
  quantity: number | undefined,
): Item {
  const tax = tipo_dte === 46 && !exempt ? FULL_WITHHOLDING : additional_tax
  return {
    description,
    ...(quantity === undefined ? {} : { quantity }),
    ...(unit === undefined ? {} : { unit }),
    unit_price,
    ...(exempt && tipo_dte !== 34 ? { exempt: true } : {}),
    ...(tax === undefined ? {} : { additional_tax: tax }),
  }
}

function draftOf(
  tipo_dte: OriginalTipo,
  receptor: Receptor,
  items: readonly Item[],
  gross_prices: boolean,
  { emisor, issue_date }: DrawContext,
): DteDraft {
  return {
    tipo_dte,
    issue_date,
    emisor,
    receptor,
    items,
    ...(gross_prices ? { gross_prices } : {}),
    ...(tipo_dte === 52 ? { dispatch: { transfer_type: SALE } } : {}),
    ...(tipo_dte === 33 || tipo_dte === 34 ? { payment: { form: 'credit' as const } } : {}),
  }
}
