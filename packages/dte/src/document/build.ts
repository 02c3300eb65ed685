import { element } from '../xml/write.ts'
import { type Dte, documentId } from './document.ts'
import { type Element, elementsFor } from './fields/elements.ts'
import type { Row } from './fields/shape.ts'
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
  const inner = writeRows(DOCUMENTO.rows, dte, dte.tipo_dte)
  const signed = `<TmstFirma>${stamp.tmst_firma}</TmstFirma>`
  return element('Documento', inner + stamp.ted + signed, { ID: documentId(dte) })
}

export function writeRows(rows: readonly Row[], value: object, tipo_dte: number): string {
  return writeAll(elementsFor(rows, tipo_dte), value, tipo_dte, 0)
}

/** A value of a document of ours, which needs none of the care that a caller's input does. */
type Trusted = Readonly<Record<string, unknown>>

function writeAll(elements: readonly Element[], value: object, tipo_dte: number, index: number): string {
  let written = ''
  for (const row of elements) {
    let content = row.name === '' ? undefined : (value as Trusted)[row.name]
    for (const name of row.further) content = (content as Trusted | null | undefined)?.[name]
    if (row.write === null) written += writeGroup(row, value, content, tipo_dte)
    else {
      content ??= row.fallback?.(value, tipo_dte, index)
      if (content !== undefined && content !== null && content !== '') written += writeField(row, row.write, content)
    }
  }
  return written
}

/** Empty elements are left out: several optional ones of the schema refuse to be empty. */
function writeGroup(row: Element, value: object, content: unknown, tipo_dte: number): string {
  if (row.max > 0) return writeMembers(row, value, content, tipo_dte)
  const inside = row.name === '' ? value : content
  if (inside === undefined || inside === null) return ''
  const inner = writeAll(row.inner, inside, tipo_dte, 0)
  return inner === '' ? '' : row.open + inner + row.close
}

function writeMembers(row: Element, value: object, content: unknown, tipo_dte: number): string {
  const members = row.view === undefined ? content : row.view.members(value, row.max).map((member) => member.value)
  if (!Array.isArray(members)) return ''
  let written = ''
  for (let index = 0; index < members.length && index < row.max; index++) {
    written += row.open + writeAll(row.inner, members[index], tipo_dte, index) + row.close
  }
  return written
}

function writeField(row: Element, write: (value: unknown) => string | null, content: unknown): string {
  if (row.max > 1 && Array.isArray(content)) return content.map((one) => writeOne(row, write(one))).join('')
  return writeOne(row, write(content))
}

const writeOne = ({ open, close }: Element, text: string | null): string => (text === null ? '' : open + text + close)
