import type { DteDraft } from '@timbre/dte/draft'
import { TIPO } from '@timbre/dte/values'
import { CEILINGS } from '../../../catalog/limits.ts'
import { invalidField } from '../../../kernel/problem.ts'
import type { CreateDocument } from '../document/create-schema.ts'
import type { InvoiceGuias } from './schema.ts'

/** A guía that the SII took, so it has its folio. */
export interface Guia {
  readonly folio: number
  readonly issue_date: string
  readonly draft: DteDraft
}

/** Without IVA on any line it must be the exempt one (SII, Formato DTE v2.4.2: a 33 has a taxed line). */
function tipoOf(items: DteDraft['items']): CreateDocument['tipo_dte'] {
  const plain = items.filter(({ billing }) => billing === undefined)
  return plain.length > 0 && plain.every(({ exempt }) => exempt === true) ? TIPO.factura_exenta : TIPO.factura
}

/** Fuels state their tax on each guía; the factura states the sum of each code. */
function statedTaxes(guias: readonly Guia[]): { stated_taxes?: NonNullable<CreateDocument['stated_taxes']> } {
  const sums = new Map<number, number>()
  for (const { code, amount } of guias.flatMap(({ draft }) => draft.stated_taxes ?? [])) {
    sums.set(code, (sums.get(code) ?? 0) + amount)
  }
  return sums.size === 0 ? {} : { stated_taxes: [...sums].map(([code, amount]) => ({ code, amount })) }
}

function receptorOf({ draft }: Guia): DteDraft['receptor'] {
  const { rut, legal_name, giro, address, email, contact, code, foreign } = draft.receptor
  return { rut, legal_name, giro, address, email, contact, code, foreign }
}

/**
 * The factura over guías, as if the caller had written it out for POST /documents: their lines one after the other, a
 * reference to each, the receptor as the last one names it. The IVA is that of the sum, rounded once: the guías may have
 * rounded to some pesos more or less.
 */
export function buildFactura(guias: readonly Guia[], wishes: Omit<InvoiceGuias, 'guia_ids'>): CreateDocument {
  const items = guias.flatMap(({ draft }) => draft.items)
  if (items.length > CEILINGS.document_items) {
    const reason = `they have ${items.length} lines, and a factura takes ${CEILINGS.document_items}.`
    throw invalidField('guia_ids', reason)
  }
  const last = guias.at(-1)
  const { references = [], ...rest } = wishes
  const factura = {
    ...rest,
    tipo_dte: tipoOf(items),
    ...(last && { receptor: receptorOf(last) }),
    items,
    ...statedTaxes(guias),
    ...(last?.draft.gross_prices !== undefined && { gross_prices: last.draft.gross_prices }),
    references: [
      ...guias.map(({ folio, issue_date }) => ({ tipo_dte: TIPO.guia, folio, date: issue_date })),
      ...references,
    ],
  }
  // Written as JSON, an absent field and one that is undefined are the same.
  return factura as unknown as CreateDocument
}
