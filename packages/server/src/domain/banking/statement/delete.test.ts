import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { plainCartola } from '../../../../test/support/cartola-file.ts'
import { FACTURA, type Issuer, openIssuer } from '../../../../test/support/issuer.ts'
import { accepted } from '../../../../test/support/settle-document.ts'
import { listTax, ROWS, uploadCartola } from '../../../../test/support/uploaded-cartola.ts'
import { openWorld, type World } from '../../../../test/support/world.ts'
import { lockForImport } from '../movement/undo-store.ts'

let world: World
beforeAll(async () => {
  world = await openWorld()
})
afterAll(() => world.close())

const upload = (own: Issuer, ...rows: string[]) => uploadCartola(world, own, rows)
const undo = ({ key, rut: empresa }: Issuer, id: string) => world.delete(`/v1/tax/statements/${id}`, { key, empresa })
const counts = async (own: Issuer) =>
  Promise.all(['movements', 'expenses', 'suggestions'].map(async (path) => (await listTax(own, path)).length))

describe('DELETE /tax/statements/{statement_id}', () => {
  it('204 takes back its movements, their expenses and open suggestions; the file may come again', async () => {
    const own = await openIssuer(world)
    const id = await upload(own, ...ROWS)
    expect(await counts(own)).toEqual([3, 2, 1])
    expect((await undo(own, id)).status).toBe(204)
    expect(await counts(own)).toEqual([0, 0, 0])
    expect((await own.get(`/v1/tax/statements/${id}`)).body.error.code).toBe('statement_not_found')
    const again = await undo(own, id)
    expect([again.status, again.body.error.code]).toEqual([404, 'statement_not_found'])
    const anew = await upload(own, ...ROWS)
    expect((await own.get(`/v1/tax/statements/${anew}`)).body).toMatchObject({ imported: 3, duplicates: 0 })
    expect(await counts(own)).toEqual([3, 2, 1])
  })

  it('leaves what another cartola told too, as that one’s', async () => {
    const own = await openIssuer(world)
    const first = await upload(own, ...ROWS)
    const second = await upload(own, ...ROWS.slice(1), '05/11/2025;CAFE;2.500;')
    expect((await undo(own, first)).status).toBe(204)
    const rest = await listTax(own, 'movements')
    expect(rest.map(({ source }: { source: { id: string } }) => source.id)).toEqual([second, second, second])
    expect((await own.get(`/v1/tax/statements/${second}`)).body).toMatchObject({ imported: 3, duplicates: 0 })
    expect((await undo(own, second)).status).toBe(204)
    expect(await counts(own)).toEqual([0, 0, 0])
  })

  it('409 statement_in_use while a movement is matched by somebody, and nothing is lost by the refusal', async () => {
    const own = await openIssuer(world)
    const id = await upload(own, ...ROWS)
    const { id: document_id } = await accepted(world, own, FACTURA)
    const paid = (await listTax(own, 'movements')).find(({ amount }: { amount: number }) => amount === 5_950)
    await own.post(`/v1/tax/movements/${paid.id}/match`, { document_id })
    const refused = await undo(own, id)
    expect([refused.status, refused.body.error.code]).toEqual([409, 'statement_in_use'])
    expect(refused.body.error.details).toEqual({ reason: 'matched', movement_ids: [paid.id] })
    expect(await counts(own)).toEqual([3, 2, 1])
    await own.post(`/v1/tax/movements/${paid.id}/unmatch`)
    expect((await undo(own, id)).status).toBe(204)
  })

  it('409 statement_in_use once a 46 was issued for one of its movements', async () => {
    const own = await openIssuer(world)
    const id = await upload(own, ...ROWS)
    const [one] = await listTax(own, 'suggestions')
    expect((await own.post(`/v1/tax/suggestions/${one.id}/confirm`, {})).status).toBe(200)
    expect((await undo(own, id)).body.error.details).toEqual({ reason: 'matched', movement_ids: [one.movement.id] })
  })

  it('remembers what was dismissed: the file again suggests nothing of it', async () => {
    const own = await openIssuer(world)
    const id = await upload(own, ...ROWS)
    const [one] = await listTax(own, 'suggestions')
    await own.post(`/v1/tax/suggestions/${one.id}/dismiss`, {})
    expect((await undo(own, id)).status).toBe(204)
    expect(await counts(own)).toEqual([0, 0, 1])
    await upload(own, ...ROWS)
    expect((await listTax(own, 'suggestions')).map(({ status }: { status: string }) => status)).toEqual(['dismissed'])
    expect((await listTax(own, 'movements')).length).toBe(3)
  })

  it('409 statement_in_use at once, and waits for nobody, while another cartola is being brought in', async () => {
    const own = await openIssuer(world)
    const id = await upload(own, ...ROWS)
    const scope = { account_id: own.account, empresa_id: own.empresa_id, mode: 'test' } as const
    await world.db.transact(async (sql) => {
      await lockForImport(sql, scope)
      const sent = await undo(own, id)
      expect([sent.status, sent.body.error.details]).toEqual([409, { reason: 'busy' }])
    })
    const all = await Promise.all(Array.from({ length: 12 }, () => undo(own, id)))
    expect(all.filter(({ status }) => status === 204)).toHaveLength(1)
    expect(all.every(({ status }) => [204, 404, 409].includes(status))).toBe(true)
  })

  it('409 statement_in_use while it is importing, and 404 for another empresa', async () => {
    const sleeping = await openWorld({ runs_jobs: false })
    const own = await openIssuer(sleeping)
    await own.post('/v1/tax/statements', { file: plainCartola(...ROWS).toString('base64') })
    const { body } = await own.get('/v1/tax/statements')
    const path = `/v1/tax/statements/${body.data[0].id}`
    const sent = await sleeping.delete(path, { key: own.key, empresa: own.rut })
    expect([sent.status, sent.body.error.details]).toEqual([409, { reason: 'importing' }])
    const stranger = await openIssuer(sleeping)
    expect((await sleeping.delete(path, { key: stranger.key, empresa: stranger.rut })).status).toBe(404)
    await sleeping.close()
  })
})
