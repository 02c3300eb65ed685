import type { FolioSummary } from '@timbre/dte'
import type { Dte, DteDraft, Item, Reference } from '@timbre/dte/draft'
import { ANONYMOUS_RUT, ivaOn } from '@timbre/dte/values'
import type { Case, Section } from '../set/set.ts'
import { complete, type DocumentContext, itemOf } from './documents.ts'
import type { PlannedDocument } from './plan.ts'

export interface PlannedBoletas {
  readonly boletas: readonly PlannedDocument[]
  /** Notas de crédito about them, which travel in an envelope of their own. */
  readonly notes: readonly PlannedDocument[]
}

/**
 * The boletas of a set and the notes that annul or lower some of them (unverified: known from one public layout). A boleta
 * that a note corrects names its receptor, as the note must.
 */
export function planBoletas(section: Section, context: DocumentContext): PlannedBoletas {
  const { emisor, issue_date, nextFolio } = context
  const receptores = [...context.receptores]
  const boletas = section.cases.map((asked) => {
    const receptor = asked.boleta_note === undefined ? undefined : receptores.shift()
    const draft: DteDraft = {
      tipo_dte: asked.tipo_dte,
      issue_date,
      emisor,
      receptor: receptor ?? { rut: ANONYMOUS_RUT },
      items: asked.items.map((item) => itemOf(item, asked.tipo_dte)),
      references: [{ text_code: 'SET', reason: asked.label }],
    }
    return complete(asked, draft, nextFolio(asked.tipo_dte))
  })
  const notes = section.cases.flatMap((asked, index) => {
    const boleta = boletas[index]
    return asked.boleta_note === undefined || boleta === undefined ? [] : [planNote(asked, boleta.dte, context)]
  })
  return { boletas, notes }
}

export function boletaNotesNeeded({ cases }: Section): number {
  return cases.filter(({ boleta_note }) => boleta_note !== undefined).length
}

function planNote(asked: Case, boleta: Dte, { emisor, issue_date, nextFolio }: DocumentContext): PlannedDocument {
  const lower = asked.boleta_note !== undefined && 'lower_percent' in asked.boleta_note ? asked.boleta_note : null
  const set: Reference = { document_type: 'SET', folio: asked.id, date: issue_date, reason: asked.label }
  const corrected: Reference = {
    tipo_dte: boleta.tipo_dte,
    folio: boleta.folio,
    date: boleta.issue_date,
    ...(lower === null
      ? { code: 1, reason: 'ANULA BOLETA' }
      : { code: 3, reason: `REBAJA ${lower.lower_percent}% DE LA BOLETA` }),
  }
  const draft: DteDraft = {
    tipo_dte: 61,
    issue_date,
    emisor,
    receptor: boleta.receptor,
    // Prices of a boleta carry IVA, and a note repeats them.
    gross_prices: true,
    items: boleta.items.map((item) => (lower === null ? plain(item) : lowered(item, lower.lower_percent))),
    references: [set, corrected],
  }
  return complete(asked, draft, nextFolio(61))
}

function plain({ amount: _, discount_amount: _d, surcharge_amount: _s, ...item }: Dte['items'][number]): Item {
  return item
}

/** The part of a line that is given back, half up. */
function lowered(item: Dte['items'][number], percent: number): Item {
  const unit_price = Math.floor((item.amount * Math.round(percent * 100) + 5000) / 10_000)
  return { description: item.description, quantity: 1, unit_price, ...(item.exempt === true ? { exempt: true } : {}) }
}

/** The RVD: what was issued of each tipo. */
export function summarise(documents: readonly PlannedDocument[]): readonly FolioSummary[] {
  return ([39, 41, 61] as const).flatMap((tipo_dte) => {
    const issued = documents.map(({ dte }) => dte).filter((dte) => dte.tipo_dte === tipo_dte)
    const [first] = issued
    if (first === undefined) return []
    const sum = (of: 'net' | 'iva' | 'exempt' | 'total') =>
      issued.reduce((all, { totals }) => all + (totals[of] ?? 0), 0)
    const taxed = sum('net') > 0 ? { net: sum('net'), iva: sum('iva'), iva_rate: ivaOn(first.issue_date) } : {}
    return [
      { tipo_dte, ...taxed, exempt: sum('exempt'), total: sum('total'), issued: issued.map(({ folio }) => folio) },
    ]
  })
}
