import type { Dte } from '@timbre/dte/emission'
import { completeDraft, renderPdf } from '@timbre/dte/print'
import type { PrintOrder } from '../../ports/printer.ts'
import { serveOrders } from './thread-loop.ts'

function timbreIn(xml: Uint8Array): string {
  const [ted] = /<TED\b.*?<\/TED>/s.exec(Buffer.from(xml).toString('latin1')) ?? []
  if (ted === undefined) throw new Error('the signed XML holds no timbre')
  return ted
}

function print({ draft, folio, xml, ...order }: PrintOrder): Promise<Uint8Array> {
  const dte = order.as_written ? ({ ...draft, folio } as Dte) : completeDraft(draft, folio)
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
