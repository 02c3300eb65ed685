import type { Form } from '../xml/form.ts'
import { textElement } from '../xml/write.ts'
import type { LibroEntry } from './entry.ts'
import {
  TOTALS_AFTER_TAXES,
  TOTALS_AFTER_TOTAL,
  TOTALS_BEFORE_LISTS,
  TOTALS_BEFORE_TAXES,
  type TotalRow,
} from './fields.ts'

/** The summary of a book, one block for each kind of document, added up from its lines so that they cannot disagree. */
export function writeTotals(entries: readonly LibroEntry[], common_use_factor: number | undefined, form: Form): string {
  const by_tipo = new Map<number, LibroEntry[]>()
  for (const entry of entries) {
    const lines = by_tipo.get(entry.tipo_doc)
    if (lines === undefined) by_tipo.set(entry.tipo_doc, [entry])
    else lines.push(entry)
  }
  form.count('entries', by_tipo.size, 1, 40)
  return [...by_tipo].map(([tipo_doc, lines]) => writeTipo(tipo_doc, lines, common_use_factor)).join('')
}

function writeTipo(tipo_doc: number, entries: readonly LibroEntry[], common_use_factor: number | undefined): string {
  const lines = entries.filter(({ annulled }) => annulled !== true)
  const rows = (table: readonly TotalRow[]): string => table.map((row) => writeRow(row, lines)).join('')
  return (
    `<TotalesPeriodo><TpoDoc>${tipo_doc}</TpoDoc><TotDoc>${entries.length}</TotDoc>` +
    positive('TotAnulado', entries.length - lines.length) +
    positive(
      'TotOpExe',
      count(lines, ({ exempt }) => exempt),
    ) +
    textElement(
      'TotMntExe',
      sum(lines, ({ exempt }) => exempt),
    ) +
    textElement(
      'TotMntNeto',
      sum(lines, ({ net }) => net),
    ) +
    positive(
      'TotOpIVARec',
      count(lines, ({ iva }) => iva),
    ) +
    textElement(
      'TotMntIVA',
      sum(lines, ({ iva }) => iva),
    ) +
    rows(TOTALS_BEFORE_LISTS) +
    writeNotRecoverable(lines) +
    writeCommonUse(lines, common_use_factor) +
    rows(TOTALS_BEFORE_TAXES) +
    writeTaxes(lines) +
    rows(TOTALS_AFTER_TAXES) +
    textElement(
      'TotMntTotal',
      sum(lines, ({ total }) => total),
    ) +
    `${rows(TOTALS_AFTER_TOTAL)}</TotalesPeriodo>`
  )
}

function writeRow({ xml, of, counts }: TotalRow, lines: readonly LibroEntry[]): string {
  return positive(xml, counts === true ? count(lines, (line) => line[of]) : sum(lines, (line) => line[of]))
}

/** By code: how many documents and how much. */
function writeNotRecoverable(lines: readonly LibroEntry[]): string {
  const found = lines.flatMap(({ iva_not_recoverable = [] }) => iva_not_recoverable)
  return [...groupByCode(found)]
    .map(
      ([code, parts]) =>
        `<TotIVANoRec><CodIVANoRec>${code}</CodIVANoRec><TotOpIVANoRec>${parts.length}</TotOpIVANoRec>` +
        `<TotMntIVANoRec>${sum(parts, ({ amount }) => amount)}</TotMntIVANoRec></TotIVANoRec>`,
    )
    .join('')
}

/** Only the share that the factor gives is credit; it is rounded once, over the sum. */
function writeCommonUse(lines: readonly LibroEntry[], factor: number | undefined): string {
  const total = sum(lines, ({ iva_common_use }) => iva_common_use)
  if (total === 0) return ''
  const counted = `${positive(
    'TotOpIVAUsoComun',
    count(lines, ({ iva_common_use }) => iva_common_use),
  )}<TotIVAUsoComun>${total}</TotIVAUsoComun>`
  if (factor === undefined) return counted
  return `${counted}${textElement('FctProp', factor)}${textElement('TotCredIVAUsoComun', share(total, factor))}`
}

/** Half up, in thousandths, so that no fraction of a peso comes from binary decimals. */
function share(total: number, factor: number): number {
  return Math.floor((total * Math.round(factor * 1000) + 500) / 1000)
}

function writeTaxes(lines: readonly LibroEntry[]): string {
  const found = lines.flatMap(({ taxes = [] }) => taxes)
  return [...groupByCode(found)]
    .map(([code, parts]) => {
      const amount = sum(parts, (part) => part.amount)
      return `<TotOtrosImp><CodImp>${code}</CodImp><TotMntImp>${amount}</TotMntImp></TotOtrosImp>`
    })
    .join('')
}

function groupByCode<T extends { readonly code: number }>(parts: readonly T[]): ReadonlyMap<number, readonly T[]> {
  const groups = new Map<number, T[]>()
  for (const part of parts) {
    const group = groups.get(part.code)
    if (group === undefined) groups.set(part.code, [part])
    else group.push(part)
  }
  return groups
}

function sum<T>(lines: readonly T[], of: (line: T) => number | undefined): number {
  return lines.reduce((total, line) => total + (of(line) ?? 0), 0)
}

function count<T>(lines: readonly T[], of: (line: T) => number | undefined): number {
  return lines.filter((line) => (of(line) ?? 0) > 0).length
}

function positive(name: string, value: number): string {
  return value > 0 ? textElement(name, value) : ''
}
