import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Banked, openBanked } from '../../../../../test/support/bank-connection.ts'
import { plainCartola } from '../../../../../test/support/cartola-file.ts'
import { ended } from '../../../../../test/support/rcv-register.ts'
import { openWorld, type World } from '../../../../../test/support/world.ts'
import { systemNow } from '../../../../kernel/clock.ts'
import { recordMovements, removeMovements } from '../ingest/record.ts'
import { mergeDuplicates } from './merge.ts'

let world: World
beforeAll(async () => {
  world = await openWorld()
})
afterAll(() => world.close())

interface Line {
  readonly id: string
  readonly post_date: string
  readonly amount: number
  readonly bank_account: string
  readonly duplicate: { readonly movement_id: string; readonly certain: boolean; readonly reason: string } | null
  readonly source: { readonly type: string; readonly id: string }
}

async function pages(own: Banked, path: string, cursor = ''): Promise<Line[]> {
  const { body } = await own.get(`${path}${cursor}`)
  return body.has_more ? [...body.data, ...(await pages(own, path, `&cursor=${body.next_cursor}`))] : body.data
}
const all = (own: Banked, query = '') => pages(own, `/v1/tax/movements?limit=100${query}`)
const spent = async (own: Banked) => (await pages(own, '/v1/tax/expenses?limit=100')).length
const read = async (own: Banked, id: string) => (await own.get(`/v1/tax/movements/${id}`)).body

/** A cartola of what the bank told of one account, in words of its own. */
function cartolaOf(lines: readonly Line[]): Buffer {
  const rows = lines.map(({ post_date, amount }, i) => {
    const day = post_date.split('-').reverse().join('/')
    return `${day};LINEA ${i};${amount < 0 ? -amount : ''};${amount > 0 ? amount : ''}`
  })
  return plainCartola(...rows)
}

async function upload(own: Banked, file: Buffer, bank_account?: string) {
  const body = { file: file.toString('base64'), ...(bank_account && { bank_account }) }
  const asked = await own.post('/v1/tax/statements', body)
  expect(asked.status).toBe(202)
  return (await ended(world, own, asked.body.id)).result
}

/** An empresa with a linked bank, the lines of one of its accounts, and the end of that account's number. */
async function linked() {
  const own = await openBanked(world)
  const connection_id = await own.linked()
  const { accounts } = (await own.show(connection_id)).body
  const tail: string = accounts[0].number.slice(-4)
  const lines = (await all(own)).filter(({ bank_account }) => bank_account.endsWith(tail)).slice(0, 6)
  expect(lines.length).toBeGreaterThan(2)
  return { own, lines, connection_id, number: `00-${tail}` }
}

describe('a cartola of an account that a connection reads', () => {
  it('brings nothing twice, counts it as duplicates, and says of what', async () => {
    const { own, lines, number } = await linked()
    const [before, expenses] = [(await all(own)).length, await spent(own)]
    const result = await upload(own, cartolaOf(lines), number)
    expect(result).toMatchObject({ rows: lines.length, imported: 0, duplicates: lines.length })
    expect([(await all(own)).length, await spent(own)]).toEqual([before, expenses])
    const [twin] = await world.db.sql<{ id: string }>`
      select id from movement where empresa_id = ${own.empresa_id} and duplicate_of = ${lines[0]?.id}`
    expect(await read(own, twin?.id ?? '')).toMatchObject({
      duplicate: { movement_id: lines[0]?.id, certain: true, reason: 'same_day_and_amount' },
    })
  })

  it('only suspects where the file tells no number, and merge and unmerge settle it', async () => {
    const { own, lines } = await linked()
    const before = (await all(own)).length
    expect(await upload(own, cartolaOf(lines.slice(0, 1)))).toMatchObject({ imported: 1, duplicates: 0 })
    const [one] = await all(own, '&suspected=true')
    expect(one?.duplicate).toMatchObject({ movement_id: lines[0]?.id, certain: false, reason: 'account_unknown' })
    const path = `/v1/tax/movements/${one?.id}`
    const merged = await own.post(`${path}/merge`, { into: lines[0]?.id })
    expect(merged.body.duplicate).toMatchObject({ certain: true, reason: 'said' })
    expect((await own.post(`${path}/merge`, { into: lines[0]?.id })).text).toBe(merged.text)
    expect((await all(own)).length).toBe(before)
    const apart = await own.post(`${path}/unmerge`)
    expect(apart.body).toMatchObject({ duplicate: null, removed_at: null })
    expect((await all(own)).length).toBe(before + 1)
    expect((await own.post(`${path}/unmerge`)).text).toBe(apart.text)
  })

  it('shows what was hidden again when the cartola that came first is undone, and a connection merges into a cartola', async () => {
    const { own, lines, connection_id, number } = await linked()
    const newest = (await all(own))[0]?.post_date ?? ''
    await own.remove(connection_id)
    const again = await own.linked()
    // The same account linked anew: what the first link had read is not there twice.
    const ofAgain = (await all(own)).filter(({ source, post_date }) => source.id === again && post_date <= newest)
    expect(ofAgain).toEqual([])
    const { statement_id } = await upload(own, cartolaOf(lines), number)
    const before = (await all(own)).length
    const key = own.key
    expect((await world.delete(`/v1/tax/statements/${statement_id}`, { key, empresa: own.rut })).status).toBe(204)
    expect((await all(own)).length).toBe(before)
  })
})

describe('a connection to an account that a cartola told', () => {
  const ROWS = ['03/11/2025;PAGO LUZ;45.000;', '04/11/2025;CAFE;2.500;', '04/11/2025;CAFE;2.500;']
  const DAYS = { from: '2025-11-01', to: '2025-11-30' }
  const SOURCE = { type: 'connection', id: 'con_played' } as const
  const nobody = { counterparty_rut: null, counterparty_name: null, currency: 'CLP' }
  const line = (external_id: string, post_date: string, amount: number) => ({
    ...nobody,
    external_id,
    post_date,
    amount,
    bank_account: 'Banco BCI ••••5678',
    bank: 'bci',
    description: 'SEGUN EL BANCO',
  })
  const LINES = [line('a', '2025-11-03', -45_000), line('b', '2025-11-04', -2_500), line('c', '2025-11-04', -2_500)]

  async function told(own: Banked, lines: readonly ReturnType<typeof line>[], gone: readonly string[] = []) {
    const scope = { account_id: own.account, empresa_id: own.empresa_id, mode: 'test' } as const
    const { sql } = world.db
    await recordMovements(sql, scope, SOURCE, lines, new Date(systemNow()))
    await removeMovements(sql, scope, SOURCE, gone, new Date(systemNow()))
    return mergeDuplicates(sql, scope, SOURCE, DAYS, new Date(systemNow()))
  }
  const shown = async (own: Banked) => (await all(own)).map(({ amount, source }) => [source.type, amount])

  it('hides its own, keeps them hidden when it tells them again, and shows what its bank changes', async () => {
    const own = await openBanked(world)
    await upload(own, plainCartola(...ROWS), 'Cuenta BCI 12-345678')
    const before = await shown(own)
    expect(await told(own, LINES)).toBe(3)
    expect(await told(own, LINES)).toBe(0)
    expect(await shown(own)).toEqual(before)
    expect(await spent(own)).toBe(3)
    await told(own, [line('a', '2025-11-03', -44_000)])
    expect(await shown(own)).toHaveLength(4)
    const [changed] = await all(own, '&suspected=true')
    expect(changed).toMatchObject({ amount: -44_000, duplicate: { certain: false, reason: 'changed' } })
    await told(own, [line('a', '2025-11-03', -45_000)])
    expect(await shown(own)).toEqual(before)
  })

  it('gives way to the cartola when its bank takes back what it told first', async () => {
    const own = await openBanked(world)
    await told(own, LINES)
    expect(await upload(own, plainCartola(...ROWS), '12345678')).toMatchObject({ imported: 0, duplicates: 3 })
    await told(own, [line('b', '2025-11-04', -2_600)])
    const [left] = await all(own, '&suspected=true')
    expect(left).toMatchObject({ amount: -2_500, source: { type: 'statement' }, duplicate: { reason: 'changed' } })
    const merged = await own.post(`/v1/tax/movements/${left?.id}/merge`, { into: left?.duplicate?.movement_id })
    expect(merged.body.duplicate).toMatchObject({ certain: true, reason: 'said' })
    expect(await told(own, [], ['a'])).toBe(0)
    expect((await shown(own)).sort()).toEqual([
      ['connection', -2_500],
      ['connection', -2_600],
      ['statement', -45_000],
    ])
    expect(await spent(own)).toBe(3)
  })

  it('keeps what is hidden behind one that is hidden itself behind the one that stays', async () => {
    const own = await openBanked(world)
    await told(own, LINES.slice(0, 1))
    await upload(own, plainCartola(...ROWS.slice(0, 1)), '12345678')
    expect(await upload(own, plainCartola('03/11/2025;OTRA;45.000;'), 'Caja')).toMatchObject({ imported: 1 })
    const [stays, goes] = (await all(own)).sort((a, b) => (a.source.type > b.source.type ? -1 : 1))
    await own.post(`/v1/tax/movements/${goes?.id}/merge`, { into: stays?.id })
    const rows = await world.db.sql<{ duplicate_of: string }>`
      select duplicate_of from movement where empresa_id = ${own.empresa_id} and duplicate_of is not null`
    expect(rows).toEqual([{ duplicate_of: stays?.id }, { duplicate_of: stays?.id }])
    expect(await read(own, stays?.id ?? '')).toMatchObject({ duplicate: null, removed_at: null })
    expect(await spent(own)).toBe(1)
  })

  it('is another account at another bank, and stays apart from one that somebody took apart', async () => {
    const own = await openBanked(world)
    await upload(own, plainCartola(...ROWS), 'Banco Santander 12345678')
    expect(await told(own, LINES)).toBe(0)
    expect(await all(own, '&suspected=true')).toEqual([])
    const other = await openBanked(world)
    await upload(other, plainCartola(...ROWS.slice(0, 1)), '12345678')
    await told(other, LINES.slice(0, 1))
    const [hidden] = await world.db.sql<{ id: string }>`
      select id from movement where empresa_id = ${other.empresa_id} and removed_at is not null`
    await other.post(`/v1/tax/movements/${hidden?.id}/unmerge`)
    expect(await told(other, LINES.slice(0, 1))).toBe(0)
    expect(await shown(other)).toHaveLength(2)
  })
})

describe('POST /tax/movements/{movement_id}/merge', () => {
  it('409 movement_not_mergeable for another amount, 400 for itself or nobody, 404 for another empresa’s', async () => {
    const { own, lines } = await linked()
    const one = lines[0] as Line
    const other = lines.find(({ amount }) => amount !== one.amount) as Line
    const merge = (id: string, into: string) => own.post(`/v1/tax/movements/${id}/merge`, { into })
    const refused = await merge(one.id, other.id)
    expect([refused.status, refused.body.error.code, refused.body.error.details]).toEqual([
      409,
      'movement_not_mergeable',
      { reason: 'amount_differs' },
    ])
    for (const into of [one.id, 'mov_nobody']) {
      const { status, body } = await merge(one.id, into)
      expect([status, body.error.code, body.error.param]).toEqual([400, 'invalid_field', 'into'])
    }
    const stranger = await openBanked(world)
    for (const verb of ['merge', 'unmerge']) {
      const sent = await stranger.post(
        `/v1/tax/movements/${one.id}/${verb}`,
        verb === 'merge' ? { into: other.id } : {},
      )
      expect([sent.status, sent.body.error.code]).toEqual([404, 'movement_not_found'])
    }
  })
})
