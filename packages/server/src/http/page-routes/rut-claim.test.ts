import { randomUUID } from 'node:crypto'
import { readCaBundle } from '@timbre/dte/emission'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { HAS_CHROMIUM, openChromium } from '../../../test/support/chromium.ts'
import { IN_FULL } from '../../../test/support/in-full.ts'
import { letterTo, restOfPost } from '../../../test/support/mailbox.ts'
import {
  accreditedPfx,
  HOLDER_RUT,
  lockedPersonPfx,
  personPfx,
  selfSignedPfx,
} from '../../../test/support/person-pfx.ts'
import { unconnectedSii } from '../../../test/support/unconnected-sii.ts'
import { OPERATOR_EMAIL, openWorld, randomRut, type Sent, type World } from '../../../test/support/world.ts'
import { SCOPE_NAMES } from '../../catalog/scopes.ts'
import type { Database } from '../../kernel/db.ts'
import { SiiUnreachable } from '../../ports/sii.ts'
import { REACTIONS } from '../../reactions.ts'
import { rutClaimRoutes } from './rut-claim.ts'

const read = readCaBundle(accreditedPfx().ca)
if (!read.ok) throw new Error(read.refusal.message)
const authorities = read.value

const plain = (db: Database, parts: object) =>
  rutClaimRoutes({
    sql: db.sql,
    ...parts,
    reactions: REACTIONS,
    addresses: { public_url: 'http://timbre.test', operator_email: OPERATOR_EMAIL },
  } as never)

let world: World
beforeAll(async () => {
  world = await openWorld({ plain, live_sii: unconnectedSii(authorities) })
})
afterAll(() => world.close())

interface Party {
  readonly account: string
  readonly email: string
  readonly key: string
}

async function party(): Promise<Party> {
  const account = await world.account()
  const email = `${randomUUID()}@example.cl`
  await world.db.sql`update account set email = ${email}, name = 'Estudio <Contable>' where id = ${account}`
  return { account, email, key: await world.key(account, { mode: 'live', scopes: SCOPE_NAMES }) }
}

const BODY = { legal_name: 'Panadería Ñandú SpA', origen: 'mercado', giro: 'Panadería', contact_email: 'pan@nandu.cl' }
const create = ({ key }: Party, rut: string, body: object = BODY) =>
  world.post('/v1/empresas', { key, body: { rut, ...body } })
const pathOf = ({ body }: Sent) => new URL(body.error.details.takeover_url).pathname

/** A RUT that one account holds, and the page that another was told of. */
async function contested(rut = randomRut()) {
  const [squatter, asker] = [await party(), await party()]
  const held = (await create(squatter, rut, { legal_name: 'Ocupa SpA', origen: 'ninguno' })).body
  const refused = await create(asker, rut)
  return { rut, squatter, asker, held, refused, path: pathOf(refused) }
}

const refuse = async (): Promise<never> => {
  throw new SiiUnreachable('down')
}

function send(path: string, file: string, { password = '', agreed = 'yes', to = world } = {}): Promise<Sent> {
  const boundary = 'x-boundary'
  const part = (name: string, value: string, more = '') =>
    `--${boundary}\r\nContent-Disposition: form-data; name="${name}"${more}\r\n\r\n${value}\r\n`
  const bytes = Buffer.from(file, 'base64').toString('latin1')
  const raw = part('file', bytes, '; filename="firma.pfx"') + part('password', password) + part('agreed', agreed)
  const headers = { 'content-type': `multipart/form-data; boundary=${boundary}` }
  return to.post(path, { raw: Buffer.from(`${raw}--${boundary}--\r\n`, 'latin1'), headers })
}

const show = (id: string, { key }: Party) => world.get(`/v1/empresas/${id}`, { key })
const holders = (rut: string) => world.db.sql<{ account_id: string }>`
  select account_id from empresa where mode = 'live' and rut = ${rut} and not rut_released`

describe('the refusal of a RUT that another account holds', () => {
  it('409 empresa_exists names a page of the asking account and nothing of who holds it', async () => {
    const { refused, squatter, held, path } = await contested()
    expect([refused.status, refused.body.error.code]).toEqual([409, 'empresa_exists'])
    expect(Object.keys(refused.body.error.details).sort()).toEqual(['expires_at', 'takeover_url'])
    const page = await world.get(path)
    expect(page.status).toBe(200)
    expect(page.text).toContain('Estudio &lt;Contable&gt;')
    for (const text of [refused.text, page.text])
      for (const told of [squatter.account, squatter.email, held.id, 'Ocupa SpA']) expect(text).not.toContain(told)
    expect(page.text).not.toContain('<script')
    expect(page.headers['content-security-policy']).toContain("frame-ancestors 'none'")
    expect([page.headers['cache-control'], page.headers['referrer-policy']]).toEqual(['no-store', 'no-referrer'])
  })

  it('tells of no page to the account that holds it, nor in the sandbox', async () => {
    const { rut, squatter } = await contested()
    expect((await create(squatter, rut)).body.error.details).toBeUndefined()
    const [one, other] = [await world.key(await world.account()), await world.key(await world.account())]
    const body = { rut, legal_name: 'Prueba SpA' }
    await world.post('/v1/empresas', { key: one, body })
    const refused = await world.post('/v1/empresas', { key: other, body })
    expect([refused.status, refused.body.error.details]).toEqual([409, undefined])
  })
})

describe('the page where a taxpayer takes its RUT over', () => {
  it('200 with the certificate of the RUT: the empresa as it was asked for, the other archived, both told, nothing brought along', async () => {
    const { rut, squatter, asker, held, path } = await contested()
    await world.patch(`/v1/empresas/${held.id}/counterparties/76192083-9`, {
      key: squatter.key,
      body: { legal_name: 'De Ocupa' },
    })
    const done = await send(path, personPfx({ rut }))
    expect([done.status, done.text.includes('el RUT es tuyo')]).toEqual([200, true])
    expect(await holders(rut)).toEqual([{ account_id: asker.account }])

    const { data } = (await world.get('/v1/empresas', { key: asker.key })).body
    expect(data).toMatchObject([{ rut, ...BODY, status: 'active', reception_email: expect.stringContaining(rut) }])
    const [own] = data
    const certificate = await world.get(`/v1/empresas/${own.id}/certificate`, { key: asker.key })
    expect(certificate.body).toMatchObject({ holder: { rut }, chain: 'accredited' })
    const other = (await create(asker, randomRut())).body
    const reused = await world.post(`/v1/empresas/${other.id}/certificate`, {
      key: asker.key,
      body: { reuse: certificate.body.id },
    })
    expect([reused.status, reused.body.error.code]).toEqual([403, 'certificate_not_reusable'])
    await world.patch(`/v1/empresas/${other.id}`, { key: asker.key, body: { status: 'archived' } })
    const book = await world.get(`/v1/empresas/${own.id}/counterparties`, { key: asker.key })
    expect(book.body.data).toEqual([])
    const mine = (await world.get('/v1/events', { key: asker.key })).body.data.map(({ type }: { type: string }) => type)
    expect(mine).toEqual(expect.arrayContaining(['empresa.created', 'certificate.uploaded']))

    expect((await show(held.id, squatter)).body.status).toBe('archived')
    const archived = await world.get('/v1/events?type=empresa.archived', { key: squatter.key })
    expect(archived.body.data).toMatchObject([
      { data: { object: { id: held.id }, detail: { reason: 'rut_taken_over' } } },
    ])
    const jobs = await world.db
      .sql`select status from job where empresa_id = ${held.id} and name = 'empresa.watch_proof'`
    expect(jobs).toEqual([{ status: 'failed' }])
    await letterTo(world, asker.email, /ya está en tu cuenta/)
    const lost = await letterTo(world, squatter.email, /Archivamos la empresa/)
    for (const told of [asker.account, asker.email, own.id]) expect(lost.text).not.toContain(told)
    const audited = await world.db.sql`
      select account_id, action from audit_entry where empresa_rut = ${rut} and actor_kind = 'link' order by action`
    expect(audited).toEqual([
      { account_id: asker.account, action: 'certificate.upload' },
      { account_id: asker.account, action: 'empresas.create' },
      { account_id: squatter.account, action: 'empresas.update' },
    ])
    const former = await world.get(`/v1/empresas/${held.id}/onboarding/evidence?act=rut_taken_over`, {
      key: squatter.key,
    })
    expect(former.body.data).toMatchObject([{ actor: null, ip: null, user_agent: null, via: 'hosted_page' }])
    expect((await world.get(`/v1/empresas/${held.id}/onboarding`, { key: squatter.key })).body).toMatchObject({
      status: 'suspended',
      estimated_ready_at: null,
    })
    const again = [await world.get(path), await send(path, personPfx({ rut }))]
    for (const used of again)
      expect([used.status, used.text.includes('ya se usó'), used.text.includes(asker.email)]).toEqual([410, true, true])
    const evidence = await world.get(`/v1/empresas/${own.id}/onboarding/evidence`, { key: asker.key })
    expect(evidence.body.data).toMatchObject([
      {
        act: 'rut_taken_over',
        via: 'hosted_page',
        actor: { rut },
        ip: '127.0.0.1',
        document: { version: expect.stringMatching(/^takeover/) },
      },
      { act: 'certificate_uploaded', via: 'hosted_page', actor: { rut }, ip: '127.0.0.1' },
    ])
    const left = await world.db.sql`
      select object from lasting_change where account_id = ${asker.account} and empresa_id = ${own.id} order by object`
    expect(left).toEqual([{ object: 'certificate' }, { object: 'empresa' }])
  })

  it('200 for who signed its mandato on a page of ours, and 422 for whom the API named', async () => {
    for (const [via, status] of [
      ['hosted_page', 200],
      ['api', 422],
    ] as const) {
      const { held, path } = await contested()
      await world.db.sql`
        insert into mandato (account_id, empresa_id, mode, id, status, terms_version, signer_rut, signer_name, signer_role, via,
          signed_at)
        select account_id, id, mode, ${`man_${via}`}, 'signed', '1', ${HOLDER_RUT}, 'Ana Soto', 'representante_legal', ${via}, now()
        from empresa where id = ${held.id}`
      expect([via, (await send(path, personPfx())).status]).toEqual([via, status])
    }
  })

  it('asks the SII about whom the RUT is not: who may act for it there takes it from one that a signature alone proves', async () => {
    const logged_out: string[] = []
    let answer: () => Promise<boolean | null> = async () => true
    const taxpayer = { authorisationOf: refuse, worksOnPortal: refuse, recognises: () => answer() }
    const logOut = async ({ fingerprint }: { fingerprint: string }) => void logged_out.push(fingerprint)
    const live_sii = { ...unconnectedSii(authorities), taxpayer, logOut }
    const asking = await openWorld({ beside: world, plain, live_sii })
    const { rut, asker, held, path } = await contested()
    await world.db.sql`update empresa set rut_proof = 'signer', rut_proof_by = '11111111-1' where id = ${held.id}`
    const bring = () => send(path, personPfx(), { to: asking })
    for (const [said, status, words] of [
      [async () => false, 422, 'no nos dice que su titular lo represente'],
      [async () => null, 422, 'no nos dice que su titular lo represente'],
      [refuse, 503, 'este enlace sigue sirviendo'],
    ] as const) {
      answer = said
      const page = await bring()
      expect([page.status, page.text.includes(words)]).toEqual([status, true])
    }
    // Each session that was opened for the question is ended again.
    expect(logged_out).toHaveLength(3)
    answer = async () => true
    expect((await bring()).status).toBe(200)
    expect(logged_out).toHaveLength(3)
    expect(await holders(rut)).toEqual([{ account_id: asker.account }])
    const proofs = await world.db.sql`select rut_proof from empresa where rut = ${rut} and not rut_released`
    expect(proofs).toEqual([{ rut_proof: 'sii' }])
    await asking.close()
  })

  it('leaves nothing behind of a wrong password, of what nobody vouches for, of the wrong person, or without consent', async () => {
    const { rut, squatter, held, path } = await contested()
    for (const [file, more, said] of [
      [lockedPersonPfx('secreta-9431'), { password: 'otra-7711' }, 'La contraseña no abre'],
      [selfSignedPfx(), {}, 'Ninguna entidad acreditada'],
      [personPfx(), {}, 'el SII no nos dice que su titular lo represente'],
      [personPfx({ rut }), { agreed: 'no' }, 'marcar que estás de acuerdo'],
      [personPfx({ rut, valid_until: new Date('2021-01-01T00:00:00Z') }), {}, 'está vencido'],
      [Buffer.from('no es un pfx').toString('base64'), {}, 'No pudimos leer el archivo'],
    ] as const) {
      const page = await send(path, file, more)
      expect([page.status, page.text.includes(said)]).toEqual([422, true])
      expect(page.text).not.toMatch(/otra-7711|firma\.pfx/)
    }
    expect(await holders(rut)).toEqual([{ account_id: squatter.account }])
    expect((await show(held.id, squatter)).body.status).toBe('active')
    await restOfPost(world)
    expect(world.letters.filter(({ to }) => to === squatter.email)).toEqual([])
    expect(await world.db.sql`select 1 from certificate where holder_rut = ${rut}`).toEqual([])
    expect((await send(path, personPfx({ rut }))).status).toBe(200)
  })

  it('one of two who bring it at one instant wins, and the other is told that it is proven', async () => {
    const { rut, asker, path } = await contested()
    const other = await party()
    const sent = await Promise.all([
      send(path, personPfx({ rut })),
      send(pathOf(await create(other, rut)), personPfx({ rut })),
    ])
    expect(sent.map(({ status }) => status).sort()).toEqual([200, 409])
    const [winner, ...more] = await holders(rut)
    expect([[asker.account, other.account].includes(winner?.account_id ?? ''), more]).toEqual([true, []])
  })

  it('409 where the account that has it proved it as well: by the same certificate, or by emitting', async () => {
    const one = await contested()
    const file = personPfx({ rut: one.rut })
    await world.post(`/v1/empresas/${one.held.id}/certificate`, { key: one.squatter.key, body: { file, password: '' } })
    const emitting = await contested()
    await world.db.sql`update empresa set emitting_since = now() where id = ${emitting.held.id}`
    for (const { rut, path, held, squatter } of [one, emitting]) {
      const page = await send(path, personPfx({ rut }))
      expect([page.status, page.text.includes('archive la empresa')]).toEqual([409, true])
      expect((await show(held.id, squatter)).body.status).toBe('active')
    }
    // The road that it is told of: once archived, history does not keep the taxpayer out.
    await world.patch(`/v1/empresas/${emitting.held.id}`, { key: emitting.squatter.key, body: { status: 'archived' } })
    expect((await send(emitting.path, personPfx({ rut: emitting.rut }))).status).toBe(200)
  })

  it('takes it from a suspended empresa too, and within the 30 days of an archived one', async () => {
    const suspended = await contested()
    await world.db.sql`update empresa set status = 'suspended' where id = ${suspended.held.id}`
    const archived = await contested()
    await world.patch(`/v1/empresas/${archived.held.id}`, { key: archived.squatter.key, body: { status: 'archived' } })
    for (const { rut, path, asker } of [suspended, archived]) {
      expect((await send(path, personPfx({ rut }))).status).toBe(200)
      expect(await holders(rut)).toEqual([{ account_id: asker.account }])
    }
  })

  it('404 for any other slug, once it ended, and once the account that asked closed', async () => {
    const [ended, closed] = [await contested(), await contested()]
    await world.db.sql`update rut_claim set expires_at = now() - interval '1 minute' where rut = ${ended.rut}`
    await world.db.sql`update account set closed_at = now() - interval '1 minute' where id = ${closed.asker.account}`
    for (const path of [ended.path, closed.path, `/rut/${'a'.repeat(43)}`]) {
      expect((await world.get(path)).status).toBe(404)
      expect((await send(path, personPfx({ rut: ended.rut }))).status).toBe(404)
    }
  })

  it('503 where no root of an accredited CA is loaded: nothing can be proven', async () => {
    const other = await openWorld({ beside: world, plain, live_sii: unconnectedSii() })
    const { path } = await contested()
    const page = await other.get(path)
    expect([page.status, page.text.includes('no se puede probar nada')]).toEqual([503, true])
    await other.close()
  })

  it('429 after twenty tries in an hour, over all the pages of an account', async () => {
    const strict = await openWorld({
      beside: world,
      plain,
      live_sii: unconnectedSii(authorities),
      unlimited: false,
    })
    const { rut, asker, path } = await contested()
    const second = pathOf(await create(asker, rut))
    const raw = '--b\r\nContent-Disposition: form-data; name="agreed"\r\n\r\nno\r\n--b--\r\n'
    const headers = { 'content-type': 'multipart/form-data; boundary=b' }
    const statuses = []
    for (let i = 0; i < 21; i++) statuses.push((await strict.post(i % 2 ? path : second, { raw, headers })).status)
    expect(statuses).toEqual([...Array(20).fill(422), 429])
    await strict.close()
  })
})

describe.runIf(HAS_CHROMIUM && IN_FULL)('the same page in a browser', () => {
  it('takes the file as a browser sends it, from a phone, and shows nothing of what was typed when it refuses', async () => {
    const { rut, asker, refused } = await contested()
    const browser = await openChromium(await world.app.http.listen({ host: '127.0.0.1', port: 0 }))
    try {
      const page = await (await browser.newContext({ viewport: { width: 375, height: 760 } })).newPage()
      await page.goto(refused.body.error.details.takeover_url)
      const bring = async (file: string) => {
        const buffer = Buffer.from(file, 'base64')
        await page.setInputFiles('input[type=file]', { name: 'firma.pfx', mimeType: 'application/x-pkcs12', buffer })
        await page.fill('input[type=password]', 'secreta-9431')
        await page.check('input[type=checkbox]')
        await page.click('button')
      }
      await bring(personPfx())
      expect(await page.textContent('[role=alert]')).toContain('no es el del RUT')
      expect(await page.inputValue('input[type=password]')).toBe('')
      expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true)
      await bring(personPfx({ rut }))
      expect(await page.textContent('h1')).toContain('el RUT es tuyo')
    } finally {
      await browser.close()
    }
    expect(await holders(rut)).toEqual([{ account_id: asker.account }])
  })
})
