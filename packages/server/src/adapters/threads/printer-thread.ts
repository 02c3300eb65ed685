import type { AnyDte } from '@timbre/dte'
import type { DteDraft } from '@timbre/dte/draft'
import { completeDraft, renderPdf } from '@timbre/dte/print'
import type { PrintOrder } from '../../ports/printer.ts'
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

serveOrders(async (order: PrintOrder) => {
  const value = Uint8Array.from(await print(order))
  return { value, transfer: [value.buffer] }
})
