import { completeDraft } from '@timbre/dte'
import { afterAll, afterEach, describe, expect, it } from 'vitest'
import { sampleDraft, signedXml } from '../../../test/support/signed-document.ts'
import { PrinterBusy, type PrintOrder } from '../../ports/printer.ts'
import { type PrinterOptions, threadPrinter } from './printer.ts'

function order(folio: number, changes: Partial<PrintOrder> = {}): PrintOrder {
  const draft = sampleDraft(33)
  return {
    draft,
    folio,
    xml: signedXml(draft, folio).xml,
    format: 'letter',
    cedible: false,
    watermark: null,
    logo: null,
    footer: null,
    resolucion: { numero: 80, fecha: '2014-08-22' },
    created_at: new Date('2026-11-10T12:00:00Z'),
    ...changes,
  }
}

const isPdf = (bytes: Uint8Array) => Buffer.from(bytes.subarray(0, 5)).toString() === '%PDF-'
// A page without a timbre cannot be printed, and says so.
const broken = () => order(9, { xml: Buffer.from('<DTE/>') })
// Long enough that nothing overtakes it.
const long = (folio: number) => {
  const items = Array.from({ length: 1000 }, (_, i) => ({
    description: `Artículo ${i}`,
    quantity: 1,
    unit_price: 100 + i,
  }))
  const draft = sampleDraft(39, { items })
  return order(folio, { draft, xml: signedXml(draft, folio).xml })
}

describe('the printing threads', () => {
  const opened: { close(): Promise<void> }[] = []
  const open = (options: PrinterOptions = {}) => {
    const printer = threadPrinter({ threads: 1, ...options })
    opened.push(printer)
    return printer
  }
  const shared = threadPrinter({ threads: 1 })
  afterAll(() => shared.close())
  afterEach(async () => {
    await Promise.all(opened.splice(0).map((printer) => printer.close()))
  })

  it('print the same bytes for the same order, and others for another', async () => {
    const printer = open({ threads: 2 })
    expect(printer.alive).toBe(0)
    const [one, again, other] = await Promise.all([
      printer.print(order(1)),
      printer.print(order(1)),
      printer.print(order(1, { format: 'ticket_80' })),
    ])
    expect(printer.alive).toBe(2)
    expect(isPdf(one)).toBe(true)
    expect(Buffer.from(again)).toEqual(Buffer.from(one))
    expect(Buffer.from(other)).not.toEqual(Buffer.from(one))
  })

  it('print the amounts of a document of somebody else as they stand in it', async () => {
    const printer = shared
    const dte = completeDraft(sampleDraft(33), 1)
    const wrong = { ...dte, totals: { ...dte.totals, total: 7 } }
    const [ours, theirs, odd] = await Promise.all([
      printer.print(order(1)),
      printer.print(order(1, { draft: dte, as_written: true })),
      printer.print(order(1, { draft: wrong, as_written: true })),
    ])
    expect(Buffer.from(theirs)).toEqual(Buffer.from(ours))
    expect(Buffer.from(odd)).not.toEqual(Buffer.from(ours))
  })

  it('leave the event loop free: other work goes on while a long page is drawn', async () => {
    const printer = shared
    await printer.print(order(1))
    let turns = 0
    let done = false
    const printed = printer.print(long(2)).finally(() => {
      done = true
    })
    while (!done) {
      await new Promise((resolve) => setImmediate(resolve))
      turns++
    }
    expect(isPdf(await printed)).toBe(true)
    expect(turns).toBeGreaterThan(100)
  })

  it('fail one page alone when it cannot be printed', async () => {
    const printer = shared
    const [bad, good] = await Promise.allSettled([printer.print(broken()), printer.print(order(2))])
    expect(bad).toMatchObject({ status: 'rejected', reason: { message: expect.stringContaining('no timbre') } })
    expect(good.status).toBe('fulfilled')
  })

  it('fail one page alone when its thread dies, and print the next on another thread', async () => {
    const printer = open({ memory_mb: 64 })
    // Far beyond the memory it may take: the thread is ended, the process is not.
    const greedy = order(3, { footer: 'palabra '.repeat(4_000_000) })
    const [dead, next] = await Promise.allSettled([printer.print(greedy), printer.print(order(4))])
    expect(dead).toMatchObject({ status: 'rejected', reason: { code: 'ERR_WORKER_OUT_OF_MEMORY' } })
    expect(next.status).toBe('fulfilled')
  })

  it('give up a page that never ends, and print the next', async () => {
    const printer = open({ timeout_ms: 1 })
    await expect(printer.print(order(1))).rejects.toThrow(/too long/)
    expect(isPdf(await shared.print(order(1)))).toBe(true)
  })

  it('refuse what would wait too long, and take it once there is room again', async () => {
    const printer = open({ waiting: 2 })
    const first = [1, 2, 3].map((folio) => printer.print(order(folio)))
    await expect(printer.print(order(4))).rejects.toThrow(PrinterBusy)
    await Promise.all(first)
    expect(isPdf(await printer.print(order(4)))).toBe(true)
  })

  it('end when nobody prints, and start again with the next page', async () => {
    const printer = open({ idle_ms: 1 })
    const first = await printer.print(order(1))
    while (printer.alive > 0) await new Promise((resolve) => setTimeout(resolve, 5))
    expect(Buffer.from(await printer.print(order(1)))).toEqual(Buffer.from(first))
  })

  it('let go of everybody who waits when the service stops', async () => {
    const printer = open()
    const waiting = Promise.allSettled([printer.print(order(1)), printer.print(order(2))])
    await printer.close()
    expect((await waiting).map(({ status }) => status)).toEqual(['rejected', 'rejected'])
    await expect(printer.print(order(3))).rejects.toThrow(PrinterBusy)
  })
})
