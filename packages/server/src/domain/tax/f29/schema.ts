import { type Static, Type } from 'typebox'
import { MODE_NAMES } from '../../../catalog/modes.ts'
import { CivilDate, Closed, listQuery, MultiLine, Named, Nullable, OneOf, Timestamp } from '../../../kernel/schema.ts'
import { Period } from '../rcv/period.ts'
import { SECTIONS } from './form.ts'
import { Warning } from './warnings.ts'

const optional = Type.Optional
// The form has fifteen digits; what JavaScript counts exactly has fifteen too.
const Pesos = (description: string) => Type.Integer({ minimum: 0, maximum: 999_999_999_999_999, description })

export const PeriodPath = Closed({ period: Period })
export type PeriodPath = Static<typeof PeriodPath>
export const CodePath = Closed({
  period: Period,
  code: Type.String({ pattern: '^[0-9]{1,4}$', maxLength: 4, description: 'A code of the form.' }),
})
export type CodePath = Static<typeof CodePath>

const Inputs = {
  ppm_rate: Type.Number({ minimum: 0, maximum: 100, description: 'Percentage, up to three decimals: code 115.' }),
  payroll_tax: Pesos('Impuesto único withheld from employees: code 48.'),
  honorarios_withheld: Pesos('Withheld from honorarios: code 151.'),
  previous_remanente: Pesos('Code 77 of the period before, as it was filed. Left out: as it was proposed here.'),
  common_use_factor: Type.Number({
    minimum: 0,
    maximum: 1,
    description: 'The share of common-use IVA that gives credit, up to four decimals.',
  }),
}

const OverrideIn = Closed({
  code: Type.Integer({ minimum: 1, maximum: 9999 }),
  amount: Pesos('Whole pesos, positive: the sign belongs to the line of the form.'),
  reason: MultiLine(500),
})

export const Recompute = Closed({
  overrides: optional(
    Type.Array(OverrideIn, {
      maxItems: 100,
      description: 'In place of those there were; an empty array removes them.',
    }),
  ),
  rectify: optional(
    Type.Boolean({
      description:
        'Opens a period whose declaration the SII accepted: its entries may be decided about anew until it is filed again.',
    }),
  ),
  ppm_rate: optional(Nullable(Inputs.ppm_rate)),
  payroll_tax: optional(Nullable(Inputs.payroll_tax)),
  honorarios_withheld: optional(Nullable(Inputs.honorarios_withheld)),
  previous_remanente: optional(Nullable(Inputs.previous_remanente)),
  common_use_factor: optional(Nullable(Inputs.common_use_factor)),
})
export type Recompute = Static<typeof Recompute>

const F29Code = Named(
  'F29Code',
  Closed({
    code: Type.Integer(),
    line: Type.Integer({ description: 'The line of the form.' }),
    section: OneOf(SECTIONS),
    label: Type.String({ description: 'What the form calls it, in Spanish.' }),
    kind: OneOf(['count', 'amount', 'rate', 'total']),
    sign: Nullable(OneOf(['+', '-', '=']), { description: 'How its line counts. Null: it only informs.' }),
    amount: Nullable(Type.Integer({ description: 'Never negative. Null for the rate of the PPM alone.' })),
    rate: Nullable(Type.Number()),
    formula: Nullable(Type.String({ description: 'What it is made of.' })),
    source: OneOf(['entries', 'codes', 'input', 'override', 'none']),
    computed_amount: Nullable(Type.Integer({ description: 'What it would be without overrides.' })),
    entries: Type.Integer({ description: 'How many entries of the registers are behind it.' }),
    override_reason: Nullable(Type.String()),
  }),
)

const Difference = Closed({ code: Type.Integer(), ours: Type.Integer(), sii: Type.Integer() })
const Change = Closed({ code: Type.Integer(), before: Nullable(Type.Number()), after: Nullable(Type.Number()) })

const FilingMark = Type.Unsafe<{ id: string; status: string } | null>({
  anyOf: [Closed({ id: Type.String(), status: Type.String() }), { type: 'null' }],
  description: 'The last filing of the period that has not failed.',
})

export const F29Proposal = Named(
  'F29Proposal',
  Closed({
    object: Type.Literal('f29_proposal'),
    id: Type.String(),
    mode: OneOf(MODE_NAMES),
    period: Period,
    status: OneOf(['open', 'filing', 'filed']),
    version: Type.Integer({
      description: 'Grows when a compute changes a figure, an input or an override. File with it what you looked at.',
    }),
    stale: Type.Boolean({
      description:
        'Whether what it is made of changed since it was computed: it is computed anew soon, or by recompute.',
    }),
    due_date: CivilDate,
    total: Type.Integer({ description: 'Code 91: what is paid in term.' }),
    total_due: Type.Integer({ description: 'What is paid: code 94 past its day, code 91 in term.' }),
    remanente: Type.Integer({ description: 'Code 77: what is left for the next period.' }),
    codes: Type.Array(F29Code),
    diff: Type.Array(Change, { description: 'What this version changed.' }),
    sii_read_at: Nullable(Timestamp, { description: 'When the SII was last asked what it proposes.' }),
    differences: Type.Array(Difference, { description: 'Codes that the SII proposes otherwise.' }),
    warnings: Type.Array(Warning),
    inputs: Closed({
      ppm_rate: Nullable(Inputs.ppm_rate),
      payroll_tax: Nullable(Inputs.payroll_tax),
      honorarios_withheld: Nullable(Inputs.honorarios_withheld),
      previous_remanente: Nullable(Inputs.previous_remanente),
      common_use_factor: Nullable(Inputs.common_use_factor),
    }),
    overrides: Type.Array(OverrideIn),
    filing: FilingMark,
    changes_since_filing: Type.Array(Change, {
      description:
        'Codes that say otherwise than what was filed: a rectificatoria (`rectifies` of a filing) corrects them.',
    }),
    created_at: Timestamp,
    computed_at: Timestamp,
  }),
)
export type F29Proposal = Static<typeof F29Proposal>

export const ProposalQuery = listQuery({})
