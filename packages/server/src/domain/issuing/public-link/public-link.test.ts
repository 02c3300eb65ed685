import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { issue } from '../../../../test/support/insert-document.ts'
import { type Issuer, openIssuer } from '../../../../test/support/issuer.ts'
import { openWorld, type World } from '../../../../test/support/world.ts'
import { documentRoutes } from '../../../http/page-routes/public-links.ts'
import { systemNow } from '../../../kernel/clock.ts'

const codeOf = (sent: { status: number; body: { error: { code: string } } }) => [sent.status, sent.body.error.code]
const linksOf = (id: string) => `/v1/documents/${id}/public_links`

let world: World
let issuer: Issuer
beforeAll(async () => {
  world = await openWorld({ plain: (db, parts) => documentRoutes({ sql: db.sql, ...parts }) })
  issuer = await openIssuer(world)
})
afterAll(() => world.close())

const as = () => ({ key: issuer.key, empresa: issuer.rut })
const mint = (id: string, body: object = {}) => issuer.post(linksOf(id), body)
const pathOf = (sent: { body: { url: string } }) => new URL(sent.body.url).pathname
const statusAt = async (path: string) => (await world.get(path)).status

describe('POST /documents/{document_id}/public_links', () => {
  it('201 hands out an address under the base of public links, and only its hash is kept', async () => {
    const { id } = await issue(world, issuer)
    const sent = await mint(id)
    expect(sent.status).toBe(201)
    expect(sent.body).toMatchObject({ object: 'public_link', document_id: id, cedible: false, expires_at: null })
    expect(sent.body.url).toMatch(/^http:\/\/timbre\.test\/d\/[A-Za-z0-9]{43}$/)
    const slug = sent.body.url.split('/').at(-1)
    const [row] = await world.db.sql<{ text: string }>`
      select public_link::text as text from public_link where id = ${sent.body.id}`
    expect(row?.text).not.toContain(slug)
    expect(await statusAt(pathOf(sent))).toBe(200)
  })

  it('201 rotates: the link before it stops working, that of the other kind goes on', async () => {
    const { id } = await issue(world, issuer)
    const cedible = await mint(id, { cedible: true })
    const first = await mint(id)
    const second = await mint(id)
    expect(await statusAt(pathOf(first))).toBe(404)
    expect(await statusAt(pathOf(second))).toBe(200)
    expect(await statusAt(pathOf(cedible))).toBe(200)
  })

  it('201 leaves exactly one living link when many are minted at once', async () => {
    const { id } = await issue(world, issuer)
    const sent = await Promise.all(Array.from({ length: 6 }, () => mint(id)))
    const alive = await Promise.all(sent.map((one) => statusAt(pathOf(one))))
    expect(alive.filter((status) => status === 200)).toHaveLength(1)
  })

  it('201 shows the same address again to a repetition with the same Idempotency-Key', async () => {
    const { id } = await issue(world, issuer)
    const request = { ...as(), headers: { 'idempotency-key': 'una vez' }, body: {} }
    const first = await world.post(linksOf(id), request)
    const again = await world.post(linksOf(id), request)
    expect(again.headers['svc-idempotent-replay']).toBe('true')
    expect(again.body).toEqual(first.body)
    expect(await statusAt(pathOf(first))).toBe(200)
  })

  it('201 takes an end, after which it works no more, by the clock of the account', async () => {
    const { id } = await issue(world, issuer)
    const soon = new Date(systemNow() + 3_600_000).toISOString()
    const sent = await mint(id, { expires_at: soon })
    expect(sent.body.expires_at).toBe(soon)
    expect(await statusAt(pathOf(sent))).toBe(200)
    await world.db.sql`
      insert into test_clock (account_id, empresa_id, offset_ms) values (${issuer.account}, ${issuer.empresa_id}, 3600000)`
    expect(await statusAt(pathOf(sent))).toBe(404)
    await world.db.sql`delete from test_clock where empresa_id = ${issuer.empresa_id}`
    expect(await statusAt(pathOf(sent))).toBe(200)
  })

  it('400 invalid_field for an end that has passed or is none, and for a cedible copy that does not exist', async () => {
    const { id } = await issue(world, issuer, { tipo_dte: 39 })
    for (const [body, param] of [
      [{ expires_at: '2020-01-01T00:00:00Z' }, 'expires_at'],
      [{ expires_at: 'mañana' }, 'expires_at'],
      [{ cedible: true }, 'cedible'],
    ] as const) {
      const sent = await mint(id, body)
      expect([...codeOf(sent), sent.body.error.param]).toEqual([400, 'invalid_field', param])
    }
  })

  it('404 document_not_found for a document of another empresa, whatever is done with its links', async () => {
    const other = await openIssuer(world, { account: issuer.account })
    const { id } = await issue(world, other)
    for (const method of ['POST', 'GET', 'DELETE']) {
      expect(codeOf(await world.call(method, linksOf(id), as()))).toEqual([404, 'document_not_found'])
    }
  })
})

describe('GET /documents/{document_id}/public_links', () => {
  it('200 lists what was minted, newest first, with what became of it and without any address', async () => {
    const { id } = await issue(world, issuer)
    const minted = [await mint(id), await mint(id), await mint(id, { cedible: true })]
    const sent = await issuer.get(linksOf(id))
    expect(sent.body.data.map((link: { id: string }) => link.id)).toEqual(minted.map(({ body }) => body.id).reverse())
    expect(sent.body.data.map((link: { revoked_at: string | null }) => link.revoked_at === null)).toEqual([
      true,
      true,
      false,
    ])
    expect(sent.text).not.toContain('/d/')
    const first = await issuer.get(`${linksOf(id)}?limit=2`)
    const rest = await issuer.get(`${linksOf(id)}?cursor=${first.body.next_cursor}`)
    expect([first.body.has_more, rest.body.data.length]).toEqual([true, 1])
  })

  it('400 invalid_cursor for the cursor of another document', async () => {
    const [one, other] = [await issue(world, issuer), await issue(world, issuer)]
    for (let i = 0; i < 2; i++) await mint(one.id)
    const { body } = await issuer.get(`${linksOf(one.id)}?limit=1`)
    expect(codeOf(await issuer.get(`${linksOf(other.id)}?cursor=${body.next_cursor}`))).toEqual([400, 'invalid_cursor'])
  })
})

describe('DELETE /documents/{document_id}/public_links', () => {
  it('204 revokes all of them at once, and again without harm', async () => {
    const { id } = await issue(world, issuer)
    const links = [await mint(id), await mint(id, { cedible: true })]
    for (let i = 0; i < 2; i++) expect((await world.delete(linksOf(id), as())).status).toBe(204)
    for (const link of links) expect(await statusAt(pathOf(link))).toBe(404)
    expect(await statusAt(pathOf(await mint(id)))).toBe(200)
  })

  it('204 also for an empresa that was archived: what is out in the world can always be taken back', async () => {
    const archived = await openIssuer(world, { scopes: ['documents:write', 'empresas:write'] })
    const { id } = await issue(world, archived)
    const link = await archived.post(linksOf(id), {})
    const { key, rut: empresa } = archived
    await world.patch(`/v1/empresas/${archived.empresa_id}`, { key, body: { status: 'archived' } })
    expect(await statusAt(pathOf(link))).toBe(200)
    expect((await world.delete(linksOf(id), { key, empresa })).status).toBe(204)
    expect(await statusAt(pathOf(link))).toBe(404)
  })
})
