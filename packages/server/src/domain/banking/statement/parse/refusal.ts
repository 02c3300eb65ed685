import { Problem } from '../../../../kernel/problem.ts'
import { type Cell, isBlank, textOf } from './sheet.ts'

const QUOTED_CHARS = 60

/** A cell as a refusal quotes it. */
export function quoted(cell: Cell | undefined): string {
  const text = typeof cell === 'object' ? `=${cell.formula}` : textOf(cell)
  return `"${text.length > QUOTED_CHARS ? `${text.slice(0, QUOTED_CHARS)}…` : text}"`
}

/** The name of a column as a path: `Fecha Contable` -> `fecha_contable`. */
export function pathName(column: string): string {
  const plain = column.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()
  return plain.replace(/[^a-z0-9]+/g, '_').replace(/^_|_$/g, '') || 'column'
}

/**
 * A value that cannot be parsed; whoever knows its row and column turns it into a refusal. Nobody reads where it was
 * thrown, and a file may hold a hundred thousand of them.
 */
export class CellFault extends Error {
  constructor(message: string) {
    const { stackTraceLimit } = Error
    Error.stackTraceLimit = 0
    super(message)
    Error.stackTraceLimit = stackTraceLimit
  }
}

/** A refusal that names the row and the column, and quotes what stands there. */
export function refusedCell(row: number, column: string, cell: Cell | undefined, reason: string): Problem {
  const param = `file.rows[${row}].${pathName(column)}`
  const message = `${param}: ${isBlank(cell) ? 'the cell' : quoted(cell)} ${reason}.`
  return new Problem('invalid_field', { param, message, details: { row, column } })
}

export function refusedFile(reason: string): Problem {
  return new Problem('invalid_field', { param: 'file', message: `file: ${reason}.` })
}
