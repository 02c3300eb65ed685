import { ELECTRONIC_TIPOS, isReferenceType } from '@timbre/dte/wire'
import { differs, finding } from '../findings.ts'
import { isBoleta, isNote, type ReadDocument } from '../read-document.ts'
import type { Finding, KnownDocument, Reference } from '../verdict.ts'

const ANNULS = 1
const CORRECTS_TEXT = 2
const CORRECTS_AMOUNTS = 3

/** What a note may be about; paper documents and those of exports besides. */
const NOTABLE: Readonly<Record<number, ReadonlySet<number>>> = {
  56: new Set([33, 34, 43, 46, 61]),
  61: new Set([33, 34, 39, 41, 43, 46, 52, 56]),
  111: new Set([110, 112]),
  112: new Set([110, 111]),
}

/** Finds a document of the same emisor: one that the SII holds, or one that stands earlier in the same envelope. */
export type FindDocument = (tipo: number, folio: number) => KnownDocument | null

/** The block of a boleta is free text for its cashier: nothing of it is looked at. */
export function checkReferences(document: ReadDocument, findDocument: FindDocument): Finding[] {
  const { tipo, references, fecha } = document
  if (isBoleta(tipo)) return []
  const found: Finding[] = []
  for (const reference of references) {
    if (!isReferenceType(reference.tipo)) found.push(finding('REF-3-900', `[${reference.tipo}]`))
    if (reference.fecha !== null && reference.fecha > fecha)
      found.push(finding('REF-3-903', `[${reference.fecha}] > [${fecha}]`))
  }
  return isNote(tipo) ? [...found, ...checkNote(document, findDocument)] : found
}

function checkNote(document: ReadDocument, findDocument: FindDocument): Finding[] {
  // Others, such as SET or an order of purchase, are beside the point of the note.
  const subjects = document.references.filter(({ tipo }) => /^\d+$/.test(tipo) && Number(tipo) < 200)
  if (subjects.length === 0) return [finding('REF-3-415')]
  const found: Finding[] = []
  for (const subject of subjects)
    if (subject.code === null) found.push(finding('REF-3-758', `${subject.tipo} [${subject.folio}]`))
  const coded = subjects.filter(({ code }) => code === ANNULS || code === CORRECTS_TEXT)
  if (coded.length > 0 && subjects.length > 1) found.push(finding('REF-3-902', `[${subjects.length}]`))
  if (coded.some(({ code }) => code === CORRECTS_TEXT) && document.total !== 0)
    found.push(finding('REF-2-902', `MntTotal [${document.total}]`))
  for (const subject of subjects) found.push(...checkSubject(document, subject, findDocument))
  return found
}

function checkSubject(document: ReadDocument, subject: Reference, findDocument: FindDocument): Finding[] {
  const tipo = Number(subject.tipo)
  const named = `${tipo} [${subject.folio}]`
  // Paper: the SII has no copy to look at.
  if (!ELECTRONIC.has(tipo)) return []
  if (NOTABLE[document.tipo]?.has(tipo) === false) return [finding('REF-3-901', named)]
  // 0 stands for a whole set of documents (IndGlobal).
  if (subject.folio === '0') return []
  if (!/^\d{1,10}$/.test(subject.folio)) return [finding('REF-3-904', named)]
  const original = findDocument(tipo, Number(subject.folio))
  if (original === null) return [finding('REF-3-750', named)]
  const found: Finding[] = []
  if (!isBoleta(tipo) && original.receptor !== document.receptor)
    found.push(finding('REF-3-751', differs(document.receptor, original.receptor)))
  if (subject.fecha !== null && subject.fecha !== original.fecha)
    found.push(finding('REF-2-900', differs(subject.fecha, original.fecha)))
  if (subject.code === ANNULS && document.total !== original.monto)
    found.push(finding('REF-2-780', differs(document.total, original.monto)))
  const lowers = document.tipo === 61 || document.tipo === 112
  if (subject.code === CORRECTS_AMOUNTS && lowers && document.total > original.monto)
    found.push(finding('REF-2-901', differs(document.total, original.monto)))
  return found
}

const ELECTRONIC: ReadonlySet<number> = new Set(ELECTRONIC_TIPOS)
