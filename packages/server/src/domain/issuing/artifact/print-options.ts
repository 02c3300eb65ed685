import { isLawfulFormat, tipo } from '@timbre/dte/values'
import { invalidField } from '../../../kernel/problem.ts'
import { getsFolioFromSii } from '../../platform/empresa/channels.ts'
import { isCedible } from '../document/show.ts'
import type { PdfQuery } from './schema.ts'
import type { PrintableRow } from './store.ts'

/** The paper and the copy a document is printed as. */
export interface Page {
  readonly format: NonNullable<PdfQuery['format']>
  readonly cedible: boolean
}

/** Why a document has no cedible copy, in the same words for its PDF and for its public link. */
export function noCedible({ tipo_dte, emission_channel }: Pick<PrintableRow, 'tipo_dte' | 'emission_channel'>): string {
  const { name } = tipo(tipo_dte)
  return getsFolioFromSii(emission_channel, tipo_dte)
    ? `of a ${name} that left by the free portal the SII alone prints the cedible copy.`
    : `a ${name} has no cedible copy.`
}

/** What the query asks for, where the SII allows it; what it leaves out follows the document, then the branding. */
export function pageOf(row: PrintableRow, query: PdfQuery): Page {
  const { tipo_dte } = row
  if (query.format && !isLawfulFormat(tipo_dte, query.format)) {
    throw invalidField('format', `the SII does not let a ${tipo(tipo_dte).name} be printed as ${query.format}.`)
  }
  if (query.cedible && !isCedible(row)) {
    throw invalidField('cedible', noCedible(row))
  }
  const wishes = [query.format, row.pdf_format, row.print_format]
  return {
    format: wishes.find((format) => format && isLawfulFormat(tipo_dte, format)) ?? 'letter',
    cedible: query.cedible ?? (row.pdf_cedible && isCedible(row)),
  }
}
