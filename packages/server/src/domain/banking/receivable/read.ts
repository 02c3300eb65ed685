import { santiagoDate } from '@timbre/dte/values'
import { type ListPage, paginate } from '../../../kernel/cursor.ts'
import { nothing, part, type Sql } from '../../../kernel/db.ts'
import type { EmpresaScope } from '../../../kernel/scope.ts'
import type { EmpresaContext } from '../../context.ts'
import { openDocuments } from '../../issuing/document/owed.ts'
import { openReceived } from '../../receiving/received-document/owed.ts'
import type { OpenQuery, Payable, Receivable } from './schema.ts'

export type Side = 'receivable' | 'payable'

/** What one counterparty owes, or is owed, by how long ago it fell due. */
export interface OpenRow {
  readonly rut: string
  readonly name: string | null
  readonly documents: number
  readonly first_due_date: string
  readonly pending_amount: number
  readonly not_due: number
  readonly overdue_1_30: number
  readonly overdue_31_60: number
  readonly overdue_61_90: number
  readonly overdue_over_90: number
}

/** What is open on a side by counterparty, in the order of their RUT, after one of them. */
export function listOpen(
  sql: Sql,
  scope: EmpresaScope,
  side: Side,
  page: {
    readonly today: string
    readonly rut?: string | undefined
    readonly after: string | null
    readonly take: number
  },
): Promise<OpenRow[]> {
  const { today, rut, after, take } = page
  const received = side === 'payable' ? part`union all ${openReceived(scope)}` : nothing
  const late = part`${today}::date - o.due_date`
  return sql<OpenRow>`
    select o.rut, max(o.name) as name, count(*)::int as documents, min(o.due_date) as first_due_date,
      sum(o.pending)::bigint as pending_amount,
      coalesce(sum(o.pending) filter (where ${late} <= 0), 0)::bigint as not_due,
      coalesce(sum(o.pending) filter (where ${late} between 1 and 30), 0)::bigint as overdue_1_30,
      coalesce(sum(o.pending) filter (where ${late} between 31 and 60), 0)::bigint as overdue_31_60,
      coalesce(sum(o.pending) filter (where ${late} between 61 and 90), 0)::bigint as overdue_61_90,
      coalesce(sum(o.pending) filter (where ${late} > 90), 0)::bigint as overdue_over_90
    from (${openDocuments(scope, side)} ${received}) o
    where true ${rut === undefined ? nothing : part`and o.rut = ${rut}`} ${after === null ? nothing : part`and o.rut > ${after}`}
    group by o.rut order by o.rut limit ${take}`
}

function listSide<Shown>(
  ctx: EmpresaContext,
  { limit, cursor, counterparty_rut: rut }: OpenQuery,
  side: Side,
  show: (row: Omit<Receivable, 'object'>) => Shown,
): Promise<ListPage<Shown>> {
  const today = santiagoDate(ctx.now())
  return paginate<OpenRow, Shown, readonly [string]>(
    ctx,
    { limit, cursor },
    {
      list: side,
      filters: { empresa_id: ctx.empresa.empresa_id, rut },
      fetch: ({ place, take }) => listOpen(ctx.sql, ctx.empresa, side, { today, rut, after: place?.[0] ?? null, take }),
      placeOf: (row) => [row.rut],
      show: (rows) =>
        rows.map(({ rut: counterparty, name: legal_name, ...ages }) =>
          show({ counterparty: { rut: counterparty, legal_name }, as_of: today, ...ages }),
        ),
    },
  )
}

export function listReceivables(ctx: EmpresaContext, input: OpenQuery): Promise<ListPage<Receivable>> {
  return listSide(ctx, input, 'receivable', (row) => ({ object: 'receivable', ...row }))
}

export function listPayables(ctx: EmpresaContext, input: OpenQuery): Promise<ListPage<Payable>> {
  return listSide(ctx, input, 'payable', (row) => ({ object: 'payable', ...row }))
}
