export type Cell = string | number | boolean | null

/** Rows under the names of their columns. They come as they are read: nobody holds all of them. */
export interface Table {
  readonly columns: readonly string[]
  readonly rows: AsyncIterable<readonly Cell[]>
}

const FORMULA = /^[=+\-@\t\r\n]/

/**
 * Text that a spreadsheet takes for text: one that starts as a formula does gets an apostrophe before it (OWASP, CSV
 * Injection). The name of a stranger's company must not run on the machine of whoever opens the file.
 */
export function inert(text: string): string {
  return FORMULA.test(text) ? `'${text}` : text
}
