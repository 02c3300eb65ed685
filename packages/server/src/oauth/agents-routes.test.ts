import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { grantTo, rpc, useTool } from '../../test/support/agent-grant.ts'
import { type Issuer, openIssuer } from '../../test/support/issuer.ts'
import { Browser, newPerson, type Person } from '../../test/support/oauth-client.ts'
import { openWorld, randomRut, type World } from '../../test/support/world.ts'
import { systemNow } from '../kernel/clock.ts'
import { idFloor } from '../kernel/id.ts'

let world: World
beforeAll(async () => {
  world = await openWorld()
})
afterAll(() => world.close())

/** A person who is signed in at the pages of their agents. */
async function signedIn(person: Person): Promise<Browser> {
  const browser = new Browser(world)
  const { email, password } = person
  expect((await browser.open('/agentes', { email, password })).status).toBe(303)
  return browser
}

/** A person, an empresa of theirs to issue with, and their browser. */
async function owner() {
  const person = await newPerson(world)
  const key = await world.key(person.account_id)
  const rut = randomRut()
  await world.post('/v1/empresas', { key, body: { rut, legal_name: 'Panadería Ñandú Ltda' } })
  return { person, rut, browser: await signedIn(person) }
}

const boleta = (empresa_rut: string, unit_price: number) => ({
  empresa_rut,
  tipo_dte: 39,
  items: [{ description: 'Café', quantity: 1, unit_price }],
})

describe('/agentes', () => {
  it('asks a stranger for the account, 401 for a wrong password, and leads to the agent that was asked for', async () => {
    const person = await newPerson(world)
    const { id } = await grantTo(world, person.account_id)
    const browser = new Browser(world)
    const asked = await browser.open(`/agentes/${id}`)
    expect(asked.text).toContain(`name="agente" value="${id}"`)
    expect(asked.text).not.toContain('Asistente de prueba')
    const { email, password } = person
    const wrong = await browser.open('/agentes', { email, password: 'no es esta clave', agente: id })
    expect([wrong.status, wrong.text.includes(`value="${id}"`)]).toEqual([401, true])
    const entered = await browser.open('/agentes', { email, password, agente: id })
    expect([entered.status, entered.headers.location]).toEqual([303, `/agentes/${id}`])
    expect((await browser.open('/agentes', { email, password, agente: '//mala.example' })).headers.location).toBe(
      '/agentes',
    )
    expect((await browser.open(`/agentes/${id}`)).text).toContain('Asistente de prueba')
  })

  it('keeps the session in a cookie of these pages alone, out of reach of scripts, and ends it on the way out', async () => {
    const person = await newPerson(world)
    const { email, password } = person
    const browser = new Browser(world)
    const sent = await browser.open('/agentes', { email, password })
    const cookie = String(sent.headers['set-cookie'])
    for (const part of ['Path=/agentes;', 'HttpOnly', 'SameSite=Lax', 'Max-Age=3600']) expect(cookie).toContain(part)
    const kept = cookie.split(';')[0] ?? ''
    const open = () => world.get('/agentes', { headers: { cookie: kept } })
    const page = await open()
    expect(page.text).toContain('Entraste como')
    expect(page.headers).toMatchObject({ 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' })
    expect((await browser.open('/agentes/salir', {})).status).toBe(303)
    expect((await open()).text).not.toContain('Entraste como')
  })

  it('lists the agents of both modes that have access, and on demand those that had', async () => {
    const { person, rut, browser } = await owner()
    const live = await grantTo(world, person.account_id, { mode: 'live', empresas: ['76192083-9'] })
    const test = await grantTo(world, person.account_id, { empresas: [rut], max_clp_per_day: 50_000 })
    const gone = await grantTo(world, person.account_id)
    await world.db.sql`update agent_grant set revoked_at = now() where id = ${gone.id}`
    const stranger = await grantTo(world, (await newPerson(world)).account_id)
    const idsIn = (text: string) => [live, test, gone, stranger].map(({ id }) => text.includes(`id="${id}"`))
    const { text } = await browser.open('/agentes')
    expect(idsIn(text)).toEqual([true, true, false, false])
    expect(text).toContain('Panadería Ñandú Ltda (')
    expect(text).toContain('$ 0; le quedan $ 50.000')
    expect(idsIn((await browser.open('/agentes?todos=si')).text)).toEqual([true, true, true, false])
  })

  it('says that nobody has access where nobody has, and not that these do', async () => {
    const browser = await signedIn(await newPerson(world))
    const { text } = await browser.open('/agentes')
    expect(text).toContain('Ningún agente tiene acceso a tu cuenta.')
    expect(text).not.toContain('Estos agentes')
    expect((await browser.open('/agentes?modo=live')).text).not.toContain('Ningún agente tiene acceso a tu cuenta.')
    expect((await browser.open('/agentes?todos=si')).text).toContain('Nunca le diste acceso a un agente.')
  })

  it('shows five hundred agents page by page, each once', async () => {
    const person = await newPerson(world)
    const first = await grantTo(world, person.account_id)
    await world.db.sql`
      insert into agent_grant (id, account_id, mode, client_id, client_name, client_host, scopes, empresas, two_steps, created_at,
        expires_at)
      select 'agr_' || lpad(n::text, 26, '0'), account_id, mode, client_id, 'Agente ' || n, client_host, scopes, empresas,
        two_steps, created_at, expires_at
      from agent_grant, generate_series(1, 499) n where id = ${first.id}`
    const browser = await signedIn(person)
    const seen: string[] = []
    let next: string | null = '/agentes?modo=test'
    while (next !== null && seen.length <= 500) {
      const { text }: { text: string } = await browser.open(next)
      const ids = [...text.matchAll(/<h3 class="from" id="(\w+)"/g)].map(([, id = '']) => id)
      expect(ids.length).toBeLessThanOrEqual(20)
      seen.push(...ids)
      next = /href="([^"]+)">Ver los siguientes/.exec(text)?.[1]?.replaceAll('&amp;', '&') ?? null
    }
    expect([seen.length, new Set(seen).size]).toEqual([500, 500])
    // A place of another list begins again.
    expect((await browser.open('/agentes?modo=test&desde=cur_x')).text).toContain(first.id)
  })

  it('shows a hostile name as text, apart from what stands beside it', async () => {
    const person = await newPerson(world)
    const { id } = await grantTo(world, person.account_id)
    const name = `<script>alert(1)</script>"'&\u202e\u0627\u0644${'W'.repeat(200)}`
    await world.db.sql`update agent_grant set client_name = ${name} where id = ${id}`
    const browser = await signedIn(person)
    for (const path of ['/agentes', `/agentes/${id}`, `/agentes/${id}/quitar`]) {
      const { text, headers } = await browser.open(path)
      expect(text).toContain('<bdi>&lt;script&gt;alert(1)&lt;/script&gt;&quot;&#39;&amp;')
      expect(text).not.toContain('<script')
      expect(headers['content-security-policy']).toContain("default-src 'none'")
    }
  })
})

describe('/agentes/{grant_id}', () => {
  let issuer: Issuer
  let person: Person
  beforeAll(async () => {
    person = await newPerson(world)
    issuer = await openIssuer(world, { account: person.account_id })
  })
  const linesOf = (text: string) =>
    [...text.matchAll(/<li><span>(.*?)<\/li>/gs)].map(([, line = '']) =>
      line.replace(/<[^>]+>/g, ' ').replace(/\s+/g, ' '),
    )

  it('tells what the agent did, with the document and its amount, and what it was refused and why', async () => {
    const options = {
      two_steps: false,
      max_clp_per_document: 5_000,
      scopes: ['documents:read', 'documents:write'],
    } as const
    const { id, token } = await grantTo(world, person.account_id, options)
    const issue = (price: number, idempotency_key: string) =>
      useTool(world, token, 'documents_create', { ...boleta(issuer.rut, price), idempotency_key })
    const made = (await issue(1_990, 'una')).structuredContent
    expect((await issue(1_990, 'una')).structuredContent.id).toBe(made.id)
    for (const key of ['dos', 'tres', 'cuatro']) expect((await issue(9_000, key)).isError).toBe(true)
    await useTool(world, token, 'documents_public_links_create', { empresa_rut: issuer.rut, document_id: made.id })
    await useTool(world, token, 'documents_list', { empresa_rut: issuer.rut })
    await useTool(world, token, 'documents_previews_create', boleta(issuer.rut, 100))
    await rpc(world, token, 'tools/call', { name: 'webhook_endpoints_create', arguments: { url: 'https://a.example' } })
    const { text } = await (await signedIn(person)).open(`/agentes/${id}`)
    const lines = linesOf(text)
    expect(lines).toHaveLength(4)
    expect(lines[0]).toMatch(/^Quiso crear un aviso a otro sistema No pasó: no le diste ese permiso\./)
    expect(lines[1]).toMatch(/^Creó un enlace público de Boleta electrónica/)
    expect(lines[2]).toMatch(
      /^Quiso emitir un documento No pasó: superaba el tope por documento \(3 veces\)\..*\$ 9\.000/,
    )
    expect(lines[3]).toMatch(/^Emitió Boleta electrónica.*\$ 1\.990/)
  })

  it('counts nothing that was only shown before it is confirmed, and once what is confirmed twice', async () => {
    const { id, token } = await grantTo(world, person.account_id)
    const browser = await signedIn(person)
    const acts = async () => linesOf((await browser.open(`/agentes/${id}`)).text)
    const shown = (await useTool(world, token, 'documents_create', boleta(issuer.rut, 500))).structuredContent
    expect(await acts()).toEqual([])
    const confirmed = { ...boleta(issuer.rut, 500), confirmation: shown.confirmation.token }
    for (let times = 0; times < 2; times++) await useTool(world, token, 'documents_create', confirmed)
    expect(await acts()).toHaveLength(1)
    await useTool(world, token, 'documents_create', { ...confirmed, tipo_dte: 41 })
    expect((await acts())[0]).toContain('no era lo que se había mostrado')
  })

  it('shows older acts page by page', async () => {
    const { id } = await grantTo(world, person.account_id)
    await world.db.sql`
      insert into agent_act (id, account_id, mode, grant_id, operation, outcome, created_at)
      select ${idFloor('agent_act', new Date(systemNow())).slice(0, 14)} || lpad(n::text, 16, '0'), ${person.account_id}, 'test', ${id}, 'folios.request', 'done',
        now() from generate_series(1, 45) n`
    const browser = await signedIn(person)
    const sizes: number[] = []
    let next: string | null = `/agentes/${id}`
    while (next !== null && sizes.length < 5) {
      const { text }: { text: string } = await browser.open(next)
      sizes.push(linesOf(text).length)
      next = /href="([^"]+)">Ver lo anterior/.exec(text)?.[1] ?? null
    }
    expect(sizes).toEqual([20, 20, 5])
  })

  it('404 for the agent of another account, which goes on, and for what is no agent', async () => {
    const other = await grantTo(world, (await newPerson(world)).account_id)
    const browser = await signedIn(person)
    for (const id of [other.id, 'agr_x', 'x', `agr_${'0'.repeat(26)}`]) {
      const statuses = [
        (await browser.open(`/agentes/${id}`)).status,
        (await browser.open(`/agentes/${id}/quitar`)).status,
        (await browser.open(`/agentes/${id}/quitar`, {})).status,
        (await browser.open(`/agentes/${id}`, {})).status,
      ]
      expect([id, ...statuses]).toEqual([id, 404, 404, 404, 404])
    }
    expect((await rpc(world, other.token, 'tools/list')).status).toBe(200)
  })

  it('asks before it ends an agent, ends it at once, and tells the audit log who did', async () => {
    const { id, token } = await grantTo(world, person.account_id, { two_steps: false })
    await useTool(world, token, 'webhook_endpoints_create', { url: 'https://avisos.example/x' })
    const browser = await signedIn(person)
    const asked = await browser.open(`/agentes/${id}/quitar`)
    expect(asked.text).toContain('¿Quitarle el acceso?')
    expect(asked.text).toMatch(/dejan de funcionar:<\/p>\s*<ul><li><bdi>Aviso a avisos\.example/)
    expect((await rpc(world, token, 'tools/list')).status).toBe(200)
    const foreign = { 'sec-fetch-site': '', origin: 'https://mala.example' }
    expect((await browser.open(`/agentes/${id}/quitar`, {}, foreign)).status).toBe(403)
    expect((await rpc(world, token, 'tools/list')).status).toBe(200)
    const done = await browser.follow(`/agentes/${id}/quitar`, {})
    expect(done.text).toContain('Listo, ya no tiene acceso')
    expect((await rpc(world, token, 'tools/list')).status).toBe(401)
    expect((await browser.follow(`/agentes/${id}/quitar`)).text).toContain('se le quitó')
    const entries = await world.db.sql`
      select actor_kind, outcome from audit_entry where action = 'agent_grants.revoke' and subject = ${id}`
    expect(entries).toEqual([{ actor_kind: 'session', outcome: 'succeeded' }])
    const events = await world.db.sql`
      select 1 from event where type = 'agent_grant.revoked' and account_id = ${person.account_id}`
    expect(events.length).toBeGreaterThan(0)
  })

  it('ends nothing for whoever is not signed in, nor once the session was ended elsewhere', async () => {
    const { id, token } = await grantTo(world, person.account_id)
    expect((await new Browser(world).open(`/agentes/${id}/quitar`, {})).text).toContain('name="password"')
    const browser = await signedIn(person)
    await world.db.sql`update session set revoked_at = now() where account_id = ${person.account_id}`
    expect((await browser.open(`/agentes/${id}/quitar`, {})).text).toContain('name="password"')
    expect((await rpc(world, token, 'tools/list')).status).toBe(200)
  })
})
