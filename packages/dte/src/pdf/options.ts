import type { Dte } from '../document/document.ts'
import { tipo } from '../document/tipos.ts'

export const PDF_FORMATS = ['letter', 'ticket_80', 'ticket_58'] as const
export type PdfFormat = (typeof PDF_FORMATS)[number]

export interface PdfOptions {
  readonly format: PdfFormat
  /** Adds the box of the acuse de recibo and the legend of the copy, where the document has a copy to cede. */
  readonly cedible?: boolean | undefined
  /** Printed large and pale across every page: `SIN VALOR TRIBUTARIO`. */
  readonly watermark?: string | undefined
  /** Bytes of a PNG or a JPEG. */
  readonly logo?: Uint8Array | undefined
  /** The emitter's own words, at the foot of every page. */
  readonly footer?: string | undefined
  /** The TED on one line, as it is in the signed document. Without it the page says that it has no timbre. */
  readonly ted?: string | undefined
  readonly resolucion?: { readonly numero: number; readonly fecha: string } | undefined
  /** Becomes the date of the file; with the same one, the bytes are the same. */
  readonly created_at: Date | string
}

/**
 * Whether the SII lets the tipo be printed on that paper: a roll is at least 7.5 cm wide, and only for boletas 5.7
 * (Manual de Muestras Impresas v4.0; Res. Ex. SII 74 of 2020). `renderPdf` prints what it is asked for all the same.
 */
export function isLawfulFormat(tipo_dte: Dte['tipo_dte'], format: PdfFormat): boolean {
  return format !== 'ticket_58' || tipo(tipo_dte).family === 'boleta'
}
