import { setImmediate } from 'node:timers/promises'
import { type TObject, type TProperties, Type } from 'typebox'
import type { ErrorCode } from '../catalog/errors.ts'
import { EXPORT_PAGE_ROWS, EXPORT_ROWS_A_TURN } from '../catalog/limits.ts'
import type { Scope } from '../catalog/scopes.ts'
import type { ListPage } from '../kernel/cursor.ts'
import { Closed, OneOf, type StreamedArtifact, streamedArtifact } from '../kernel/schema.ts'
import type { Cell, Table } from '../kernel/table-file/cells.ts'
import { type Column, columnsOf } from '../kernel/table-file/columns.ts'
import { writeCsv } from '../kernel/table-file/csv.ts'
import { writeXlsx } from '../kernel/table-file/xlsx.ts'
import type { EmpresaContext } from './context.ts'
import { defineOperation, type Input, type Operation, type SteadyWhere } from './operation.ts'

const CSV = 'text/csv; charset=utf-8; header=present'
const XLSX = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'
const FORMATS = ['csv', 'xlsx'] as const

type List = (ctx: EmpresaContext, input: never) => Promise<ListPage<object>>

interface ExportDefinition {
  readonly id: string
  /** Of the list; the export stands under it. */
  readonly path: string
  readonly summary: string
  readonly scope: Scope
  readonly params?: TObject
  /** The query of the list: its filters are those of the export. */
  readonly query: TObject
  readonly item: TObject
  readonly errors?: readonly ErrorCode[]
  /** As the list says it. */
  readonly steady?: SteadyWhere
  /** What the file is called, after the RUT. */
  readonly name: (input: Input) => string
  readonly list: List
}

/** Reads page after page as somebody takes the rows: one page is in memory, however long the list is. */
async function* rowsOf(
  first: ListPage<object>,
  next: (cursor: string) => Promise<ListPage<object>>,
  columns: readonly Column[],
): AsyncGenerator<readonly Cell[]> {
  let page = first
  for (;;) {
    for (const [index, item] of page.data.entries()) {
      yield columns.map(({ read }) => read(item))
      // Nothing between two rows waits for anything, so that a page would keep every other call of the process waiting.
      if (index % EXPORT_ROWS_A_TURN === EXPORT_ROWS_A_TURN - 1) await setImmediate()
    }
    if (page.next_cursor === null) return
    page = await next(page.next_cursor)
  }
}

function filtersOf({ properties }: TObject): TProperties {
  const { limit: _, cursor: __, expand: ___, ...filters } = properties as TProperties
  return filters
}

/**
 * The list as a file: the same rows by the same verb, so that tenant, scope and filters are those of the list, and each
 * field of the resource is a column.
 */
export function defineExport(definition: ExportDefinition): Operation {
  const { list, name, item, query, params, steady } = definition
  const columns = columnsOf(item)
  const format = Type.Optional(OneOf(FORMATS, { default: 'csv', description: '`csv` unless said otherwise.' }))
  const run = async (ctx: EmpresaContext, input: Input): Promise<StreamedArtifact> => {
    const { format: chosen = 'csv', ...filters } = input
    const read = (cursor?: string) =>
      list(ctx, { ...filters, limit: EXPORT_PAGE_ROWS, ...(cursor !== undefined && { cursor }) } as never)
    // Before anything is answered: what the list refuses is refused here too.
    const first = await read()
    const table: Table = { columns: columns.map((column) => column.name), rows: rowsOf(first, read, columns) }
    const title = name(input)
    const filename = `${ctx.empresa.rut}-${title}.${chosen}`
    return chosen === 'csv'
      ? { media_type: CSV, filename, stream: writeCsv(table) }
      : { media_type: XLSX, filename, stream: writeXlsx(title, table) }
  }
  return defineOperation({
    id: definition.id,
    method: 'GET',
    path: `${definition.path}/export`,
    summary: definition.summary,
    description:
      'The rows of the list under its filters, all of them and in its order, one column for each field by its dotted ' +
      'name. Text that a spreadsheet would run as a formula has an apostrophe before it. An account downloads two at a ' +
      'time. A download that fails on its way, or whose credential or empresa ends, breaks off.',
    reach: 'empresa',
    scope: definition.scope,
    ...(params && { params }),
    ...(steady && { steady }),
    query: Closed({ ...filtersOf(query), format }),
    returns: streamedArtifact(['text/csv', XLSX]),
    limit: 'artifacts',
    errors: definition.errors ?? [],
    mcp: { not: 'A file of rows for a spreadsheet: an agent reads the list.' },
    run: (ctx, input) => run(ctx, input as Input),
  })
}
