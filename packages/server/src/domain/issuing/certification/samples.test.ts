import type { Sample } from '@timbre/certification'
import { describe, expect, it } from 'vitest'
import type { Printer, PrintOrder } from '../../../ports/printer.ts'
import { digestOf, flawsOf, printSamples } from './samples.ts'

const sample = {
  origin: 'set',
  case_id: '900001-1',
  dte: { tipo_dte: 33, folio: 101 },
  xml: Buffer.from('<DTE/>'),
  resolucion: { numero: 0, fecha: '2026-09-01' },
  cedible: true,
  file_name: '76543210-3-T33-F101-cedible.pdf',
} as unknown as Sample

const LOGO = Buffer.from('logo')

/** Pages of these sizes, with the logo and without. */
async function printed(with_logo: number, bare: number, logo: Buffer | null = LOGO) {
  const orders: PrintOrder[] = []
  const printer = {
    print: async (order: PrintOrder) => {
      orders.push(order)
      return new Uint8Array(order.logo ? with_logo : bare)
    },
  } as unknown as Printer
  const ctx = { ports: { printer }, now: () => new Date('2026-10-05T15:00:00Z') }
  const pages = await printSamples(ctx, { account_id: 'acct_x' }, [sample], { logo, footer_text: 'Pie' })
  return { pages, orders }
}

describe('a printed sample', () => {
  it('is the whole document on a letter, with the letterhead, resolución 0 and no watermark', async () => {
    const { pages, orders } = await printed(400_000, 20_000)
    expect(orders).toMatchObject([
      { as_written: true, format: 'letter', cedible: true, watermark: null, logo: LOGO, footer: 'Pie', folio: 101 },
    ])
    expect(orders[0]?.resolucion).toEqual({ numero: 0, fecha: '2026-09-01' })
    expect(pages[0]?.facts).toMatchObject({ case_id: '900001-1', tipo_dte: 33, without_logo: false, bytes: 400_000 })
    expect(flawsOf(pages)).toEqual([])
  })

  it('of more than 500 KB is printed without the logo and says so; one that is still too big is a flaw', async () => {
    const bare = await printed(500_001, 20_000)
    expect(bare.pages[0]?.facts).toMatchObject({ without_logo: true, bytes: 20_000 })
    expect(flawsOf(bare.pages)).toEqual([])
    const big = await printed(600_000, 500_001)
    expect(flawsOf(big.pages)).toEqual(['76543210-3-T33-F101-cedible.pdf pesa 501 KB y el SII acepta hasta 500.'])
    const { orders } = await printed(0, 500_001, null)
    expect(orders).toHaveLength(1)
  })

  it('changes the digest over all samples with any byte or name of any of them, and with their order', () => {
    const [a, b] = [
      { file_name: 'a.pdf', sha256: '1'.repeat(64) },
      { file_name: 'b.pdf', sha256: '2'.repeat(64) },
    ]
    const all = [[a, b], [b, a], [a], [a, { ...b, sha256: '3'.repeat(64) }], [a, { ...b, file_name: 'c.pdf' }]]
    expect(new Set(all.map(digestOf)).size).toBe(all.length)
    // As `sha256sum *.pdf | sha256sum` gives it.
    expect(digestOf([a])).toBe('9cd6ff478488fffc9058ef1e5d87153d63d69fa823a583ee7197cef5ec406745')
  })
})
