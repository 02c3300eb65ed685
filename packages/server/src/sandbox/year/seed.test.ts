import { addDays, addPeriods, isRut, periodOf, santiagoDate } from '@timbre/dte/values'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Issuer, openIssuer } from '../../../test/support/issuer.ts'
import { ended } from '../../../test/support/rcv-register.ts'
import { openWorld, type World } from '../../../test/support/world.ts'
import { inspectFile } from '../../domain/banking/statement/parse/inspect.ts'
import { accountFile, cardFile } from './bank-lines.ts'
import { monthOf } from './month.ts'
import { CUSTOMERS, SUPPLIERS } from './people.ts'

let world: World
beforeAll(async () => {
  world = await openWorld()
})
afterAll(() => world.close())

async function seed(issuer: Issuer, body: object = { months: 3 }) {
  const asked = await issuer.post('/v1/test_helpers/seed', body)
  expect(asked.status).toBe(202)
  return ended(world, issuer, asked.body.id)
}

/** Everything the story led to, once its jobs have ended. */
async function counted({ empresa_id }: Issuer) {
  const busy = async () =>
    (
      await world.db.sql<object>`
      select 1 from job where empresa_id = ${empresa_id} and status in ('queued', 'running')
        and name in ('statement.import', 'rcv.sync', 'movement.review', 'document.watch_receptors') and due_at <= now() + interval '1 minute'`
    ).length
  await expect.poll(busy).toBe(0)
  const [row] = await world.db.sql<Record<string, number>>`
    select (select count(*) from movement where empresa_id = ${empresa_id}) as movements,
      (select count(*) from movement where empresa_id = ${empresa_id} and match is not null) as matched,
      (select count(*) from document where empresa_id = ${empresa_id}) as documents,
      (select count(*) from expense where empresa_id = ${empresa_id}) as expenses,
      (select count(*) from statement where empresa_id = ${empresa_id}) as statements,
      (select count(*) from received_document where empresa_id = ${empresa_id}) as received,
      (select count(*) from reception_quarantine where empresa_id = ${empresa_id}) as quarantined,
      (select count(*) from rcv_entry where empresa_id = ${empresa_id} and side = 'purchase') as purchases,
      (select count(*) from rcv_entry where empresa_id = ${empresa_id} and side = 'sale') as sales`
  return row as Record<string, number>
}

/** The story of three months up to today, as the seed tells it. */
function told({ empresa_id }: Issuer) {
  const today = santiagoDate(new Date())
  const months = [-2, -1, 0].map((at) => monthOf(empresa_id, addPeriods(periodOf(today), at), today))
  const sales = months.flatMap(({ period, sales }) =>
    sales.map((sale, i) => ({ ...sale, external_id: `venta-${period}-${i + 1}` })),
  )
  return { today, months, sales }
}

/** How many movements a cartola has, below the line of its account and that of its columns. */
const linesOf = (file: Buffer | null) => (file === null ? 0 : file.toString().split('\n').length - 2)

const TODAY = '2026-11-20'
const MONTHS = ['2026-09', '2026-10', '2026-11']
const story = (empresa_id: string) => MONTHS.map((period) => monthOf(empresa_id, period, TODAY))

describe('POST /test_helpers/seed', () => {
  it('202 with a job that fills registers, received documents and the bank, and adds nothing when asked twice', async () => {
    const issuer = await openIssuer(world)
    const job = await seed(issuer)
    expect(job).toMatchObject({ type: 'sandbox_seed', status: 'succeeded', result: { months: 3, statements: 2 } })
    const first = await counted(issuer)
    expect(first.quarantined).toBe(0)
    expect(first.received).toBe(job.result.received_documents)
    expect(first.purchases).toBe(job.result.purchases + job.result.received_documents)
    expect(first.documents).toBe(job.result.documents)
    expect(first.sales).toBeGreaterThan(job.result.sales)
    const { months, today } = told(issuer)
    const files = [accountFile, cardFile].map((write) => write(issuer.empresa_id, months, today))
    expect(first.movements).toBe(files.map(linesOf).reduce((sum, lines) => sum + lines))
    expect((await seed(issuer)).result).toMatchObject({ documents: 0, received_documents: 0, statements: 0 })
    expect(await counted(issuer)).toEqual(first)
  })

  it('issues documents that were settled on their days, in the order of their folios, and whose payments are matched', async () => {
    const issuer = await openIssuer(world)
    const { result } = await seed(issuer)
    await counted(issuer)
    const { data } = (await issuer.get('/v1/documents?limit=100')).body
    expect(data).toHaveLength(result.documents)
    const { sales, today } = told(issuer)
    const ids = (those: { external_id: string }[]) => those.map(({ external_id }) => external_id).sort()
    const of = (status: string) => data.filter((one: { status: string }) => one.status === status)
    expect(ids(of('annulled'))).toEqual(ids(sales.filter(({ annulled_on }) => annulled_on !== null)))
    expect(of('accepted').length + of('annulled').length).toBe(data.length)
    for (const { created_at, sii, issue_date } of data) {
      expect(santiagoDate(new Date(created_at))).toBe(issue_date)
      expect(sii.track_id).not.toBeNull()
    }
    const facturas = data.filter((one: { tipo_dte: number }) => one.tipo_dte === 33).reverse()
    const folios = facturas.map((one: { folio: number }) => one.folio)
    expect(folios).toEqual(folios.toSorted((a: number, b: number) => a - b))
    // A customer's payment finds its factura, each of them; whatever is not paid is owed.
    const has_paid = ({ issue_date, paid_after }: { issue_date: string; paid_after: number | null }) =>
      paid_after !== null && addDays(issue_date, paid_after) <= today
    const paid = facturas.filter((one: { paid_at: string | null }) => one.paid_at !== null)
    expect(ids(paid)).toEqual(ids(sales.filter(has_paid)))
    const receivables = (await issuer.get('/v1/receivables?limit=100')).body.data
    const owed = receivables.reduce((sum: number, one: { pending_amount: number }) => sum + one.pending_amount, 0)
    const open = facturas.filter(
      (one: { status: string; paid_at: string | null }) => one.status === 'accepted' && one.paid_at === null,
    )
    expect(owed).toBe(open.reduce((sum: number, one: { totals: { total: number } }) => sum + one.totals.total, 0))
  })

  it('leaves the settings of an empresa that chose its own', async () => {
    const issuer = await openIssuer(world)
    const key = await world.key(issuer.account, { scopes: ['empresas:write', 'empresas:read'] })
    const path = `/v1/empresas/${issuer.empresa_id}/automation_settings`
    await world.patch(path, { key, body: { sync_rcv_daily: false } })
    await seed(issuer, { months: 1 })
    expect((await world.get(path, { key })).body).toMatchObject({
      sync_rcv_daily: false,
      apply_movement_matches: false,
    })
  })

  it('400 invalid_field for more months than two years', async () => {
    const issuer = await openIssuer(world)
    const sent = await issuer.post('/v1/test_helpers/seed', { months: 25 })
    expect([sent.status, sent.body.error.param]).toEqual([400, 'months'])
  })
})

describe('the story', () => {
  it('is the same for the same empresa, and another for another', () => {
    expect(story('emp_a')).toEqual(story('emp_a'))
    expect(story('emp_a')).not.toEqual(story('emp_b'))
  })

  it('has people with valid RUTs, no two alike', () => {
    const ruts = [...SUPPLIERS, ...CUSTOMERS].map(({ rut }) => rut)
    expect(ruts.filter((rut) => !isRut(rut))).toEqual([])
    expect(new Set(ruts).size).toBe(ruts.length)
  })

  it('has no two documents of one supplier with the same folio, and none after today', () => {
    const papers = story('emp_a').flatMap(({ purchases, received }) => [...purchases, ...received])
    const keys = papers.map(({ party, folio }) => `${party.rut} ${folio}`)
    expect(new Set(keys).size).toBe(keys.length)
    expect(papers.filter(({ issue_date }) => issue_date > TODAY)).toEqual([])
  })

  it('has cartolas that read as what they are: payments equal documents, and the balance follows', async () => {
    const months = story('emp_a')
    const options = { filename: undefined, bank_account: undefined, positive_is: undefined, today: TODAY }
    const bank = await inspectFile(accountFile('emp_a', months, TODAY) as Buffer, options)
    expect(bank.understood).toMatchObject({ balance_check: 'agrees', bank_account: '00-990-10101-01' })
    const card = await inspectFile(cardFile('emp_a', months, TODAY) as Buffer, options)
    expect(card.understood).toMatchObject({ sign_rule: 'positive_is_out' })
    expect(card.understood.last_date <= TODAY).toBe(true)
  })
})
