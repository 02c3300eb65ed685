import { type ListPage, pageById } from '../../../kernel/cursor.ts'
import { Problem } from '../../../kernel/problem.ts'
import type { EmpresaContext } from '../../context.ts'
import type { Statement, StatementPath, StatementQuery } from './schema.ts'
import { showStatement } from './show.ts'
import { findStatement, listRows } from './store.ts'

export function listStatements(ctx: EmpresaContext, input: StatementQuery): Promise<ListPage<Statement>> {
  const { limit, cursor, status } = input
  const filters = { empresa_id: ctx.empresa.empresa_id, ...(status && { status }) }
  const fetch = (page: { before: string | null; take: number }) => listRows(ctx.sql, ctx.empresa, status, page)
  return pageById(ctx, 'tax.statements', filters, { limit, cursor }, fetch, showStatement)
}

export async function readStatement(ctx: EmpresaContext, { statement_id }: StatementPath): Promise<Statement> {
  const row = await findStatement(ctx.sql, ctx.empresa, statement_id)
  if (!row) throw new Problem('statement_not_found')
  return showStatement(row)
}
