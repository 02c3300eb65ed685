import { createHmac } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ALLOW, asking, Browser, newPerson, type Person, register, toConsent } from '../../test/support/oauth-client.ts'
import { openWorld, type World } from '../../test/support/world.ts'

let world: World
let person: Person

beforeAll(async () => {
  world = await openWorld()
  person = await newPerson(world)
})
afterAll(() => world.close())

describe('the page that asks', () => {
  const grants = async () => {
    const [row] = await world.db.sql<{ many: number }>`select count(*)::int as many from agent_grant`
    return row?.many ?? 0
  }

  it('400 for a form without the cookie, with the cookie of another question, or with a tampered one', async () => {
    const { client_id } = (await register(world)).body
    const mine = await toConsent(world, person, asking(client_id))
    const other = await toConsent(world, await newPerson(world), asking(client_id))
    const before = await grants()
    const bare = new Browser(world)
    expect((await bare.open(mine.consent.at, ALLOW)).status).toBe(400)
    // Somebody else, logged in, with the address of my question.
    for (const [name, cookie] of other.browser.cookies) {
      const path = cookie.path.startsWith('/oauth/consent') ? mine.consent.at : cookie.path
      bare.cookies.set(name, { ...cookie, path })
    }
    expect((await bare.open(mine.consent.at, ALLOW)).status).toBe(400)
    // The right id, signed by nobody.
    const uid = mine.consent.at.split('/').at(-1) ?? ''
    const forged = createHmac('sha1', 'otra clave').update(`timbre_consent=${uid}`).digest('base64url')
    const forger = new Browser(world)
    forger.cookies.set('timbre_consent /', { value: uid, path: '/' })
    forger.cookies.set('timbre_consent.sig /', { value: forged, path: '/' })
    expect((await forger.open(mine.consent.at, ALLOW)).status).toBe(400)
    expect(await grants()).toBe(before)
  })

  it('takes an answer before the login for a failed login', async () => {
    const { client_id } = (await register(world)).body
    const browser = new Browser(world)
    const login = await browser.follow(asking(client_id).url)
    const before = await grants()
    const sent = await browser.open(login.at, ALLOW)
    expect(sent.status).toBeGreaterThanOrEqual(400)
    expect(sent.text).toContain('name="password"')
    expect(await grants()).toBe(before)
  })

  it('403 for a form that came from another site', async () => {
    const { client_id } = (await register(world)).body
    const { browser, consent } = await toConsent(world, person, asking(client_id))
    for (const site of ['cross-site', 'same-site']) {
      expect((await browser.open(consent.at, ALLOW, { 'sec-fetch-site': site })).status).toBe(403)
    }
  })

  it('403 for one from another origin in a browser that tells no more, and takes one from ours', async () => {
    const { client_id } = (await register(world)).body
    const { browser, consent } = await toConsent(world, person, asking(client_id))
    const older = (origin: string) => browser.open(consent.at, ALLOW, { origin, 'sec-fetch-site': '' })
    expect((await older('https://mala.example')).status).toBe(403)
    expect((await older('http://timbre.test')).status).toBe(303)
  })

  it('401 for a wrong password, and 429 for whoever keeps trying', async () => {
    const narrow = await openWorld({ unlimited: false, beside: world, runs_jobs: false })
    try {
      const { client_id } = (await register(narrow)).body
      const browser = new Browser(narrow)
      const login = await browser.follow(asking(client_id).url)
      const form = { decision: 'login', email: person.email, password: 'no es esta clave' }
      const statuses: number[] = []
      for (let i = 0; i < 6; i++) statuses.push((await browser.open(login.at, form)).status)
      expect(statuses).toEqual([401, 401, 401, 401, 401, 429])
    } finally {
      await narrow.close()
    }
  })

  it('403 for production from an account whose e-mail is not confirmed, which the sandbox does not ask', async () => {
    const unknown = await newPerson(world, { verified: false })
    const { client_id } = (await register(world)).body
    const { browser, consent } = await toConsent(world, unknown, asking(client_id))
    const live = await browser.open(consent.at, { ...ALLOW, mode: 'live', all_live: 'on' })
    expect(live.status).toBe(403)
    expect(live.text).toContain('confirma primero tu correo')
    expect((await browser.open(consent.at, ALLOW)).status).toBe(303)
  })

  it('promises a letter, and writes it, to a confirmed address only: another may be a stranger’s, and names can advertise', async () => {
    const letters = async (to: Person) => {
      const { client_id } = (await register(world)).body
      const { browser, consent } = await toConsent(world, to, asking(client_id))
      const count = () => world.db.sql`select 1 from job where name = 'mail.send'`
      const before = (await count()).length
      expect((await browser.open(consent.at, ALLOW)).status).toBe(303)
      return { promised: consent.text.includes('Te enviaremos un correo'), sent: (await count()).length - before }
    }
    expect(await letters(person)).toEqual({ promised: true, sent: 1 })
    expect(await letters(await newPerson(world, { verified: false }))).toEqual({ promised: false, sent: 0 })
  })

  it('400 says what does not add up and keeps what was chosen', async () => {
    const { client_id } = (await register(world)).body
    const { browser, consent } = await toConsent(world, person, asking(client_id))
    const { all_test: _, ...nowhere } = ALLOW
    const wrong: [Record<string, string>, string][] = [
      [nowhere, 'Elige al menos una empresa'],
      [{ ...ALLOW, max_clp_per_day: 'mucho' }, 'El tope por día debe ser un monto en pesos'],
      [{ ...ALLOW, max_clp_per_document: '0' }, 'El tope por documento debe ser un monto en pesos'],
      // A point that does not stand between thousands is somebody's decimals: read as thousands it would lift the cap.
      ...['500.00', '1.5', '1.0000', '.500', '1..000'].map((max_clp_per_day): [Record<string, string>, string] => [
        { ...ALLOW, max_clp_per_day },
        'El tope por día debe ser un monto en pesos',
      ]),
      [{ ...ALLOW, receptores: '76.192.083-9\n1-1' }, '1-1 no es un RUT válido'],
      [{ decision: 'allow', mode: 'test', all_test: 'on' }, 'Activa al menos un permiso'],
      // Nothing that was not offered becomes something that was.
      ...['99999', '0', '-1', '90.5', '090', ''].map((days): [Record<string, string>, string] => [
        { ...ALLOW, days },
        'Elige cuándo vence el acceso',
      ]),
    ]
    for (const [form, text] of wrong) {
      const sent = await browser.open(consent.at, form)
      expect([sent.status, sent.text.includes(text)]).toEqual([400, true])
    }
    const kept = await browser.open(consent.at, { ...ALLOW, receptores: 'mal', max_clp_per_day: '77.000' })
    expect(kept.text).toContain('value="77.000"')
  })

  it('makes one grant of a form that was sent twice, and both lead to the same end', async () => {
    const { client_id } = (await register(world)).body
    const { browser, consent } = await toConsent(world, person, asking(client_id))
    const before = await grants()
    const [one, two] = await Promise.all([browser.open(consent.at, ALLOW), browser.open(consent.at, ALLOW)])
    expect([one.status, two.status]).toEqual([303, 303])
    expect(one.headers.location).toBe(two.headers.location)
    expect(await grants()).toBe(before + 1)
    const kept = await world.db.sql`
      select 1 from oauth_item where model = 'Grant' and payload->>'clientId' = ${client_id}`
    expect(kept).toHaveLength(1)
  })
})
