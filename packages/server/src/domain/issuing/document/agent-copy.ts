import { longDate, pesos, printedRut, tipo } from '@timbre/dte/values'
import { type Irreversible, quoted } from '../../agent-tool.ts'
import type { Document } from './schema.ts'

/** Everything a person consents to when a document is issued; its number comes later. */
function contentsOf({ tipo_dte, issue_date, totals, receptor, annuls }: Document): object {
  const { sources: _sources, ...named } = receptor
  return { tipo_dte, tipo: tipo(tipo_dte as 33).name, issue_date, receptor: named, totals, annuls }
}

function toWhom({ receptor: { rut, legal_name } }: Document): string {
  return legal_name === null ? '' : ` a ${quoted(legal_name)} (RUT ${printedRut(rut)})`
}

const FOR_GOOD = 'Después no se puede borrar: solo se corrige con una nota de crédito o de débito.'

export const emitsDocument: Irreversible<Document> = {
  preview: 'documents.previews.create',
  says: (document) => {
    const { tipo_dte, totals, issue_date } = document
    const what = tipo(tipo_dte as 33).name.toLowerCase()
    return `Se va a emitir: ${what}${toWhom(document)} por ${pesos(totals.total)}, con fecha ${longDate(issue_date)}. ${FOR_GOOD}`
  },
  shows: contentsOf,
}

export const emitsCreditNote: Irreversible<Document> = {
  before: 'documents.get',
  says: (note) =>
    `Se va a emitir una nota de crédito${toWhom(note)} por ${pesos(note.totals.total)}` +
    `${note.annuls === null ? '' : ', que anula el documento completo'}. ${FOR_GOOD}`,
  shows: contentsOf,
}
