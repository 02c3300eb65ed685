import { createHash } from 'node:crypto'
import { keyOf } from '../register/documents.ts'
import type { SiiDocument } from '../state/types.ts'
import type { ListedDocument } from './pages.ts'

/** A download holds so many documents and says nothing of the others. */
export const BACKUP_CAP = 20

/** What the lists and the backup may be narrowed by. */
export interface ListFilter {
  readonly from: string
  readonly to: string
  readonly tipo: string
  readonly folio: string
  readonly counterpart: string
}

export function readFilter(query: URLSearchParams): ListFilter {
  const value = (...names: string[]) => names.map((name) => query.get(name) ?? '').find((found) => found !== '') ?? ''
  return {
    from: civil(value('FEC_DESDE')),
    to: civil(value('FEC_HASTA')),
    tipo: value('TPO_DOC'),
    folio: value('FOLIO'),
    counterpart: value('RUT_RECP', 'RUT_EMI').replaceAll('.', ''),
  }
}

/** Dates come as `2026-10-05` or as `05-10-2026`. */
function civil(text: string): string {
  return /^\d{2}-\d{2}-\d{4}$/.test(text) ? text.split('-').reverse().join('-') : text
}

export function narrowed(documents: readonly SiiDocument[], filter: ListFilter, sent: boolean): SiiDocument[] {
  const matches = (asked: string, value: string | number) => asked === '' || asked === String(value)
  return documents
    .filter(
      (document) =>
        (filter.from === '' || document.fecha >= filter.from) &&
        (filter.to === '' || document.fecha <= filter.to) &&
        matches(filter.tipo, document.tipo) &&
        matches(filter.folio, document.folio) &&
        (filter.counterpart === '' || counterpartOf(document, sent).startsWith(filter.counterpart)),
    )
    .sort((a, b) => b.received_at - a.received_at || b.folio - a.folio)
}

function counterpartOf(document: SiiDocument, sent: boolean): string {
  return sent ? document.receptor : document.emisor
}

export function listed(document: SiiDocument, sent: boolean): ListedDocument {
  return {
    code: codeOf(document),
    counterpart: counterpartOf(document, sent),
    name: sent ? document.receptor_name : document.emisor_name,
    tipo: document.tipo,
    folio: document.folio,
    date: document.fecha,
    total: document.monto,
    state: sent ? 'Documento Emitido' : 'Documento Recibido',
  }
}

/** The portal's own number of a document; here it follows from the document. */
export function codeOf(document: SiiDocument): number {
  return createHash('sha1').update(keyOf(document)).digest().readUInt32BE(0)
}
