import type { UnissuedDte } from '@timbre/dte'
import type { DteDraft } from '@timbre/dte/draft'

/** One printed page, said in full: the same order gives the same bytes, whoever prints it and when. */
export interface PrintOrder {
  readonly draft: DteDraft | UnissuedDte
  readonly folio: number
  /** The draft is a whole document of somebody else: its amounts are printed as they stand in it. */
  readonly as_written?: boolean
  /** The signed XML: the page carries its timbre. */
  readonly xml: Uint8Array
  readonly format: 'letter' | 'ticket_80' | 'ticket_58'
  readonly cedible: boolean
  readonly watermark: string | null
  readonly logo: Uint8Array | null
  readonly footer: string | null
  readonly resolucion: { readonly numero: number; readonly fecha: string } | null
  readonly created_at: Date
}

/** What a picture measures, or why it cannot be printed. */
export type MeasuredLogo = { readonly width: number; readonly height: number } | { readonly refused: string }

export interface Printer {
  /** A PDF, in the turn of its owner. Refuses with `PrinterBusy` when too many wait already. */
  print(order: PrintOrder, owner?: string): Promise<Uint8Array>
  /** Reads a logo as the printer will read it. Refuses with `PrinterBusy` too. */
  measureLogo(logo: Uint8Array, owner?: string): Promise<MeasuredLogo>
  close(): Promise<void>
}

/** More pages are waiting than can be printed in a while: whoever asks again later finds room. */
export class PrinterBusy extends Error {
  constructor() {
    super('too many pages are waiting to be printed')
    this.name = 'PrinterBusy'
  }
}
