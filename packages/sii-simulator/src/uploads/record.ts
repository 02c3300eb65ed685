import type { Simulator } from '../simulator.ts'
import { documentKey } from '../state/state.ts'
import type { SiiDocument, Upload } from '../state/types.ts'
import { learnTaxpayer } from '../taxpayers.ts'
import type { Verdict, WholeBook } from '../verify/verdict.ts'

/** Enters the documents that passed, and what notes do to their originals. A refused one leaves its folio free. */
export function recordDocuments(ctx: Simulator, upload: Upload, judged: Verdict): void {
  const { state } = ctx
  const { ambiente, track_id, received_at } = upload
  for (const [at, verdict] of (upload.verdict?.documents ?? []).entries()) {
    const read = judged.documents[at]
    if (!read || verdict.outcome === 'rejected') continue
    const { tipo, folio, emisor, emisor_name, receptor, receptor_name, fecha, monto, amounts } = read
    const document: SiiDocument = {
      ambiente,
      emisor,
      emisor_name,
      tipo,
      folio,
      receptor,
      receptor_name,
      fecha,
      monto,
      ...amounts,
      forma_pago: read.payment_form,
      references: read.references.map((reference) => ({
        tipo: reference.tipo,
        folio: reference.folio,
        cod_ref: reference.code,
        fecha: reference.fecha,
      })),
      signature_value: read.signature_value,
      outcome: verdict.outcome,
      findings: verdict.findings,
      track_id,
      received_at,
      notes: [],
    }
    const key = documentKey(ambiente, emisor, tipo, folio)
    state.documents.put(key, document)
    state.document_files.put(key, read.xml)
    learnTaxpayer(ctx, emisor, { name: emisor_name })
    recordNote(ctx, document)
  }
}

const booksOf = ({ state }: Simulator) => state.store<{ track_id: string }>('books')
const bookKey = (ambiente: string, { emisor, kind, operation, period }: WholeBook) =>
  [ambiente, emisor, kind, operation ?? '', period].join(':')

/** Enters a whole book that was taken: no second one of its period is. */
export function recordBook(ctx: Simulator, { ambiente, track_id, verdict }: Upload, { book }: Verdict): void {
  if (book && verdict?.estado === 'LOK') booksOf(ctx).put(bookKey(ambiente, book), { track_id })
}

export function hasBook(ctx: Simulator, ambiente: string, book: WholeBook): boolean {
  return booksOf(ctx).get(bookKey(ambiente, book)) !== undefined
}

/** A note (56, 61) is written on each document that it refers to, with what it does to it. */
export function recordNote({ state }: Simulator, note: SiiDocument): void {
  if (note.tipo !== 56 && note.tipo !== 61) return
  for (const { tipo, folio, cod_ref } of note.references) {
    if (cod_ref === null || !/^\d+$/.test(tipo) || !/^\d+$/.test(folio)) continue
    const key = documentKey(note.ambiente, note.emisor, Number(tipo), Number(folio))
    const original = state.documents.get(key)
    if (!original) continue
    state.documents.put(key, {
      ...original,
      notes: [...original.notes, { tipo: note.tipo, folio: note.folio, cod_ref }],
    })
  }
}
