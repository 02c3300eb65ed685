import type { AnyDte } from '@timbre/dte'
import type { DteDraft } from '@timbre/dte/draft'
import { LogoError, readLogo } from '@timbre/dte/logo'
import { completeDraft, renderPdf } from '@timbre/dte/print'
import type { MeasuredLogo, PrintOrder } from '../../ports/printer.ts'
import type { PrinterOrder } from './printer.ts'
import { serveOrders } from './thread-loop.ts'

const CLOSING = '</TED>'

function timbreIn(xml: Uint8Array): string {
  const text = Buffer.from(xml).toString('latin1')
  const start = text.search(/<TED\b/)
  const end = text.indexOf(CLOSING, start)
  if (start < 0 || end < 0) throw new Error('the signed XML holds no timbre')
  return text.slice(start, end + CLOSING.length)
}

function print({ draft, folio, xml, ...order }: PrintOrder): Promise<Uint8Array> {
  const dte = order.as_written ? ({ ...draft, folio } as AnyDte) : completeDraft(draft as DteDraft, folio)
  return renderPdf(dte, {
    format: order.format,
    cedible: order.cedible,
    watermark: order.watermark ?? undefined,
    logo: order.logo ?? undefined,
    footer: order.footer ?? undefined,
    ted: timbreIn(xml),
    resolucion: order.resolucion ?? undefined,
    created_at: order.created_at,
  })
}

function measure(logo: Uint8Array): MeasuredLogo {
  try {
    const { width, height } = readLogo(logo)
    return { width, height }
  } catch (error) {
    if (error instanceof LogoError) return { refused: error.message }
    throw error
  }
}

serveOrders<PrinterOrder, Uint8Array | MeasuredLogo>(async (order) => {
  if ('logo' in order) return { value: measure(order.logo), transfer: [] }
  const value = Uint8Array.from(await print(order.page))
  return { value, transfer: [value.buffer] }
})
