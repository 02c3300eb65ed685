import { longDate, pesos } from '@timbre/dte/values'
import { Type } from 'typebox'
import type { F29Filing } from '../../domain/tax/f29/filing-schema.ts'
import type { F29Proposal } from '../../domain/tax/f29/schema.ts'
import type { RcvSummary } from '../../domain/tax/rcv/summary-schema.ts'
import { YEAR_MONTH } from '../../kernel/schema.ts'
import { defineTool } from '../own-tool.ts'
import { acted, Detail, Empresa, Month, tell, tellAll } from './kit.ts'
import { kindOf } from './said.ts'

/** What the IVA of the month is made of: each kind of document on each side. */
function whyOf({ lines }: RcvSummary) {
  return lines
    .filter(({ documents }) => documents > 0)
    .map(({ side, tipo_doc, estado_contable, documents, iva, sign }) => {
      const what = `${side === 'sale' ? 'Ventas' : 'Compras'}, ${kindOf(tipo_doc).toLowerCase()}`
      const apart = estado_contable === null || estado_contable === 'REGISTRO' ? '' : ` (${estado_contable}: no cuenta)`
      return {
        said: `${what}: ${documents}, IVA ${pesos(sign * iva)}${apart}`,
        side,
        tipo_doc,
        documents,
        iva: sign * iva,
      }
    })
}

/** The lines of the form that hold something. */
function proposalOf({ status, version, stale, due_date, total_due, remanente, codes, warnings, filing }: F29Proposal) {
  const filled = codes.filter(({ amount, kind }) => kind !== 'count' && amount !== null && amount !== 0)
  return {
    said: `F29: a pagar ${pesos(total_due)} hasta el ${longDate(due_date)}${remanente > 0 ? `, remanente ${pesos(remanente)}` : ''}`,
    status,
    version,
    stale,
    due_date,
    total_due,
    remanente,
    codes: filled.map(({ code, label, amount, sign }) => ({ code, label, amount, sign })),
    warnings,
    filing,
  }
}

function resultSaid(debit: number, credit: number): string {
  const rest = debit - credit
  return rest >= 0 ? `a pagar ${pesos(rest)}` : `a favor ${pesos(-rest)}`
}

export const taxMonth = defineTool({
  name: 'tax_month',
  title: "The month's IVA and F29",
  description:
    'The IVA of a month so far and why (cuánto IVA llevo, débito, crédito), what differs from the register of the SII, and the F29 with its total and its last day (cuánto debo pagar, formulario 29).',
  reads: ['tax.summary.get', 'tax.f29.proposals.get'],
  input: { empresa: Empresa, period: Month, detail: Detail },
  run: async (ctx, { empresa, period = ctx.today.slice(0, 7), detail }) => {
    const summary = await ctx.read<RcvSummary>('tax.summary.get', { empresa, period })
    const proposal = await ctx.readIfThere<F29Proposal>('tax.f29.proposals.get', { empresa, period })
    if (detail === 'full') return tellAll({ summary, f29: proposal })
    const { iva_debit, iva_credit, differences_total, differences, sync } = summary
    const f29 = proposal && proposalOf(proposal)
    if (sync.last_synced_at === null) {
      return tell({
        // Zeros would be taken for an answer.
        said: `IVA de ${period}: todavía no se sabe, porque el registro de ese mes no se ha leído del SII`,
        period,
        next: 'Never read from the SII: `operations_call` with `tax_sync`, and ask again.',
        f29,
      })
    }
    return tell({
      said: `IVA de ${period}: débito ${pesos(iva_debit)} menos crédito ${pesos(iva_credit)}, ${resultSaid(iva_debit, iva_credit)}`,
      period,
      iva_debit,
      iva_credit,
      iva_net: iva_debit - iva_credit,
      why: whyOf(summary),
      differences_total,
      differences: differences.slice(0, 5),
      read_from_sii_at: sync.last_synced_at,
      f29,
    })
  },
})

export const fileF29 = defineTool({
  name: 'file_f29',
  title: 'File the F29',
  description:
    'Files the F29 of a month with the SII (presentar, declarar el F29), for the total that the person agreed to. Look at `tax_month` first. Takes two calls; it cannot be taken back.',
  reads: ['tax.f29.proposals.get'],
  acts: ['tax.f29.filings.create'],
  input: {
    empresa: Empresa,
    period: Type.String({ pattern: YEAR_MONTH, maxLength: 7, description: 'Month, as 2026-10.' }),
    total: Type.Integer({ minimum: 0, description: 'Total to pay that the person saw: `total_due` of the month.' }),
  },
  run: async (ctx, input, acting) => {
    const { empresa, period, total } = input
    const result = await ctx.act('tax.f29.filings.create', {
      empresa,
      period,
      confirm_total: total,
      ...acting,
    })
    return acted<F29Filing>(result, ({ id, status }) => ({
      said: `F29 de ${period} por ${pesos(total)}: se presenta al SII`,
      filing_id: id,
      status,
    }))
  },
})
