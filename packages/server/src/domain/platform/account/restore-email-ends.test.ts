import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { grantTo, rpc } from '../../../../test/support/agent-grant.ts'
import { confirmed, letterTo, newPerson, tokenIn } from '../../../../test/support/mailbox.ts'
import { personPfx } from '../../../../test/support/person-pfx.ts'
import { openRecoveryWorld, recoveryIn } from '../../../../test/support/recovery.ts'
import { randomRut, type World } from '../../../../test/support/world.ts'

let world: World
beforeAll(async () => {
  world = await openRecoveryWorld()
})
afterAll(() => world.close())

const { post, verify, restore, works, moving, mint, intruder } = recoveryIn(() => world)

describe('what POST /account/restore_email ends and names', () => {
  it('200 ends the keys, grants and endpoints made since that change, keeps older ones, and says so', async () => {
    const ana = await confirmed(world, await newPerson(world))
    const own = await mint(ana.token, ['documents:read', 'webhooks:write'], 'live')
    const hook = { body: { url: 'https://ana.example/' } }
    expect((await world.post('/v1/webhook_endpoints', { ...hook, key: own })).status).toBe(201)
    const email = `ladron-${ana.email}`
    const thief = await intruder(ana)
    await verify(await moving(thief, email))
    const link = tokenIn(await letterTo(world, ana.email, /Cambió el correo/))
    await verify(await moving(thief, `tercera-${ana.email}`))
    const root = await mint(thief.token, ['keys:write', 'documents:read', 'webhooks:write'], 'live')
    const minted = await world.post('/v1/api_keys', { key: root, body: { name: 'b', scopes: ['documents:read'] } })
    expect((await world.post('/v1/webhook_endpoints', { ...hook, key: own })).status).toBe(201)
    const agent = await grantTo(world, ana.account_id)
    const { ended } = (await restore(link)).body.data
    expect(ended).toMatchObject({ sessions: 2, links: 1, api_keys: 2, agent_grants: 1, webhook_endpoints: 1 })
    expect([await works(root), await works(minted.body.secret), await works(own)]).toEqual([401, 401, 200])
    expect((await rpc(world, agent.token, 'tools/list')).status).toBe(401)
    const left = await world.db.sql`select 1 from webhook_endpoint where account_id = ${ana.account_id}`
    expect(left).toHaveLength(1)
    expect((await letterTo(world, ana.email, /volvió a este correo/)).text).toContain('Claves de API terminadas: 2')
  })

  it('200 ends what was rolled, and what was made or changed since the session that asked for the change', async () => {
    const ana = await confirmed(world, await newPerson(world))
    const scopes = ['keys:write', 'documents:read', 'webhooks:write', 'webhooks:read']
    const root = await mint(ana.token, scopes, 'live')
    const child = await world.post('/v1/api_keys', { key: root, body: { name: 'hija', scopes: ['documents:read'] } })
    const hook = async (url: string) =>
      (await world.post('/v1/webhook_endpoints', { key: root, body: { url } })).body.id
    const moved = await hook('https://ana.example/1')
    const rotated = await hook('https://ana.example/2')
    const untouched = await hook('https://ana.example/3')
    const { id } = (await world.get('/v1/account', { key: root })).body.key

    const thief = await intruder(ana)
    const by = { session: thief.token, mode: 'live' }
    const early = await mint(thief.token, scopes, 'live')
    const change = await moving(thief, `ladron-${ana.email}`)
    const between = await mint(thief.token, scopes, 'live')
    await verify(change)
    const rolled = (await world.post(`/dashboard/api_keys/${id}/roll`, by)).body.secret
    await world.patch(`/dashboard/webhook_endpoints/${moved}`, { ...by, body: { url: 'https://ladron.example/' } })
    await world.post(`/dashboard/webhook_endpoints/${rotated}/rotate_secret`, by)

    const link = tokenIn(await letterTo(world, ana.email, /Cambió el correo/))
    const { ended, kept } = (await restore(link)).body.data
    expect(ended).toMatchObject({ api_keys: 3, webhook_endpoints: 0, webhook_endpoints_disabled: 2 })
    expect(kept).toMatchObject({ api_keys: 1, webhook_endpoints: 1 })
    for (const key of [early, between, rolled, root]) expect(await works(key)).toBe(401)
    expect(await works(child.body.secret)).toBe(200)
    const hooks = await world.db.sql<{ id: string; status: string; disabled_reason: string | null }>`
      select id, status, disabled_reason from webhook_endpoint where account_id = ${ana.account_id} order by id`
    expect(hooks).toEqual([
      { id: moved, status: 'disabled', disabled_reason: 'account_recovered' },
      { id: rotated, status: 'disabled', disabled_reason: 'account_recovered' },
      { id: untouched, status: 'enabled', disabled_reason: null },
    ])
    const told = await world.db.sql`
      select 1 from event where account_id = ${ana.account_id} and type = 'webhook_endpoint.disabled'`
    expect(told).toHaveLength(2)
    const { text } = await letterTo(world, ana.email, /volvió a este correo/)
    expect(text).toMatch(/Clave una \(….{4}\) \(producción\): terminó/)
    expect(text).toContain('Aviso a https://ladron.example/ (producción): desactivado')
    expect(text).toMatch(/Clave hija \(….{4}\) \(producción\): sigue/)
    expect(text).toContain('Aviso a https://ana.example/3 (producción): sigue')
  })

  it('ends what an earlier session from a strange network made, though it ended, and not what the owner made before', async () => {
    const ana = await confirmed(world, await newPerson(world))
    const own = await mint(ana.token, ['documents:read'])
    const { email, password } = ana
    const enter = async () => {
      const { token } = (
        await world.app.http.inject({
          method: 'POST',
          url: '/account/login',
          remoteAddress: '203.0.113.77',
          payload: { email, password },
        })
      ).json().data
      const { id } = (await world.get('/account/session', { session: token })).body.data
      await world.db.sql`update session set created_at = ${new Date()} where id = ${id}`
      return { ...ana, token }
    }
    const first = await enter()
    const early = await mint(first.token, ['keys:write', 'documents:read'])
    await post('/account/logout', {}, first.token)
    const second = await enter()
    await verify(await moving(second, `ladron-${email}`))
    const { ended } = (await restore(tokenIn(await letterTo(world, email, /Cambió el correo/)))).body.data
    expect(ended.api_keys).toBe(1)
    expect([await works(early), await works(own)]).toEqual([401, 200])
  })

  it('counts the contacts that were made or changed since, in the answer and in the letter', async () => {
    const ana = await confirmed(world, await newPerson(world))
    const as = (session: string) => ({ session, mode: 'test' })
    const body = { rut: randomRut(), legal_name: 'Uno SpA' }
    const empresa = (await world.post('/dashboard/empresas', { ...as(ana.token), body })).body.id
    const path = `/dashboard/empresas/${empresa}/counterparties/76192083-9/contacts`
    const add = async (session: string, email: string) =>
      (await world.post(path, { ...as(session), body: { email, primary: true } })).body.id
    const [changed] = [await add(ana.token, 'uno@example.cl'), await add(ana.token, 'dos@example.cl')]
    const thief = await intruder(ana)
    await world.patch(`${path}/${changed}`, { ...as(thief.token), body: { email: 'mal@example.cl' } })
    await add(thief.token, 'peor@example.cl')
    await verify(await moving(thief, `ladron-${ana.email}`))
    const { kept } = (await restore(tokenIn(await letterTo(world, ana.email, /Cambió el correo/)))).body.data
    expect(kept.contacts_changed).toBe(2)
    const { text } = await letterTo(world, ana.email, /volvió a este correo/)
    expect(text).toContain('Contactos creados o cambiados en ese tiempo: 2: revisa quién recibe tus documentos')
  })

  it('names the empresas, branding and automation that were changed since, in the answer and in the letter', async () => {
    const ana = await confirmed(world, await newPerson(world))
    const as = (session: string) => ({ session, mode: 'test' })
    const make = async (legal_name: string) =>
      (await world.post('/dashboard/empresas', { ...as(ana.token), body: { rut: randomRut(), legal_name } })).body.id
    const [hit, spared] = [await make('Golpeada SpA'), await make('Intacta SpA')]
    const set = async (session: string, id: string, footer_text: string) => {
      await world.patch(`/dashboard/empresas/${id}/branding`, { ...as(session), body: { footer_text } })
      const body = { email_documents_on_acceptance: true }
      await world.patch(`/dashboard/empresas/${id}/automation_settings`, { ...as(session), body })
    }
    const custody = async (session: string, id: string) => {
      const file = { file: personPfx(), password: 'x' }
      const clave = { rut: '11111111-1', password: 'x' }
      expect((await world.post(`/dashboard/empresas/${id}/certificate`, { ...as(session), body: file })).status).toBe(
        201,
      )
      expect(
        (await world.post(`/dashboard/empresas/${id}/sfg_credential`, { ...as(session), body: clave })).status,
      ).toBe(201)
    }
    await set(ana.token, spared, 'Gracias por su compra')
    await custody(ana.token, spared)
    await custody(ana.token, hit)
    const thief = await intruder(ana)
    await set(thief.token, hit, 'Pague a la cuenta 123')
    await custody(thief.token, hit)
    const evil = await mint(thief.token, ['empresas:write'])
    await world.patch(`/v1/empresas/${hit}`, { key: evil, body: { contact_email: 'mal@example.cl' } })
    await verify(await moving(thief, `ladron-${ana.email}`))
    const { ended, kept } = (await restore(tokenIn(await letterTo(world, ana.email, /Cambió el correo/)))).body.data
    expect(kept).toMatchObject({ empresas_changed: 1, branding_changed: 1, automation_settings_changed: 1 })
    expect(kept).toMatchObject({ certificates_changed: 0, sfg_credentials_changed: 0 })
    const item = { id: hit, mode: 'test', name: 'Golpeada SpA', status: 'changed' }
    expect(kept.items).toEqual([
      { object: 'empresa', ...item },
      { object: 'branding', ...item },
      { object: 'automation_settings', ...item },
    ])
    expect(ended).toMatchObject({ certificates: 1, sfg_credentials: 1 })
    expect(ended.items.filter(({ object }: { object: string }) => object !== 'api_key')).toEqual([
      { object: 'certificate', ...item, status: 'ended' },
      { object: 'sfg_credential', ...item, status: 'ended' },
    ])
    const again = await world.session(ana.account_id)
    for (const [id, status] of [
      [hit, 404],
      [spared, 200],
    ] as const) {
      for (const what of ['certificate', 'sfg_credential'])
        expect((await world.get(`/dashboard/empresas/${id}/${what}`, as(again))).status, what).toBe(status)
    }
    const { text } = await letterTo(world, ana.email, /volvió a este correo/)
    expect(text).toContain('Certificados retirados: 1: sube el tuyo de nuevo')
    expect(text).toContain('Certificado de Golpeada SpA (prueba): terminó')
    expect(text).toContain('Logos y textos al pie cambiados en ese tiempo: 1: revisa qué dicen tus documentos')
    expect(text).toContain('Logo y texto al pie de Golpeada SpA (prueba): se creó o cambió en ese tiempo')
    expect(text).toContain('Automatizaciones de Golpeada SpA (prueba): se creó o cambió en ese tiempo')
    expect(text).not.toContain('Intacta')
  })

  it('ends a certificate that was handed over on a page whose link an intruder minted', async () => {
    const ana = await confirmed(world, await newPerson(world))
    const as = (session: string) => ({ session, mode: 'live' })
    const body = { rut: randomRut(), legal_name: 'Golpeada SpA', origen: 'ninguno' }
    const { id } = (await world.post('/dashboard/empresas', { ...as(ana.token), body })).body
    const { version: terms_version } = (await world.get('/v1/mandato_terms')).body
    const signer = { rut: '12345678-5', name: 'Rosa Pérez', role: 'representante_legal' }
    await world.post(`/dashboard/empresas/${id}/mandato`, { ...as(ana.token), body: { terms_version, signer } })
    const thief = await intruder(ana)
    const minted = await world.post(`/dashboard/empresas/${id}/onboarding/links`, {
      ...as(thief.token),
      body: { step: 'certificate' },
    })
    const part = (name: string, value: string, more = '') =>
      `--x-boundary\r\nContent-Disposition: form-data; name="${name}"${more}\r\n\r\n${value}\r\n`
    const file = Buffer.from(personPfx(), 'base64').toString('latin1')
    const raw = `${part('act', 'certificate')}${part('password', 'x')}${part('file', file, '; filename="a.pfx"')}--x-boundary--\r\n`
    const sent = await world.post(new URL(minted.body.url).pathname, {
      raw: Buffer.from(raw, 'latin1'),
      headers: { 'content-type': 'multipart/form-data; boundary=x-boundary' },
    })
    expect(sent.text).toContain('el certificado quedó guardado')
    await verify(await moving(thief, `ladron-${ana.email}`))
    const { ended } = (await restore(tokenIn(await letterTo(world, ana.email, /Cambió el correo/)))).body.data
    expect(ended.certificates).toBe(1)
    const again = await world.session(ana.account_id)
    expect((await world.get(`/dashboard/empresas/${id}/certificate`, as(again))).status).toBe(404)
  })

  it('names what an intruder deleted, renamed or pointed at another bank, and ends the banks it linked', async () => {
    const ana = await confirmed(world, await newPerson(world))
    const as = (session: string) => ({ session, mode: 'test' })
    const rut = randomRut()
    const body = { rut, legal_name: 'Golpeada SpA' }
    const { id } = (await world.post('/dashboard/empresas', { ...as(ana.token), body })).body
    const on = (session: string) => ({ ...as(session), empresa: rut })
    const link = async (session: string, connection_id: string) =>
      world.post(`/dashboard/connections/${connection_id}/exchange`, {
        ...on(session),
        body: { exchange_token: 'sandbox_banco_prueba' },
      })
    const connect = async (session: string) => {
      const made = await world.post('/dashboard/connections', { ...on(session), body: {} })
      expect((await link(session, made.body.id)).status).toBe(200)
      return made.body.id
    }
    const [own, relinked] = [await connect(ana.token), await connect(ana.token)]
    await world.db.sql`update connection set status = 'needs_reconnect' where id = ${relinked}`
    const hook = await world.post('/dashboard/webhook_endpoints', {
      ...as(ana.token),
      body: { url: 'https://ana.example/avisos' },
    })
    const [caf] = (await world.get('/dashboard/cafs', on(ana.token))).body.data
    const thief = await intruder(ana)
    const theirs = await connect(thief.token)
    await world.post(`/dashboard/connections/${relinked}/reconnect`, on(thief.token))
    expect((await link(thief.token, relinked)).status).toBe(200)
    await world.patch(`/dashboard/empresas/${id}/counterparties/77123456-9`, {
      ...as(thief.token),
      body: { legal_name: 'Mal Vado' },
    })
    await world.delete(`/dashboard/webhook_endpoints/${hook.body.id}`, as(thief.token))
    if (caf) await world.delete(`/dashboard/cafs/${caf.id}`, on(thief.token))
    await verify(await moving(thief, `ladron-${ana.email}`))
    const { ended, kept } = (await restore(tokenIn(await letterTo(world, ana.email, /Cambió el correo/)))).body.data
    expect(ended).toMatchObject({ connections: 1, connections_disabled: 1 })
    const named = (items: { object: string; name: string; status: string }[]) =>
      items.map(({ object, name, status }) => `${object} ${name} ${status}`)
    expect(named(ended.items)).toEqual([
      'connection Banco de Prueba · Golpeada SpA ended',
      'connection Banco de Prueba · Golpeada SpA disabled',
    ])
    expect(named(kept.items)).toEqual([
      ...(caf ? [`caf tipo ${caf.tipo_dte}, folios ${caf.from} a ${caf.to} · Golpeada SpA deleted`] : []),
      'counterparty Mal Vado (77.123.456-9) · Golpeada SpA changed',
      'webhook_endpoint ana.example/avisos deleted',
    ])
    const again = await world.session(ana.account_id)
    const statusOf = async (one: string) => {
      const read = await world.get(`/dashboard/connections/${one}`, on(again))
      return read.body.status ?? read.status
    }
    expect([await statusOf(own), await statusOf(relinked), await statusOf(theirs)]).toEqual([
      'active',
      'needs_reconnect',
      404,
    ])
    const secrets = await world.db.sql`
      select 1 from connection where id = any(${[relinked, theirs]}) and link_token is not null`
    expect(secrets).toEqual([])
    // At the provider too: the job runs, though nobody was admitted to the account.
    const links = () => world.db.sql<object>`select 1 from sandbox_bank_link where empresa_id = ${id}`
    await expect.poll(async () => (await links()).length).toBe(1)
    const { text } = await letterTo(world, ana.email, /volvió a este correo/)
    expect(text).toContain('Cliente o proveedor Mal Vado (77.123.456-9) · Golpeada SpA (prueba): se creó o cambió')
    expect(text).toContain('Aviso a ana.example/avisos (prueba): se borró o dio de baja en ese tiempo')
    expect(text).toContain('Conexiones con bancos detenidas: 1: conecta el banco de nuevo')
  })

  it('ends public links and pages to link a bank, and keeps older ones', async () => {
    const ana = await confirmed(world, await newPerson(world))
    const pages = async (session: string) => {
      const rut = randomRut()
      const as = { session, mode: 'test' }
      await world.post('/dashboard/empresas', { ...as, body: { rut, legal_name: 'Uno SpA' } })
      await world.post('/dashboard/tax/f29/proposals/2026-09/recompute', { ...as, empresa: rut, body: {} })
      const shared = await world.post('/dashboard/tax/f29/proposals/2026-09/public_links', {
        ...as,
        empresa: rut,
        body: {},
      })
      const bank = await world.post('/dashboard/connections', { ...as, empresa: rut, body: {} })
      expect([shared.status, bank.status]).toEqual([201, 201])
      return { shared: shared.body.id as string, bank: bank.body.id as string }
    }
    const older = await pages(ana.token)
    const thief = await intruder(ana)
    await verify(await moving(thief, `ladron-${ana.email}`))
    const newer = await pages(thief.token)
    const link = tokenIn(await letterTo(world, ana.email, /Cambió el correo/))
    expect((await restore(link)).body.data.ended).toMatchObject({ public_links: 1, bank_pages: 1 })
    const open = await world.db.sql<{ id: string }>`
      select id from public_link where account_id = ${ana.account_id} and revoked_at is null
      union all select id from connection where account_id = ${ana.account_id} and connect_hash is not null`
    expect(open.map(({ id }) => id).sort()).toEqual([older.shared, older.bank].sort())
    expect(newer).not.toEqual(older)
  })
})

describe('the jobs that a recovery leaves', () => {
  it('belong to the account and the mode of their empresa, whatever was taken back', async () => {
    const lost = await world.db.sql`
      select name from job where empresa_id is not null and (account_id is null or mode is null)`
    expect(lost).toEqual([])
  })
})
