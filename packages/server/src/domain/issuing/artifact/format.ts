import { isLawfulFormat, tipo } from '@timbre/dte/values'
import { invalidField } from '../../../kernel/problem.ts'
import { getsFolioFromSii } from '../../platform/empresa/channels.ts'
import { isCedible } from '../document/show.ts'
import type { PdfQuery } from './schema.ts'
import type { Issued } from './store.ts'

/** One of the pages a document can be printed as. */
export interface Page {
  readonly format: NonNullable<PdfQuery['format']>
  readonly cedible: boolean
}

/** The same words wherever the copy is asked for. */
export function noCedible({ tipo_dte, emission_channel }: Pick<Issued, 'tipo_dte' | 'emission_channel'>): string {
  const { name } = tipo(tipo_dte)
  return getsFolioFromSii(emission_channel, tipo_dte)
    ? `of a ${name} that left by the free portal the SII alone prints the cedible copy.`
    : `a ${name} has no cedible copy.`
}

/** What was asked for, where the SII allows it; what was not said follows the document, then the branding. */
export function pageOf(row: Issued, asked: PdfQuery): Page {
  const { tipo_dte } = row
  if (asked.format && !isLawfulFormat(tipo_dte, asked.format)) {
    throw invalidField('format', `the SII does not let a ${tipo(tipo_dte).name} be printed as ${asked.format}.`)
  }
  if (asked.cedible && !isCedible(row)) {
    throw invalidField('cedible', noCedible(row))
  }
  const wishes = [asked.format, row.pdf_format, row.print_format]
  return {
    format: wishes.find((format) => format && isLawfulFormat(tipo_dte, format)) ?? 'letter',
    cedible: asked.cedible ?? (row.pdf_cedible && isCedible(row)),
  }
}
