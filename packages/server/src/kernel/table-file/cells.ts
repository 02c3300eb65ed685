export type Cell = string | number | boolean | null

/** Rows under the names of their columns. They come as they are read: nobody holds all of them. */
export interface Table {
  readonly columns: readonly string[]
  readonly rows: AsyncIterable<readonly Cell[]>
}

/** What begins a formula, the full-width signs of East Asian spreadsheets too. */
const SIGNS = '=+\\-@＝＋－＠'
/**
 * What nobody sees, and a spreadsheet may drop when it opens the file: blanks of any width, and of none. What may divide
 * cells is not among them, or a long run of tabs would be looked at once from each of them.
 */
const BLANKS = '\\v\\f\\p{Cf}\\p{Z}'
export const SIGN_AHEAD = `[${BLANKS}]*(?=[${SIGNS}])`

const FORMULA = new RegExp(`^(?:[\\t\\r\\n]|${SIGN_AHEAD})`, 'u')

/**
 * Text that a spreadsheet takes for text: one that starts as a formula does, behind blanks or not, gets an apostrophe
 * before it (OWASP, CSV Injection). The name of a stranger's company must not run on the machine of whoever opens the file.
 */
export function inert(text: string): string {
  return FORMULA.test(text) ? `'${text}` : text
}
