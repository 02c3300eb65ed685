import { isBoletaHeading, readBoletas } from './boletas.ts'
import { readGuiaBook, readPurchasesBook, readSalesBook } from './books.ts'
import { readCases, readHeading } from './cases.ts'
import { isExport, kindOfCases, kindOfTitle } from './names.ts'
import { SectionDraft } from './section.ts'
import type { CertificationSet } from './set.ts'
import { isRule, type Line, readLines } from './text.ts'

/**
 * Reads a set as the SII hands it out: one file with every section, or one section without its title. Throws `SetError`
 * for what is no set at all; a line that no rule reads is kept in `not_understood` of its section.
 */
export function readSet(bytes: Uint8Array): CertificationSet {
  const general: string[] = []
  const sections = divide(readLines(bytes), general)
  for (const section of sections) readSection(section)
  return { sections: sections.map((section) => section.done()), general }
}

const ATTENTION = '- NUMERO DE ATENCI'
const MAX_TITLE = 200

/** `SET BASICO - NUMERO DE ATENCION: 4352553`. */
function readTitle({ folded, text, number }: Line): SectionDraft | null {
  const at = folded.startsWith('SET ') && folded.length <= MAX_TITLE ? folded.indexOf(ATTENTION) : -1
  if (at < 0) return null
  const attention = /^[^:]{1,4}: ?(\d{1,12})$/.exec(folded.slice(at + ATTENTION.length))?.[1]
  return attention === undefined ? null : new SectionDraft(kindOfTitle(folded.slice(0, at)), text, attention, number)
}

/** Sections begin with a title, with the heading of boletas, or with a case of another number of attention. */
function divide(lines: readonly Line[], general: string[]): readonly SectionDraft[] {
  const sections: SectionDraft[] = []
  let in_general = false
  for (const line of lines) {
    const current = sections.at(-1)
    const begun = readTitle(line) ?? beginUntitled(line, current)
    if (begun !== null) {
      sections.push(begun)
      in_general = false
      // The heading of a case is also its first line.
      if (readHeading(line) !== null) begun.lines.push(line)
    } else if (line.folded.startsWith('SET ')) {
      sections.push(new SectionDraft('unknown', line.text, null, line.number))
      in_general = false
    } else if (line.folded === 'INDICACIONES GENERALES:' && current === undefined) {
      in_general = true
    } else if (in_general) {
      if (line.text !== '' && !isRule(line)) general.push(line.text)
    } else if (current !== undefined) {
      current.lines.push(line)
    } else if (line.text !== '' && !isRule(line)) {
      const stray = new SectionDraft('unknown', '', null, line.number)
      stray.lines.push(line)
      sections.push(stray)
    }
  }
  return sections
}

function beginUntitled(line: Line, current: SectionDraft | undefined): SectionDraft | null {
  if (isBoletaHeading(line)) return new SectionDraft('boletas', line.text, null, line.number)
  const heading = readHeading(line)
  if (heading === null || heading.attention === current?.attention) return null
  return new SectionDraft('unknown', `CASO ${heading.attention}`, heading.attention, line.number)
}

function readSection(section: SectionDraft) {
  const untitled = section.kind === 'unknown' && section.title === `CASO ${section.attention}`
  // An export set is refused by its name: what it says inside is not looked at.
  if (untitled && section.lines.some(({ folded }) => folded.startsWith('DOCUMENTO ') && isExport(folded)))
    section.kind = 'exportacion'
  switch (section.kind) {
    case 'exportacion':
      return section.refuse(
        { number: section.line, text: section.title },
        'Export documents (110, 111, 112) are not issued here: this set cannot be built. The others can.',
      )
    case 'libro_ventas':
      return readSalesBook(section)
    case 'libro_compras':
      return readPurchasesBook(section)
    case 'libro_guias':
      return readGuiaBook(section)
    case 'boletas':
      return readBoletas(section)
    case 'unknown':
      if (!untitled) return refuseAll(section)
      readCases(section)
      section.kind = kindOfCases(section.cases.map(({ tipo_dte }) => tipo_dte))
      if (section.kind === 'unknown')
        section.refuse({ number: section.line, text: section.title }, 'Its documents do not tell which set it is.')
      return
    default:
      return readCases(section)
  }
}

function refuseAll(section: SectionDraft): void {
  if (section.title !== '')
    section.refuse({ number: section.line, text: section.title }, 'This kind of set is not known.')
  for (const line of section.lines) {
    if (line.text !== '' && !isRule(line)) section.refuse(line, 'It belongs to no set that is known.')
  }
}
