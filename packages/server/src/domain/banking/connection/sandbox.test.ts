import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openBanked } from '../../../../test/support/bank-connection.ts'
import { FACTURA } from '../../../../test/support/issuer.ts'
import { ended } from '../../../../test/support/rcv-register.ts'
import { openWorld, type World } from '../../../../test/support/world.ts'
import type { BankMovement } from '../../../ports/bank.ts'
import { sandboxBank } from '../../../sandbox/bank/bank.ts'
import { SANDBOX_BANKS } from '../../../sandbox/bank/magic-values.ts'
import { dice } from '../../../sandbox/bank/stream.ts'

let world: World
beforeAll(async () => {
  world = await openWorld()
})
afterAll(() => world.close())

/** What the bank of the sandbox tells of a whole year, at some instant of it. */
async function told(bank: string, at: string, since = '2026-01-01'): Promise<BankMovement[]> {
  const own = await openBanked(world)
  return toldTo(own, bank, at, since)
}

async function toldTo(
  own: { account: string; empresa_id: string; rut: string },
  bank: string,
  at: string,
  since: string,
) {
  const empresa = { account_id: own.account, empresa_id: own.empresa_id, mode: 'test', rut: own.rut } as const
  const sandbox = sandboxBank({ sql: world.db.sql })
  const question = { empresa, connection_id: 'con_x', at: new Date(at) }
  const link = await sandbox.exchange({ ...question, exchange_token: `sandbox_${bank}` })
  const all: BankMovement[] = []
  for (const account of link.accounts) {
    const asked = { ...question, link_token: link.link_token, account, since, until: '2027-01-01' }
    for await (const page of sandbox.movements(asked)) all.push(...page)
  }
  return all
}

/** As the sandbox draws it: one document in ten is never paid. */
const isPaid = ({ id }: { id: string }) => dice(10, id, 'unpaid') !== 0

describe('the banks of the sandbox', () => {
  it('tell the same of a day whenever they are asked, and nothing of a day to come', async () => {
    const own = await openBanked(world)
    const [early, late] = [
      await toldTo(own, 'banco_prueba', '2026-06-30T18:00:00Z', '2026-01-01'),
      await toldTo(own, 'banco_prueba', '2026-12-30T18:00:00Z', '2026-01-01'),
    ]
    expect(early.every(({ post_date }) => post_date <= '2026-06-30')).toBe(true)
    const known = new Map(late.map((movement) => [movement.id, movement]))
    expect(early.length).toBeGreaterThan(150)
    for (const movement of early) expect(known.get(movement.id)).toEqual(movement)
    expect(late.length).toBeGreaterThan(early.length * 1.7)
    expect(new Set(late.map(({ id }) => id)).size).toBe(late.length)
  })

  it('know a month as a small company lives it: customers, rent, salaries and charges from abroad', async () => {
    const year = await told('banco_prueba', '2026-12-31T18:00:00Z')
    const words = (text: RegExp) => year.filter(({ description }) => text.test(description))
    expect(words(/ARRIENDO/).length).toBe(12)
    expect(words(/REMUNERACION/).length).toBe(36)
    expect(words(/PREVIRED/).length).toBe(12)
    expect(words(/GOOGLE \*WORKSPACE/).length).toBe(12)
    expect(words(/FACEBK/).length).toBe(24)
    expect(words(/TRANSFERENCIA DE/).every(({ amount, counterparty_rut }) => amount > 0 && counterparty_rut)).toBe(true)
    expect(words(/COMPRA INTERNACIONAL/).every(({ amount }) => amount < 0)).toBe(true)
  })

  it('differ between empresas', async () => {
    const [mine, theirs] = [
      await told('banco_prueba', '2026-03-31T18:00:00Z'),
      await told('banco_prueba', '2026-03-31T18:00:00Z'),
    ]
    const totals = [mine, theirs].map((all) => all.reduce((sum, { amount }) => sum + amount, 0))
    expect(totals[0]).not.toBe(totals[1])
  })

  it('pay the facturas that the empresa issued, most of them within a month', async () => {
    const own = await openBanked(world)
    for (let i = 0; i < 12; i++) await own.create(FACTURA)
    const accepted = async () => (await own.get('/v1/documents?status=accepted')).body.data.length
    await expect.poll(accepted).toBe(12)
    const { data } = (await own.get('/v1/documents?limit=12')).body
    const id = await own.linked()
    await own.advance('P1M')
    const paid = await world.db.sql<{ amount: number }>`
      select amount from movement where source_id = ${id} and counterparty_rut = ${FACTURA.receptor.rut}`
    const total = data[0].totals.total
    expect(paid.map(({ amount }) => amount)).toEqual(data.filter(isPaid).map(() => total))
    const many = Array.from({ length: 1_000 }, (_, i) => ({ id: `doc_${i}` }))
    expect(many.filter(isPaid).length).toBeGreaterThan(850)
  })

  it('charge from abroad what becomes an expense and the suggestion of a tipo 46', async () => {
    const own = await openBanked(world)
    await own.linked()
    const suggested = async () => (await own.get('/v1/tax/suggestions?limit=100')).body.data.length
    await expect.poll(suggested).toBeGreaterThan(3)
    const { data } = (await own.get('/v1/tax/expenses?limit=100')).body
    expect(data.some(({ description }: { description: string }) => description.includes('OPENAI'))).toBe(true)
  })

  it('banco_cauteloso: needs the person again at its second sync', async () => {
    const own = await openBanked(world)
    const id = await own.linked('banco_cauteloso')
    expect((await own.show(id)).body).toMatchObject({ status: 'active', last_synced_at: expect.any(String) })
    const job = await own.sync(id)
    expect([job.status, job.error.code]).toEqual(['failed', 'bank_rejected'])
    expect((await own.show(id)).body.status).toBe('needs_reconnect')
  })

  it('banco_intermitente: its first refresh fails, and the next try goes well', async () => {
    const own = await openBanked(world)
    const id = await own.linked('banco_intermitente')
    const { body } = await own.post(`/v1/connections/${id}/sync`)
    const failed = async () => (await own.show(id)).body.failure?.code
    await expect.poll(failed).toBe('bank_refresh_failed')
    await world.db.sql`update job set run_at = now(), parked = false where id = ${body.id}`
    world.app.worker.wake()
    expect((await ended(world, own, body.id)).status).toBe('succeeded')
  })

  it('banco_corrector: edits movements two days later and removes others after three', async () => {
    const own = await openBanked(world)
    const id = await own.linked('banco_corrector')
    await own.advance('P4D')
    const totals = { changed: 0, removed: 0 }
    for (const { data } of await own.events('connection.synced')) {
      totals.changed += data.detail.changed
      totals.removed += data.detail.removed
    }
    expect(totals.changed).toBeGreaterThan(0)
    expect(totals.removed).toBeGreaterThan(0)
    const [row] = await world.db.sql<{ edited: number; removed: number }>`
      select count(*) filter (where description like '%(CORREGIDO)') as edited,
        count(*) filter (where removed_at is not null) as removed from movement where source_id = ${id}`
    expect(row?.edited).toBeGreaterThan(0)
    expect(row?.removed).toBe(totals.removed)
  })

  it('are listed with what becomes of them, each under its own id', () => {
    expect(new Set(SANDBOX_BANKS.map(({ id }) => id)).size).toBe(SANDBOX_BANKS.length)
    for (const { happens, says } of SANDBOX_BANKS) expect([happens, says].every((text) => text.length > 5)).toBe(true)
  })
})
