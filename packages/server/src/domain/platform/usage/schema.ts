import { TIPO_NUMBERS } from '@timbre/dte/values'
import { type Static, Type } from 'typebox'
import { MODE_NAMES } from '../../../catalog/modes.ts'
import { USAGE_KIND_NAMES, USAGE_KINDS } from '../../../catalog/usage.ts'
import { Closed, listQuery, Named, Nullable, OneOf, Timestamp, YEAR_MONTH } from '../../../kernel/schema.ts'
import { Rut } from '../../rut.ts'

const MONTH = 'A billing period: `YYYY-MM`, a month of America/Santiago.'
const Period = Type.String({ pattern: YEAR_MONTH, maxLength: 7, description: MONTH })
const Tipo = Type.Integer()
const Empresa = Closed({ id: Type.String(), rut: Rut })
const Kind = OneOf(USAGE_KIND_NAMES, {
  description: Object.entries(USAGE_KINDS)
    .map(([kind, counts]) => `\`${kind}\`: ${counts}`)
    .join(' '),
})

export const UsageRecord = Named(
  'UsageRecord',
  Closed({
    object: Type.Literal('usage_record'),
    id: Type.String(),
    mode: OneOf(MODE_NAMES),
    empresa: Empresa,
    kind: Kind,
    tipo_dte: Nullable(Tipo),
    quantity: Type.Integer(),
    subject_id: Type.String({ description: 'What was used: the id of the document or of the job.' }),
    period: Period,
    created_at: Timestamp,
  }),
)
export type UsageRecord = Static<typeof UsageRecord>

const counts = Object.fromEntries(
  USAGE_KIND_NAMES.map((kind) => [kind, Type.Integer({ description: USAGE_KINDS[kind] })]),
) as Record<(typeof USAGE_KIND_NAMES)[number], ReturnType<typeof Type.Integer>>
const Counts = Closed(counts)
export type Counts = Static<typeof Counts>

export const UsageSummary = Named(
  'UsageSummary',
  Closed({
    object: Type.Literal('usage_summary'),
    mode: OneOf(MODE_NAMES),
    period: Period,
    totals: Counts,
    by_tipo: Type.Array(Closed({ tipo_dte: Tipo, ...counts }), {
      description: 'What is of no tipo is in `totals` alone.',
    }),
    by_empresa: Type.Array(Closed({ empresa: Empresa, ...counts }), {
      description: 'Who issued most comes first. At most 1,000: `empresas_total` says how many there are.',
    }),
    empresas_total: Type.Integer({ description: 'Empresas that used anything in the period.' }),
  }),
)
export type UsageSummary = Static<typeof UsageSummary>

export const UsageQuery = Closed({
  period: Type.Optional({ ...Period, description: `${MONTH} Default: the present one.` }),
  empresa_rut: Type.Optional(Rut),
})
export type UsageQuery = Static<typeof UsageQuery>

export const UsageRecordQuery = listQuery({
  period: Type.Optional(Period),
  empresa_rut: Type.Optional(Rut),
  kind: Type.Optional(OneOf(USAGE_KIND_NAMES)),
  tipo_dte: Type.Optional(Type.Unsafe<number>({ type: 'integer', enum: [...TIPO_NUMBERS] })),
  'created_at[gte]': Type.Optional(Timestamp),
  'created_at[lte]': Type.Optional(Timestamp),
})
export type UsageRecordQuery = Static<typeof UsageRecordQuery>
