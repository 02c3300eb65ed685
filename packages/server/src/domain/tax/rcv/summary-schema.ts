import { type Static, Type } from 'typebox'
import { MODE_NAMES } from '../../../catalog/modes.ts'
import { ESTADOS_CONTABLES } from '../../../catalog/rcv.ts'
import { Closed, Named, Nullable, OneOf } from '../../../kernel/schema.ts'
import { Period } from './period.ts'
import { OtherTax, RcvSync } from './schema.ts'

const amounts = {
  entries: Type.Integer(),
  documents: Type.Integer(),
  net: Type.Integer(),
  exempt: Type.Integer(),
  iva: Type.Integer(),
  iva_not_recoverable: Type.Integer(),
  iva_common_use: Type.Integer(),
  total: Type.Integer(),
}

const Line = Closed({
  side: OneOf(['purchase', 'sale']),
  tipo_doc: Type.Integer(),
  estado_contable: Nullable(OneOf(ESTADOS_CONTABLES)),
  sign: Type.Unsafe<1 | -1>({ type: 'integer', enum: [1, -1] }),
  ...amounts,
  other_taxes: Type.Array(OtherTax, { description: 'Taxes beside IVA, by code and rate.' }),
})

const figures = { net: Type.Integer(), exempt: Type.Integer(), iva: Type.Integer(), total: Type.Integer() }
const Figures = Type.Unsafe<{ net: number; exempt: number; iva: number; total: number } | null>({
  anyOf: [Closed(figures), { type: 'null' }],
})

export const DIFFERENCES_SHOWN = 100

const Difference = Closed({
  kind: OneOf(['missing_at_sii', 'missing_here', 'amounts'], {
    description:
      '`missing_at_sii`: accepted, and the register does not show it. `missing_here`: in the register, and not issued ' +
      'through this service. `amounts`: in both, with other amounts.',
  }),
  tipo_doc: Type.Integer(),
  folio: Nullable(Type.Integer(), { description: 'Null for boletas, which the register holds by the month.' }),
  document_id: Nullable(Type.String()),
  entry_id: Nullable(Type.String()),
  ours: Figures,
  sii: Figures,
})

export const RcvSummary = Named(
  'RcvSummary',
  Closed({
    object: Type.Literal('rcv_summary'),
    mode: OneOf(MODE_NAMES),
    period: Period,
    lines: Type.Array(Line, { description: 'By side, tipo and estado_contable; amounts as the SII writes them.' }),
    iva_debit: Type.Integer({
      description:
        "IVA of the sales that is the empresa's to pay, notas de crédito taken away: code 538 of the F29, before " +
        "overrides. What the buyer of a factura de compra withheld is the buyer's to pay. Negative where the notas " +
        'exceed; the form then shows 0.',
    }),
    iva_credit: Type.Integer({ description: 'IVA of purchases in REGISTRO that gives credit, likewise.' }),
    differences: Type.Array(Difference, {
      description:
        'Our own accepted documents against the register of sales, the first 100. Empty while the period was never read.',
    }),
    differences_total: Type.Integer(),
    sync: RcvSync,
  }),
)
export type RcvSummary = Static<typeof RcvSummary>

export const SummaryQuery = Closed({ period: Period })
export type SummaryQuery = Static<typeof SummaryQuery>
