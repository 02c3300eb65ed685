import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { csvOf, plainCartola, xlsxOf } from '../../../../test/support/cartola-file.ts'
import { type Issuer, openIssuer } from '../../../../test/support/issuer.ts'
import { ended } from '../../../../test/support/rcv-register.ts'
import { openWorld, type World } from '../../../../test/support/world.ts'
import { xlsOf } from '../../../../test/support/xls-file.ts'
import type { Statements } from '../../../ports/statements.ts'
import { recordMovements } from '../movement/ingest/record.ts'
import { inspectFile } from './parse/inspect.ts'
import { readMovements } from './parse/read-movements.ts'

let world: World
beforeAll(async () => {
  world = await openWorld()
})
afterAll(() => world.close())

const send = (issuer: Issuer, file: Buffer, more: object = {}, path = '/v1/tax/statements') =>
  issuer.post(path, { file: file.toString('base64'), ...more })
const preview = (issuer: Issuer, file: Buffer, more: object = {}) =>
  send(issuer, file, more, '/v1/tax/statements/previews')

async function imported(issuer: Issuer, file: Buffer, more: object = {}) {
  const asked = await send(issuer, file, more)
  expect(asked.status).toBe(202)
  expect(asked.body).toMatchObject({ object: 'job', type: 'statement_import', empresa: issuer.rut })
  return ended(world, issuer, asked.body.id)
}

const ROWS = ['03/11/2026;PAGO LUZ;45.000;', '04/11/2026;ABONO CLIENTE;;119.000', '04/11/2026;CAFE;2.500;']
const movements = ({ empresa_id }: Issuer) =>
  world.db.sql<{ amount: number; description: string; source_id: string }>`
    select amount, description, source_id from movement where empresa_id = ${empresa_id} order by post_date, amount`

describe('POST /tax/statements', () => {
  it('202 for an old .xls too, and the same file twice brings nothing twice', async () => {
    const issuer = await openIssuer(world)
    const file = xlsOf('Cartola', [
      ['Fecha', 'Descripción', 'Cargos', 'Abonos'],
      [46_331, 'PAGO LUZ', 45_000, null],
    ])
    expect(await imported(issuer, file)).toMatchObject({ status: 'succeeded', result: { imported: 1 } })
    expect(await imported(issuer, file)).toMatchObject({ result: { imported: 0, duplicates: 1 } })
    expect(await movements(issuer)).toMatchObject([{ amount: -45_000, description: 'PAGO LUZ' }])
  })

  it('202 with a job that brings the movements in, each payment as an expense, and tells it', async () => {
    const issuer = await openIssuer(world)
    const file = plainCartola(...ROWS, ';Total;47.500;119.000')
    const job = await imported(issuer, file, { filename: 'cartola.csv', bank_account: 'Cuenta BCI' })
    expect(job).toMatchObject({ status: 'succeeded', result: { rows: 3, imported: 3, duplicates: 0, skipped: 1 } })
    const id = job.result.statement_id
    const statement = await issuer.get(`/v1/tax/statements/${id}`)
    expect(statement.body).toMatchObject({
      object: 'statement',
      status: 'imported',
      filename: 'cartola.csv',
      bank_account: 'Cuenta BCI',
      currency: 'CLP',
      first_date: '2026-11-03',
      last_date: '2026-11-04',
      understood: { header_row: 1, sign_rule: 'charge_and_credit_columns' },
      failure: null,
    })
    expect((await movements(issuer)).map(({ amount, source_id }) => [amount, source_id])).toEqual([
      [-45_000, id],
      [-2_500, id],
      [119_000, id],
    ])
    const expenses = await issuer.get('/v1/tax/expenses')
    expect(expenses.body.data.map(({ amount }: { amount: number }) => amount)).toEqual([2_500, 45_000])
    const { body } = await world.get('/v1/events?type=tax.statement.imported', {
      key: await world.key(issuer.account, { scopes: ['webhooks:read'] }),
    })
    expect(body.data).toHaveLength(1)
    expect(JSON.stringify(body.data[0].data.object)).toBe(statement.text)
  })

  it('imports nothing of the same file twice, and of an overlapping one only what is new', async () => {
    const issuer = await openIssuer(world)
    await imported(issuer, plainCartola(...ROWS))
    expect((await imported(issuer, plainCartola(...ROWS))).result).toMatchObject({ imported: 0, duplicates: 3 })
    const longer = plainCartola(...ROWS.slice(1), '05/11/2026;CAFE;2.500;')
    expect((await imported(issuer, longer)).result).toMatchObject({ rows: 3, imported: 1, duplicates: 2 })
    expect(await movements(issuer)).toHaveLength(4)
  })

  it('imports two at the same time as if one came after the other', async () => {
    const issuer = await openIssuer(world)
    const jobs = await Promise.all([1, 2, 3].map(() => imported(issuer, plainCartola(...ROWS))))
    expect(jobs.reduce((sum, { result }) => sum + result.imported, 0)).toBe(3)
  })

  it('takes a spreadsheet for the same movements as the text of the same account', async () => {
    const issuer = await openIssuer(world)
    await imported(issuer, plainCartola(...ROWS))
    const rows = [
      ['Fecha', 'Descripción', 'Cargos', 'Abonos'],
      ['03/11/2026', 'Pago  luz', 45_000, null],
      [46_330, 'ABONO CLIENTE', null, 119_000],
    ]
    expect((await imported(issuer, xlsxOf([{ name: 'A', rows }]))).result).toMatchObject({ imported: 0, duplicates: 2 })
  })

  it('keeps the lines of one account apart from those of another', async () => {
    const issuer = await openIssuer(world)
    await imported(issuer, plainCartola(...ROWS), { bank_account: '111222' })
    expect((await imported(issuer, plainCartola(...ROWS), { bank_account: '333444' })).result.imported).toBe(3)
  })

  it('keeps a description that would be a formula as the text it is', async () => {
    const issuer = await openIssuer(world)
    const words = ['=HYPERLINK("http://x")', '+56 9 1234', '-DESCUENTO', '@pago']
    await imported(issuer, plainCartola(...words.map((word) => `03/11/2026;"${word.replaceAll('"', '""')}";1.000;`)))
    expect((await movements(issuer)).map(({ description }) => description).sort()).toEqual([...words].sort())
  })

  it('goes on where a run that died left off, and counts what that one had brought', async () => {
    const sleeping = await openWorld({ runs_jobs: false })
    const issuer = await openIssuer(sleeping)
    const asked = await send(issuer, plainCartola(...ROWS))
    const [kept] = await sleeping.db.sql<{ id: string }>`select id from statement`
    const scope = { account_id: issuer.account, empresa_id: issuer.empresa_id, mode: 'test' } as const
    const source = { type: 'statement', id: kept?.id ?? '' } as const
    const line = { external_id: null, bank_account: 'sin número', currency: 'CLP' }
    const nobody = { counterparty_rut: null, counterparty_name: null }
    const light = { ...line, ...nobody, post_date: '2026-11-03', amount: -45_000, description: 'PAGO LUZ' }
    await recordMovements(sleeping.db.sql, scope, source, [light], new Date())
    const awake = await openWorld({ beside: sleeping })
    const job = await ended(awake, issuer, asked.body.id)
    expect(job.result).toMatchObject({ rows: 3, imported: 3, duplicates: 0 })
    const [after] = await sleeping.db.sql<{ movements: number; files: number }>`
      select (select count(*) from movement) as movements, (select count(*) from statement_file) as files`
    expect(after).toEqual({ movements: 3, files: 0 })
    await awake.close()
    await sleeping.close()
  })

  it('writes what the port read, and parses nothing itself: a job runs where everybody is answered', async () => {
    const read: Statements['read'] = async (_account_id, file, options) => {
      const batches = await readMovements(Buffer.from(file), options)
      return batches.map(({ rows, json }) => ({
        rows,
        json: Buffer.from(Buffer.from(json).toString().replace('PAGO LUZ', 'READ ELSEWHERE')),
      }))
    }
    const inspect: Statements['inspect'] = async (_account_id, file, options) =>
      (await inspectFile(Buffer.from(file), options)) as never
    const other = await openWorld({ statements: { inspect, read, close: async () => undefined } })
    const issuer = await openIssuer(other)
    const asked = await send(issuer, plainCartola(...ROWS))
    expect((await ended(other, issuer, asked.body.id)).result).toMatchObject({ imported: 3 })
    const rows = await other.db.sql<{ description: string }>`select description from movement order by description`
    expect(rows.map(({ description }) => description)).toEqual(['ABONO CLIENTE', 'CAFE', 'READ ELSEWHERE'])
    await other.close()
  })

  it('409 idempotency_key_reused for another file under the same key, and the same job for the same file', async () => {
    const issuer = await openIssuer(world)
    const headers = { 'idempotency-key': 'una-cartola' }
    const body = { file: plainCartola(...ROWS).toString('base64') }
    const first = await issuer.post('/v1/tax/statements', body, { headers })
    const again = await issuer.post('/v1/tax/statements', body, { headers })
    expect(again.body.id).toBe(first.body.id)
    const other = { file: plainCartola(...ROWS.slice(1)).toString('base64') }
    const refused = await issuer.post('/v1/tax/statements', other, { headers })
    expect([refused.status, refused.body.error.code]).toEqual([409, 'idempotency_key_reused'])
  })

  it('fails as a whole when the file that was kept cannot be read any more, and says so', async () => {
    const sleeping = await openWorld({ runs_jobs: false })
    const issuer = await openIssuer(sleeping)
    const asked = await send(issuer, plainCartola(...ROWS))
    await sleeping.db.sql`update statement_file set bytes = 'nothing'::bytea`
    const awake = await openWorld({ beside: sleeping })
    const job = await ended(awake, issuer, asked.body.id)
    expect(job).toMatchObject({ status: 'failed', error: { code: 'statement_unreadable' } })
    const { body } = await issuer.get('/v1/tax/statements?status=failed')
    expect(body.data).toMatchObject([{ status: 'failed', failure: { code: 'statement_unreadable' }, imported: 0 }])
    await awake.close()
    await sleeping.close()
  })
})

describe('POST /tax/statements/previews', () => {
  it('200 with what was understood, and nothing is written', async () => {
    const issuer = await openIssuer(world)
    const shown = await preview(issuer, plainCartola(...ROWS))
    expect(shown.status).toBe(200)
    expect(shown.body).toMatchObject({
      object: 'statement_preview',
      rows: 3,
      skipped: 0,
      understood: { bank_account: 'sin número', first_rows: [{ row: 2, amount: -45_000 }, { row: 3 }, { row: 4 }] },
    })
    expect(await movements(issuer)).toEqual([])
    expect((await issuer.get('/v1/tax/statements')).body.data).toEqual([])
  })

  it('takes the word of the caller for which way a positive amount goes', async () => {
    const issuer = await openIssuer(world)
    const file = csvOf('Fecha;Detalle;Monto', '03/11/2026;NOTION LABS;9.990')
    const amountOf = async (more: object) =>
      (await preview(issuer, file, more)).body.understood.first_rows[0].amount as number
    expect(await amountOf({})).toBe(9_990)
    expect(await amountOf({ positive_is: 'out' })).toBe(-9_990)
    expect(await amountOf({ filename: 'Visa noviembre.csv' })).toBe(-9_990)
  })

  it('turns the signs of a single column round when the balance beside it says so', async () => {
    const issuer = await openIssuer(world)
    const rows = ['03/11/2026;A;100;900', '04/11/2026;B;-50;950', '05/11/2026;C;200;750', '06/11/2026;D;250;500']
    const { body } = await preview(issuer, csvOf('Fecha;Detalle;Monto;Saldo', ...rows))
    expect(body.understood).toMatchObject({ sign_rule: 'positive_is_out', balance_check: 'agrees' })
    expect(body.understood.first_rows[0].amount).toBe(-100)
  })

  it('says that the balance does not follow from the amounts, and reads them as they are', async () => {
    const issuer = await openIssuer(world)
    const rows = ['03/11/2026;A;100;;5', '04/11/2026;B;;50;70', '05/11/2026;C;200;;1']
    const { body } = await preview(issuer, csvOf('Fecha;Detalle;Cargos;Abonos;Saldo', ...rows))
    expect(body.understood.balance_check).toBe('disagrees')
  })
})

describe('GET /tax/statements', () => {
  it('lists the newest first, a page at a time, and a cursor opens under its own filters alone', async () => {
    const issuer = await openIssuer(world)
    const ids: string[] = []
    for (const row of ROWS) ids.push((await imported(issuer, plainCartola(row))).result.statement_id)
    const first = await issuer.get('/v1/tax/statements?limit=2')
    expect(first.body.data.map(({ id }: { id: string }) => id)).toEqual([ids[2], ids[1]])
    const rest = await issuer.get(`/v1/tax/statements?limit=2&cursor=${first.body.next_cursor}`)
    expect(rest.body).toMatchObject({ data: [{ id: ids[0] }], has_more: false, next_cursor: null })
    const wrong = await issuer.get(`/v1/tax/statements?status=imported&cursor=${first.body.next_cursor}`)
    expect([wrong.status, wrong.body.error.code]).toEqual([400, 'invalid_cursor'])
  })

  it('404 statement_not_found for the cartola of another empresa of the same account', async () => {
    const issuer = await openIssuer(world)
    const neighbour = await openIssuer(world, { account: issuer.account })
    const { result } = await imported(neighbour, plainCartola(...ROWS))
    const sent = await issuer.get(`/v1/tax/statements/${result.statement_id}`)
    expect([sent.status, sent.body.error.code]).toEqual([404, 'statement_not_found'])
    expect((await issuer.get('/v1/tax/statements')).body.data).toEqual([])
  })
})
