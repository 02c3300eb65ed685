import { addDays, santiagoDate } from '@timbre/dte/values'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { issue, journal, told, types } from '../../../test/support/document-emission.ts'
import { BOLETA, FACTURA, type Issuer, openIssuer } from '../../../test/support/issuer.ts'
import { moveClock } from '../../../test/support/move-clock.ts'
import { openWorld, type World } from '../../../test/support/world.ts'
import { skipYearBefore } from '../../../test/support/year-before.ts'

let world: World
let issuer: Issuer
beforeAll(async () => {
  world = await openWorld()
  issuer = await openIssuer(world)
  await skipYearBefore(world, issuer)
})
afterAll(() => world.close())

const answer = (id: string, action: string) =>
  issuer.post(`/v1/test_helpers/documents/${id}/receptor_response`, { action })

describe('what a receptor registers at the SII', () => {
  it('200 a claim shows on the document, keeps it from being ceded, and is in the register of sales', async () => {
    const { id } = (await issue(issuer, FACTURA)).body
    // Nobody answered: the sandbox lets it be ceded (code 23).
    expect((await issuer.post(`/v1/documents/${id}/cesion`)).body).toMatchObject({ cedible: true, sii: { code: '23' } })
    const claimed = await answer(id, 'RCD')
    expect(claimed.status, claimed.text).toBe(200)
    expect(claimed.body.receptor_response).toMatchObject({
      status: 'claimed',
      basis: 'sii',
      answers: [{ source: 'sii', action: 'claimed', code: 'RCD', signature: null }],
    })
    expect((await told(world, id)).at(-1)).toMatchObject({
      type: 'document.claimed',
      data: { previous_attributes: { receptor_response: { status: null } }, detail: { code: 'RCD', source: 'sii' } },
    })
    expect(types(await journal(issuer, id)).at(-1)).toBe('document.claimed')
    expect((await issuer.post(`/v1/documents/${id}/cesion`)).body).toMatchObject({
      cedible: false,
      reasons: [{ code: 'claimed_by_receptor' }],
      sii: null,
    })
    // A claim of the goods may stand beside one of the content; the same twice is told once (code 7).
    expect((await answer(id, 'RFT')).body.receptor_response.answers).toHaveLength(2)
    expect((await answer(id, 'RFT')).body.receptor_response.answers).toHaveLength(2)
    const { claimed_at, folio } = await saleOf(claimed.body.folio, claimed.body.issue_date)
    expect([folio, claimed_at !== null]).toEqual([claimed.body.folio, true])
  })

  it('200 acknowledging the goods lifts what kept a factura from being ceded, and accepting it adds to that', async () => {
    // 77222222-K neither acknowledges nor claims: not cedible for eight days (code 22).
    const { id } = (await issue(issuer, { ...FACTURA, receptor: { ...FACTURA.receptor, rut: '77222222-K' } })).body
    const cesion = async () => (await issuer.post(`/v1/documents/${id}/cesion`)).body
    expect((await cesion()).reasons).toMatchObject([{ code: 'receptor_may_claim' }])
    const acknowledged = (await answer(id, 'ERM')).body
    expect(acknowledged.receptor_response).toMatchObject({ status: null, receipt_acknowledged_at: expect.any(String) })
    expect((await cesion()).cedible).toBe(true)
    expect((await answer(id, 'ACD')).body.receptor_response).toMatchObject({ status: 'accepted', basis: 'sii' })
    expect(types(await told(world, id)).slice(-2)).toEqual([
      'document.receipt_acknowledged',
      'document.accepted_by_receptor',
    ])
    const sale = await saleOf(acknowledged.folio, acknowledged.issue_date)
    expect([sale.acknowledged_at !== null, sale.claimed_at]).toEqual([true, null])
  })

  it('409 receptor_response_refused in the words of the register; 400 and 404 for what is not there', async () => {
    const { id } = (await issue(issuer, FACTURA)).body
    await answer(id, 'ACD')
    const refused = await answer(id, 'RCD')
    expect([refused.status, refused.body.error]).toMatchObject([
      409,
      { code: 'receptor_response_refused', sii: { code: 11, message: expect.stringContaining('ya fue aceptado') } },
    ])
    const boleta = (await issue(issuer, BOLETA)).body
    expect((await answer(boleta.id, 'ACD')).body.error).toMatchObject({ sii: { code: 3 } })
    expect((await answer(id, 'NCA')).body.error.code).toBe('invalid_field')
    expect((await answer('doc_none', 'ACD')).body.error.code).toBe('document_not_found')
  })

  it.each([
    ['in one job for those of a day', 1],
    ['in jobs that name them, as the release before queued', 2],
  ])('is read day by day, %s, and silence accepts it when the eight days are over', async (_, jobs) => {
    const quiet = await openIssuer(world)
    await moveClock(world, quiet.key, { frozen_time: noonAfter(0) })
    const made = await quiet.create(FACTURA)
    const other = await quiet.create(FACTURA)
    const move = (advance: string) => moveClock(world, quiet.key, { advance })
    await move('PT10S')
    const read = async ({ body }: typeof made) => (await quiet.get(`/v1/documents/${body.id}`)).body
    const { folio } = await read(other)
    if (jobs > 1) await nameEach(quiet.account, [made.body.id, other.body.id])
    expect(await watching(quiet.account)).toHaveLength(jobs)
    // Registered where only the SII sees it: the daily reading finds it.
    await world.db.sql`
      insert into sandbox_claim (account_id, empresa_id, mode, emisor_rut, tipo_dte, folio, action, at)
      values (${quiet.account}, ${quiet.empresa_id}, 'test', ${quiet.rut}, 33, ${folio}, 'RFP', ${noonAfter(2)})`
    await move('P3D')
    expect((await read(other)).receptor_response).toMatchObject({
      status: 'claimed',
      answers: [{ code: 'RFP', at: noonAfter(2) }],
    })
    expect((await read(made)).receptor_response.status).toBeNull()
    await move('P6D')
    // Sent half a second after noon of 1 March: eight days later is noon of the 9th (Ley 19.983, art. 3).
    const { receptor_response } = await read(made)
    expect(receptor_response).toMatchObject({ status: 'accepted_tacitly', basis: 'sii' })
    expect(receptor_response.answered_at.slice(0, 16)).toBe(noonAfter(8).slice(0, 16))
    expect((await read(other)).receptor_response.status).toBe('claimed')
    expect(types(await told(world, made.body.id)).at(-1)).toBe('document.accepted_by_receptor')
    expect(await watching(quiet.account)).toEqual([])
  })

  it('counts as silence only an hour after the eight days: a claim of the last minute may show later than that', async () => {
    const quiet = await openIssuer(world)
    await moveClock(world, quiet.key, { frozen_time: noonAfter(0) })
    const made = await quiet.create(FACTURA)
    const move = (advance: string) => moveClock(world, quiet.key, { advance })
    const read = async () => (await quiet.get(`/v1/documents/${made.body.id}`)).body
    await move('PT10S')
    await move('P8D')
    const { folio, receptor_response } = await read()
    expect(receptor_response.status).toBeNull()
    await world.db.sql`
      insert into sandbox_claim (account_id, empresa_id, mode, emisor_rut, tipo_dte, folio, action, at)
      values (${quiet.account}, ${quiet.empresa_id}, 'test', ${quiet.rut}, 33, ${folio}, 'RCD', ${noonAfter(8)})`
    await move('PT2H')
    expect((await read()).receptor_response).toMatchObject({ status: 'claimed', basis: 'sii' })
  })
})

/** Noon so many days after the next first of March. Chile moves its clocks in April and in September: these days are as long as any. */
function noonAfter(days: number): string {
  const [today, year] = [santiagoDate(new Date()), new Date().getUTCFullYear()]
  const first = [year, year + 1].map((each) => `${each}-03-01`).find((day) => day > today) as string
  return `${addDays(first, days)}T12:00:00.000Z`
}

const watching = (account: string) =>
  world.db.sql<object>`select 1 from job where name = 'document.watch_receptors' and account_id = ${account}`

/** Puts a job for each of some documents in the place of the one that watches them. */
async function nameEach(account: string, document_ids: readonly string[]): Promise<void> {
  await world.db.sql`
    insert into job (id, name, account_id, mode, empresa_id, pool, lane, parked, payload, due_at, run_at, max_attempts, created_at, timed_at)
    select 'job_of_' || d, name, account_id, mode, empresa_id, pool, lane, parked,
      json_build_object('document_ids', json_build_array(d)), due_at, run_at, max_attempts, created_at, timed_at
    from job, unnest(${document_ids}::text[]) d where name = 'document.watch_receptors' and account_id = ${account}`
  await world.db.sql`
    delete from job where name = 'document.watch_receptors' and account_id = ${account} and key is not null`
}

/** A sale as the register shows it. */
async function saleOf(folio: number, issue_date: string) {
  const period = issue_date.slice(0, 7)
  const { body } = await issuer.post('/v1/tax/sync', { period })
  await expect
    .poll(async () => (await world.get(`/v1/jobs/${body.id}`, { key: issuer.key })).body.status)
    .toBe('succeeded')
  const sales = (await issuer.get(`/v1/tax/sales?period=${period}&limit=100`)).body.data
  return sales.find((sale: { folio: number }) => sale.folio === folio)
}
