import { type Colour, type Output, pairs, pesos, plain } from './output.ts'

export interface ShownDocument {
  readonly id: string
  readonly tipo_dte: number
  readonly folio: number | null
  readonly status: string
  readonly issue_date: string
  readonly receptor?: { readonly rut?: string; readonly legal_name?: string } | null
  readonly totals: { readonly total: number }
  readonly sii?: {
    readonly track_id?: string | null
    readonly glosa?: string | null
    readonly explanation?: { readonly message: string; readonly fix?: string } | null
  } | null
  readonly failure?: { readonly message: string } | null
}

const COLOURS: Readonly<Record<string, Colour>> = {
  accepted: 'green',
  reparo: 'yellow',
  rejected: 'red',
  failed: 'red',
}

/** Settled as far as the one who issued it is concerned. */
export const isSettled = ({ status }: ShownDocument): boolean => status !== 'queued' && status !== 'sent'

export function describeDocument(out: Output, document: ShownDocument): string {
  const { id, tipo_dte, folio, status, issue_date, receptor, totals, sii, failure } = document
  const facts = pairs([
    ['Document', id],
    ['Tipo', tipo_dte],
    ['Folio', folio],
    ['Date', issue_date],
    ['Receptor', [receptor?.legal_name, receptor?.rut].filter(Boolean).join(' ')],
    ['Total', pesos(totals.total)],
    ['Track id', sii?.track_id],
    ['The SII says', sii?.glosa],
    ['Qué significa', sii?.explanation?.message],
    ['Qué hacer', sii?.explanation?.fix],
    ['Failure', failure?.message],
  ])
  return `${out.paint(COLOURS[status] ?? 'dim', plain(status))}\n${facts}`
}
