export type Cell = string | number | boolean | null

/** Rows under the names of their columns. They come as they are read: nobody holds all of them. */
export interface Table {
  readonly columns: readonly string[]
  readonly rows: AsyncIterable<readonly Cell[]>
}

/**
 * A sign that begins a formula, the full-width ones of East Asian spreadsheets too, behind what nobody sees and a
 * spreadsheet may drop when it opens the file: blanks of any width, and of none. What may divide cells is not among them,
 * or a long run of tabs would be looked at once from each of them.
 */
const FORMULA = /^(?:[\t\r\n]|[\v\f\p{Cf}\p{Z}]*(?=[=+\-@＝＋－＠]))/u

/**
 * Text that a spreadsheet takes for text: one that starts as a formula does, behind blanks or not, gets an apostrophe
 * before it (OWASP, CSV Injection). The name of a stranger's company must not run on the machine of whoever opens the file.
 */
export function inert(text: string): string {
  return FORMULA.test(text) ? `'${text}` : text
}
