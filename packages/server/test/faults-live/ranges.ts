import { expect, it } from 'vitest'
import { FACTURA, issue, type Scene, startAccount } from './scene.ts'

const DAY = 24 * 3_600

interface Range {
  readonly from: number
  readonly to: number
  readonly remaining: number
}

/** Folios that the SII gave and that nobody used within their six months. */
export function ranges(scene: () => Scene): void {
  it('an expired range stops the chain while nothing follows it; the next one goes on, and the SII takes the gap', async () => {
    const { live, empresa } = scene()
    const stock = async () => (await empresa.get('/folios?tipo_dte=33')).body.data[0]
    const before: Range[] = (await stock()).stock.chain
    await live.setTime(new Date(live.now().getTime() + 200 * DAY * 1000))
    await live.run()
    const expired = before.map((range) => ({ ...range, expired: true }))
    expect(await stock()).toMatchObject({
      available: 0,
      next_folio: null,
      status: 'exhausted',
      stock: { chain: expired, stops_at_expired_range: true },
    })
    const [stopped = ''] = await issue(scene(), FACTURA)
    await live.advance(60)
    expect(await empresa.document(stopped)).toMatchObject({ status: 'failed', failure: { code: 'folios_exhausted' } })
    const { from } = await live.requestFolios(empresa, 33, 2)
    expect(from).toBe(Math.max(...before.map(({ to }) => to)) + 1)
    const { available, next_folio, stock: of_chain } = await stock()
    expect({ available, next_folio, ...of_chain }).toMatchObject({
      available: 2,
      next_folio: from,
      chain: [...expired, { remaining: 2, expired: false }],
      stops_at_expired_range: false,
    })
    const account = await startAccount(scene())
    await empresa.post(`/documents/${stopped}/retry`)
    await live.advance(60)
    await account.allAccepted([stopped])
    expect((await empresa.document(stopped)).folio).toBe(from)
  })
}
