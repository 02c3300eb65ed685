import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { FACTURA, type Issuer, openIssuer } from '../../../../test/support/issuer.ts'
import { watchPlans } from '../../../../test/support/plan-of.ts'
import { accepted } from '../../../../test/support/settle-document.ts'
import { listTax, ROWS, uploadCartola } from '../../../../test/support/uploaded-cartola.ts'
import { openWorld, type World } from '../../../../test/support/world.ts'
import { undoBatch } from '../movement/ingest/undo.ts'
import { handOver } from '../movement/undo-store.ts'

let world: World
beforeAll(async () => {
  world = await openWorld()
})
afterAll(() => world.close())

const upload = (own: Issuer, ...rows: string[]) => uploadCartola(world, own, rows)
const counts = async (own: Issuer) =>
  Promise.all(
    ['statements', 'movements', 'expenses', 'suggestions'].map(async (path) => (await listTax(own, path)).length),
  )
const scopeOf = (own: Issuer) => ({ account_id: own.account, empresa_id: own.empresa_id, mode: 'test' }) as const
/** As a DELETE leaves a cartola that is too large for one transaction, and as a kill leaves it. */
const mark = (id: string) => world.db.sql`update statement set undone_at = now() where id = ${id}`
const rowsOf = async (id: string) =>
  (await world.db.sql<{ id: string }>`select id from movement where source_id = ${id}`).length

describe('a cartola that is undone and still has rows', () => {
  it('is gone for every reader: lists, single reads, matches, decisions', async () => {
    const own = await openIssuer(world)
    const id = await upload(own, ...ROWS)
    const movements = await listTax(own, 'movements')
    const [expense] = await listTax(own, 'expenses')
    const [suggestion] = await listTax(own, 'suggestions')
    const { id: document_id } = await accepted(world, own, FACTURA)
    await mark(id)
    expect(await counts(own)).toEqual([0, 0, 0, 0])
    expect(await rowsOf(id)).toBe(3)
    const [one] = movements
    const answers = await Promise.all([
      own.get(`/v1/tax/statements/${id}`),
      own.get(`/v1/tax/movements/${one.id}`),
      own.get(`/v1/tax/expenses/${expense.id}`),
      own.get(`/v1/tax/suggestions/${suggestion.id}`),
      own.post(`/v1/tax/movements/${one.id}/match`, { document_id }),
      own.post(`/v1/tax/suggestions/${suggestion.id}/confirm`, {}),
      own.post(`/v1/tax/suggestions/${suggestion.id}/dismiss`, {}),
    ])
    expect(answers.map(({ status }) => status)).toEqual([404, 404, 404, 404, 404, 404, 404])
  })

  it('brings its lines anew when the file comes again at once', async () => {
    const own = await openIssuer(world)
    const id = await upload(own, ...ROWS)
    await mark(id)
    const anew = await upload(own, ...ROWS)
    expect((await own.get(`/v1/tax/statements/${anew}`)).body).toMatchObject({ imported: 3, duplicates: 0 })
    expect(await counts(own)).toEqual([1, 3, 2, 1])
    expect(await rowsOf(id)).toBe(0)
  })

  it('leaves what another cartola holds too, for every reader at once', async () => {
    const own = await openIssuer(world)
    const first = await upload(own, ...ROWS)
    await upload(own, ...ROWS.slice(1))
    await mark(first)
    expect(await counts(own)).toEqual([1, 2, 1, 1])
  })

  it('is not kept by a cartola of another empresa, whatever that one is said to hold', async () => {
    const [own, other] = [await openIssuer(world), await openIssuer(world)]
    const id = await upload(own, ...ROWS)
    const theirs = await upload(other, ...ROWS)
    await world.db.sql`
      insert into movement_told_again (account_id, empresa_id, mode, statement_id, movement_id)
      select ${other.account}, ${other.empresa_id}, 'test', ${theirs}, m.id from movement m where m.source_id = ${id}`
    await mark(id)
    expect(await counts(own)).toEqual([0, 0, 0, 0])
  })
})

describe('removing the rows of an undone cartola', () => {
  it('takes no more at a time than a batch, those that pay something first', async () => {
    const own = await openIssuer(world)
    const id = await upload(own, ...ROWS)
    await mark(id)
    await world.db
      .sql`update movement set match = '{"matched_by":"review"}' where source_id = ${id} and amount = -50000`
    const batch = () => world.db.transact((sql) => undoBatch(sql, scopeOf(own), id, new Date(0), 1))
    const amounts = async () =>
      (await world.db.sql<{ amount: number }>`select amount from movement where source_id = ${id}`).map(
        ({ amount }) => amount,
      )
    await batch()
    expect(await amounts()).not.toContain(-50_000)
    for (const left of [1, 0]) {
      expect(await batch()).toEqual({ handed_over: [], is_last: false })
      expect((await amounts()).length).toBe(left)
    }
    expect(await batch()).toEqual({ handed_over: [], is_last: true })
  })

  it('finds whom to hand over to once for a whole batch, also in analysed tables of many rows', async () => {
    const own = await openIssuer(world)
    const [first, second] = [await upload(own, ...ROWS), await upload(own, ...ROWS)]
    await world.db.sql`
      insert into movement (account_id, empresa_id, mode, id, source_type, source_id, line_key, bank_account, post_date, amount,
        currency, description, created_at, changed_at, reviewed_at)
      select account_id, empresa_id, mode, id || n, source_type, source_id, line_key || n, bank_account, post_date, amount,
        currency, description, created_at, changed_at, now()
      from movement, generate_series(1, 4000) n where source_id = ${first} and amount = -45000`
    await world.db.sql`
      insert into movement_told_again (account_id, empresa_id, mode, statement_id, movement_id)
      select account_id, empresa_id, mode, ${second}, id from movement where source_id = ${first}
      on conflict do nothing`
    await world.db.sql`analyze movement`
    await world.db.sql`analyze movement_told_again`
    await mark(first)
    const { sql, plans } = watchPlans(world.db.sql)
    expect(await handOver(sql, scopeOf(own), first, 500)).toEqual([{ id: second, count: 500 }])
    const [plan = []] = plans
    // The heirs are a list that is made once. Written into the update, they were looked up again for every movement.
    expect(plan.filter((step) => step['Subplan Name'] === 'CTE heir').length).toBe(1)
    expect(plan.filter((step) => /^SubPlan/.test(step['Subplan Name'] ?? ''))).toEqual([])
  })

  it('goes on in a job where the cartola is larger than a batch, and ends with the cartola itself', async () => {
    const own = await openIssuer(world)
    const id = await upload(own, ...ROWS)
    await world.db.sql`
      insert into movement (account_id, empresa_id, mode, id, source_type, source_id, line_key, bank_account, post_date, amount,
        currency, description, created_at, changed_at, reviewed_at)
      select account_id, empresa_id, mode, id || n, source_type, source_id, line_key || n, bank_account, post_date, amount,
        currency, description, created_at, changed_at, now()
      from movement, generate_series(1, 1100) n where source_id = ${id} and amount <> 5950`
    const sent = await world.delete(`/v1/tax/statements/${id}`, { key: own.key, empresa: own.rut })
    expect(sent.status).toBe(204)
    expect(await counts(own)).toEqual([0, 0, 0, 0])
    await expect.poll(() => rowsOf(id)).toBe(0)
    await expect.poll(() => world.db.sql`select 1 from statement where id = ${id}`).toEqual([])
    const [job] = await world.db.sql<{ payload: unknown }>`
      select payload from job where name = 'statement.undo' and empresa_id = ${own.empresa_id}`
    expect(job?.payload).toEqual({ statement_id: id })
  })
})
