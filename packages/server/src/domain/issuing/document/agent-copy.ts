import { type DteDraft, priceDraft } from '@timbre/dte/draft'
import { ANONYMOUS_RUT, longDate, pesos, printedRut, tipo } from '@timbre/dte/values'
import { type Irreversible, quoted } from '../../agent-tool.ts'
import type { Document } from './schema.ts'

/** Everything a person consents to when a document is issued; its number comes later. */
function contentsOf({ tipo_dte, issue_date, totals, receptor, annuls }: Document): object {
  const { sources: _sources, ...named } = receptor
  return { tipo_dte, tipo: tipo(tipo_dte as 33).name, issue_date, receptor: named, totals, annuls }
}

function toWhom({ receptor: { rut, legal_name } }: Document): string {
  if (legal_name !== null) return ` a ${quoted(legal_name)} (RUT ${printedRut(rut)})`
  return rut === ANONYMOUS_RUT ? '' : ` al RUT ${printedRut(rut)}`
}

/** What the page asks for beside the sale itself, which its total does not hold: a person sees the sum that is to be paid. */
function toPay(input: Readonly<Record<string, unknown>>, { issue_date }: Document): string {
  // A factura of guías brings lines that were issued before.
  if (input.items === undefined) return ''
  const { totals } = priceDraft({ ...input, issue_date } as DteDraft)
  const { total, period_total = total, amount_due = period_total } = totals
  return amount_due === total ? '' : `, con un total a pagar de ${pesos(amount_due)}`
}

/** Where the document may be mailed later: whoever agrees to it agrees to that address too. */
const mailedTo = ({ receptor: { email } }: Document) =>
  email === null ? '' : ` Lleva el correo ${quoted(email)}, donde se puede enviar.`

const FOR_GOOD = 'Después no se puede borrar: solo se corrige con una nota de crédito o de débito.'

export const emitsDocument: Irreversible<Document> = {
  preview: 'documents.previews.create',
  says: (document, input) => {
    const { tipo_dte, totals, issue_date } = document
    const what = tipo(tipo_dte as 33).name.toLowerCase()
    const sum = `${pesos(totals.total)}${toPay(input, document)}`
    return `Se va a emitir: ${what}${toWhom(document)} por ${sum}, con fecha ${longDate(issue_date)}.${mailedTo(document)} ${FOR_GOOD}`
  },
  shows: contentsOf,
}

export const emitsCreditNote: Irreversible<Document> = {
  before: 'documents.get',
  says: (note) =>
    `Se va a emitir una nota de crédito${toWhom(note)} por ${pesos(note.totals.total)}` +
    `${note.annuls === null ? '' : ', que anula el documento completo'}.${mailedTo(note)} ${FOR_GOOD}`,
  shows: contentsOf,
}
