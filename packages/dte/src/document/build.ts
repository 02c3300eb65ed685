import { element } from '../xml/write.ts'
import { type Dte, documentId } from './document.ts'
import type { Field, Group, Row } from './fields/shape.ts'
import { isGroup, membersOf } from './fields/shape.ts'
import { DOCUMENTO } from './fields/table.ts'

/** What goes between the data and the signature: the stamp, written elsewhere, and the moment of signing. */
export interface Stamp {
  /** The whole `<TED …>…</TED>`, flat. */
  readonly ted: string
  /** Local time in Santiago, `2026-10-05T12:00:00`. */
  readonly tmst_firma: string
}

/**
 * `<Documento ID="…">…</Documento>`, in canonical form but for the namespace its parent declares, ready to be digested.
 * The document is one that `checkDraft` accepted and `completeDraft` priced: nothing is checked again here.
 */
export function buildDocumento(dte: Dte, stamp: Stamp): string {
  const inner = writeRows(rowsFor(DOCUMENTO.rows, dte.tipo_dte), dte, dte.tipo_dte, 0)
  const signed = `<TmstFirma>${stamp.tmst_firma}</TmstFirma>`
  return element('Documento', inner + stamp.ted + signed, { ID: documentId(dte) })
}

const cache = new Map<readonly Row[], Map<number, readonly Row[]>>()

/** The elements of a tipo, chosen once per table and not once per document. */
export function rowsFor(rows: readonly Row[], tipo_dte: number): readonly Row[] {
  let byTipo = cache.get(rows)
  if (byTipo === undefined) {
    byTipo = new Map()
    cache.set(rows, byTipo)
  }
  let found = byTipo.get(tipo_dte)
  if (found === undefined) {
    found = rows.filter(({ xml, tipos }) => xml !== '' && tipos.includes(tipo_dte))
    byTipo.set(tipo_dte, found)
  }
  return found
}

export function writeRows(rows: readonly Row[], value: unknown, tipo_dte: number, index: number): string {
  let written = ''
  for (const row of rows) {
    written += isGroup(row) ? writeGroup(row, value, tipo_dte) : writeField(row, value, tipo_dte, index)
  }
  return written
}

/** Empty elements are left out: several optional ones of the schema refuse to be empty. */
function writeGroup(row: Group, value: unknown, tipo_dte: number): string {
  const rows = rowsFor(row.rows, tipo_dte)
  if (row.max === 0) {
    const inside = row.at.length === 0 ? value : trusted(value, row.at)
    if (inside === undefined) return ''
    const inner = writeRows(rows, inside, tipo_dte, 0)
    return inner === '' ? '' : `<${row.xml}>${inner}</${row.xml}>`
  }
  let written = ''
  membersOf(value, row, row.max).forEach((member, index) => {
    written += `<${row.xml}>${writeRows(rows, member.value, tipo_dte, index)}</${row.xml}>`
  })
  return written
}

function writeField(row: Field, value: unknown, tipo_dte: number, index: number): string {
  const given = row.at.length === 0 ? undefined : trusted(value, row.at)
  const content = given ?? row.fallback?.(value, tipo_dte, index)
  if (content === undefined || content === null || content === '') return ''
  if (row.max > 1 && Array.isArray(content)) return content.map((one) => writeOne(row, one)).join('')
  return writeOne(row, content)
}

function writeOne({ xml, kind }: Field, value: unknown): string {
  const content = kind.write(value)
  return content === null ? '' : `<${xml}>${content}</${xml}>`
}

/** The value at a path of a document of ours, which needs none of the care that a caller's input does. */
function trusted(value: unknown, path: readonly string[]): unknown {
  let found = value
  for (const name of path) found = (found as Record<string, unknown> | null | undefined)?.[name]
  return found ?? undefined
}
