import { randomUUID } from 'node:crypto'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { HAS_CHROMIUM, openChromium } from '../../../../test/support/chromium.ts'
import { waitAt } from '../../../../test/support/onboarding.ts'
import { lockedPersonPfx, personPfx } from '../../../../test/support/person-pfx.ts'
import { OPERATOR_EMAIL, openWorld, randomRut, type Sent, type World } from '../../../../test/support/world.ts'
import { SCOPE_NAMES } from '../../../catalog/scopes.ts'
import { currentTerms } from '../../../domain/platform/mandato/terms.ts'
import type { Lane, StepKey } from '../../../domain/platform/onboarding/lanes.ts'
import { REACTIONS } from '../../../reactions.ts'
import { checkoutRoutes } from '../checkout.ts'
import { onboardingRoutes } from './routes.ts'

const public_url = 'http://timbre.test'
const addresses = { public_url, base_url: `${public_url}/v1`, operator_email: OPERATOR_EMAIL } as never

let world: World
let key: string
let unpaid: string
let owner: string
let brief: string
beforeAll(async () => {
  world = await openWorld({
    runs_jobs: false,
    plain: (db, parts) => [
      ...checkoutRoutes({ sql: db.sql, ...parts, addresses }),
      ...onboardingRoutes({ sql: db.sql, ...parts, addresses, reactions: REACTIONS }),
    ],
  })
  key = await world.key(await world.account({ plan: 'house' }), { mode: 'live', scopes: SCOPE_NAMES })
  owner = await world.account()
  brief = await world.key(owner, { mode: 'live', scopes: SCOPE_NAMES })
  unpaid = await world.key(await world.account(), { mode: 'live', scopes: SCOPE_NAMES })
})
afterAll(() => world.close())

/** A live empresa, at a step of its lane where one is named, and the pages minted for it. */
async function made(lane: Lane = 'mercado', step?: StepKey, as = key) {
  const body = { rut: randomRut(), legal_name: 'Viña <Maule> S.A.', origen: 'mercado', doc_types: [33, 61] }
  const { id } = (await world.post('/v1/empresas', { key: as, body: { ...body, emission_channel: lane } })).body
  if (step) await waitAt(world, id, lane, step)
  const base = `/v1/empresas/${id}`
  const pathOf = ({ body: link }: Sent) => new URL(link.url).pathname
  return {
    id,
    base,
    page: async (of: string) => pathOf(await world.post(`${base}/onboarding/links`, { key: as, body: { step: of } })),
    revocation: async () => pathOf(await world.post(`${base}/mandato/revocation_link`, { key: as, body: {} })),
    read: async () => (await world.get(`${base}/onboarding`, { key: as })).body,
    mandato: async () => (await world.get(`${base}/mandato`, { key: as })).body,
    evidence: async (act: string) => (await world.get(`${base}/onboarding/evidence?act=${act}`, { key: as })).body.data,
  }
}

const send = (path: string, fields: Record<string, string>, headers: Record<string, string> = {}) =>
  world.post(path, {
    raw: new URLSearchParams(fields).toString(),
    headers: { 'content-type': 'application/x-www-form-urlencoded', 'user-agent': 'Navegador', ...headers },
  })

function upload(path: string, file: string, password: string): Promise<Sent> {
  const boundary = randomUUID()
  const part = (name: string, more = '') => `--${boundary}\r\nContent-Disposition: form-data; name="${name}"${more}\r\n`
  const raw = Buffer.concat([
    Buffer.from(`${part('act')}\r\ncertificate\r\n${part('password')}\r\n${password}\r\n`),
    Buffer.from(`${part('file', '; filename="a.pfx"')}Content-Type: application/x-pkcs12\r\n\r\n`),
    Buffer.from(file, 'base64'),
    Buffer.from(`\r\n--${boundary}--\r\n`),
  ])
  return world.post(path, { raw, headers: { 'content-type': `multipart/form-data; boundary=${boundary}` } })
}

const ROSA = { name: 'Rosa Pérez Soto', rut: '12.345.678-5' }
const signature = () => ({ ...ROSA, representante: 'si', version: currentTerms().version })
const digestIn = ({ text }: Sent) => /name="sha256" value="(\w+)"/.exec(text)?.[1] ?? ''

describe('the page of a mandato', () => {
  it('shows the whole text privately, signs nothing when opened, and once when sent', async () => {
    const it = await made()
    const path = await it.page('mandato')
    const shown = await world.get(path)
    expect(shown.status).toBe(200)
    for (const { title } of currentTerms().clauses) expect(shown.text).toContain(title)
    expect(shown.text).toContain('Viña &lt;Maule&gt; S.A.')
    expect(shown.text).not.toContain('<script')
    expect(shown.headers['content-security-policy']).toContain("frame-ancestors 'none'")
    expect([shown.headers['cache-control'], shown.headers['referrer-policy']]).toEqual(['no-store', 'no-referrer'])
    expect((await it.mandato()).status).toBe('pending')

    const both = await Promise.all([send(path, signature()), send(path, signature())])
    expect(both.map(({ status }) => status).sort()).toEqual([200, 409])
    expect(await it.mandato()).toMatchObject({ status: 'signed', via: 'hosted_page', signer: { rut: '12345678-5' } })
    const [row, ...more] = await it.evidence('mandato_signed')
    expect(more).toEqual([])
    expect(row).toMatchObject({
      via: 'hosted_page',
      ip: '127.0.0.1',
      user_agent: 'Navegador',
      document: { version: currentTerms().version, sha256: currentTerms().sha256 },
    })
    expect((await world.get(path)).status).toBe(410)
    expect((await send(path, signature())).status).toBe(410)
  })

  it('422 shows it again for a wrong RUT, an unmarked box or another text, keeping what was typed; 403 from another site', async () => {
    const it = await made()
    const path = await it.page('mandato')
    const wrong = await send(path, { ...signature(), rut: '12.345.678-9' })
    expect([wrong.status, wrong.text.includes('value="Rosa Pérez Soto"')]).toEqual([422, true])
    for (const sent of [{ representante: '' }, { version: '2020-01-01' }, { name: '' }])
      expect((await send(path, { ...signature(), ...sent })).status).toBe(422)
    for (const [name, said] of [
      ['O', 'muy corto'],
      ['Rosa \u202eotoS zeréP', 'no se ve'],
      ['', 'nombre completo'],
    ] as const) {
      const sent = await send(path, { ...signature(), name })
      expect([name, sent.status, sent.text.includes(said)]).toEqual([name, 422, true])
    }
    expect((await send(path, signature(), { 'sec-fetch-site': 'cross-site' })).status).toBe(403)
    expect((await it.mandato()).status).toBe('pending')
    expect((await send(path, signature())).status).toBe(200)
  })

  it('404 for a slug that never was, 410 once revoked or expired', async () => {
    const it = await made()
    expect((await world.get('/puesta-en-marcha/nada')).status).toBe(404)
    const revoked = await it.page('mandato')
    await world.delete(`${it.base}/onboarding/links/mandato`, { key })
    expect((await world.get(revoked)).text).toContain('ya no funciona')
    const expired = await it.page('mandato')
    await world.db.sql`update onboarding_link set expires_at = now() - interval '1 second' where empresa_id = ${it.id}`
    const [shown, sent] = [await world.get(expired), await send(expired, signature())]
    expect([shown.status, sent.status]).toEqual([410, 410])
    expect(shown.text).toContain('venció')
    expect((await it.mandato()).status).toBe('pending')
  })

  it('410 once the key that minted it is revoked, and not when it is rolled', async () => {
    const it = await made('mercado', undefined, brief)
    const path = await it.page('mandato')
    const [{ id } = { id: '' }] = await world.db.sql<{
      id: string
    }>`select id from api_key where last4 = ${brief.slice(-4)}`
    const session = await world.session(owner)
    const by = { session, mode: 'live' as const }
    expect((await world.post(`/dashboard/api_keys/${id}/roll`, { ...by, body: {} })).status).toBe(200)
    expect((await world.get(path)).status).toBe(200)
    expect((await world.delete(`/dashboard/api_keys/${id}`, by)).status).toBe(204)
    expect([(await world.get(path)).status, (await send(path, signature())).status]).toEqual([410, 410])
    const [{ status } = { status: '' }] = await world.db.sql<{ status: string }>`
      select status from mandato where empresa_id = ${it.id}`
    expect(status).toBe('pending')
  })

  it('of the revocation suspends the empresa, and the next signature lets it go on', async () => {
    const it = await made()
    await send(await it.page('mandato'), signature())
    const path = await it.revocation()
    expect((await world.get(path)).text).toContain('Rosa Pérez Soto')
    expect((await send(path, { ...ROSA, representante: 'si' })).text).toContain('revocado')
    expect([(await it.mandato()).status, (await it.read()).status]).toEqual(['revoked', 'suspended'])
    expect(await it.evidence('mandato_revoked')).toMatchObject([{ via: 'hosted_page', actor: { rut: '12345678-5' } }])
    await send(await it.page('mandato'), signature())
    expect((await it.read()).status).toBe('certificate_pending')
  })
})

describe('a page that is for one person', () => {
  it('is used by nobody with another RUT: no signature and no certificate, and the link still works for them', async () => {
    const it = await made()
    const mint = async (step: string, rut: string) => {
      const body = { step, person: { rut, name: 'Rosa Pérez Soto' } }
      const link = await world.post(`${it.base}/onboarding/links`, { key, body })
      return new URL(link.body.url).pathname
    }
    const path = await mint('mandato', '12345678-5')
    const shown = (await world.get(path)).text
    for (const told of ['Es para', 'value="Rosa Pérez Soto"', 'value="12.345.678-5"']) expect(shown).toContain(told)
    const other = await send(path, { ...signature(), rut: '11.111.111-1' })
    expect([other.status, other.text.includes('Este enlace es para otra persona')]).toEqual([422, true])
    expect((await it.mandato()).status).toBe('pending')
    expect((await send(path, signature())).status).toBe(200)

    const strangers = await upload(await mint('certificate', '12345678-5'), personPfx(), '')
    expect([strangers.status, strangers.text.includes('es de otra persona')]).toEqual([422, true])
    expect(await world.db.sql`select 1 from certificate where empresa_id = ${it.id}`).toEqual([])
    expect((await upload(await mint('certificate', '11111111-1'), personPfx(), '')).status).toBe(200)
    const bad = await world.post(`${it.base}/onboarding/links`, {
      key,
      body: { step: 'certificate', person: { rut: '11111111-2', name: 'x' } },
    })
    expect([bad.status, bad.body.error.param]).toEqual([400, 'person.rut'])
  })
})

describe('the page of a certificate', () => {
  it('says in Spanish why a file is not taken, never repeats the password, and keeps one that can sign', async () => {
    const it = await made()
    await send(await it.page('mandato'), signature())
    const path = await it.page('certificate')
    const refused = await upload(path, lockedPersonPfx('la buena'), 'la-mala-clave')
    expect([refused.status, refused.text.includes('La clave no abre el archivo')]).toEqual([422, true])
    expect(refused.text).not.toContain('la-mala-clave')
    expect((await upload(path, Buffer.from('nada').toString('base64'), 'x')).text).toContain('no es un certificado')
    expect((await upload(path, personPfx(), 'x')).text).toContain('el certificado quedó guardado')
    expect(await it.evidence('certificate_uploaded')).toMatchObject([
      { via: 'hosted_page', actor: { rut: '11111111-1', role: 'titular_certificado' } },
    ])
    expect((await it.read()).blocked_on).toBe('sii_postulacion')
    expect((await upload(path, personPfx(), 'x')).status).toBe(410)
    const [left] = await world.db.sql<{ written_by: string }>`
      select written_by from lasting_change where empresa_id = ${it.id} and object = 'certificate'`
    expect(left?.written_by).toMatch(/^key_/)
    // They gave it for this empresa.
    const kept = await world.db.sql`select reusable from certificate where empresa_id = ${it.id}`
    expect(kept).toEqual([{ reusable: false }])
  })
})

describe('the page of a credential', () => {
  it('asks for the certificate beside the password, and is used up by both', async () => {
    const it = await made('sfg')
    await send(await it.page('mandato'), signature())
    const path = await it.page('credential')
    const half = await send(path, { ...ROSA, password: 'secreta del SII' })
    expect([half.status, half.text.includes('La clave ya está guardada')]).toEqual([200, true])
    expect(half.text).not.toContain('secreta del SII')
    expect((await upload(path, personPfx(), 'x')).text).toContain('Lo que sigue')
    expect((await it.read()).blocked_on).toBe('clave_centralizado')
    expect(await it.evidence('credential_stored')).toMatchObject([{ actor: { name: 'Rosa Pérez Soto' } }])
    expect((await world.get(path)).status).toBe(410)
  })
})

describe('the page of a step at the SII', () => {
  it('takes the word of the person where nothing can be asked, and else looks again without using the link up', async () => {
    const it = await made('sfg')
    await send(await it.page('mandato'), signature())
    await waitAt(world, it.id, 'sfg', 'clave_centralizado')
    const path = await it.page('clave_centralizado')
    expect((await world.get(path)).text).toContain('https://www1.sii.cl/')
    expect((await send(path, { name: 'Rosa', rut: 'x' })).status).toBe(422)
    expect((await send(path, ROSA)).status).toBe(200)
    expect(await it.evidence('step_attested')).toMatchObject([{ actor: { role: 'titular_certificado' } }])
    expect((await it.read()).blocked_on).toBe('usuario_autorizado')
    const looks = await it.page('usuario_autorizado')
    for (let times = 0; times < 2; times++) expect((await send(looks, {})).status).toBe(200)
    expect((await world.get(looks)).status).toBe(200)
  })
})

describe('the page of a decision', () => {
  it('keeps who decided, the reason and the digest of what was shown; each link decides once', async () => {
    const it = await made()
    await send(await it.page('mandato'), signature())
    await waitAt(world, it.id, 'mercado', 'cumplimiento')
    const declined = await it.page('cumplimiento')
    const sha256 = digestIn(await world.get(declined))
    const said = { ...ROSA, reviewed: 'si', sha256 }
    expect((await send(declined, { ...said, sha256: 'otro', decision: 'approve' })).status).toBe(422)
    expect((await send(declined, { ...said, decision: 'decline', reason: 'Falta el giro' })).status).toBe(200)
    const { blocked_reason } = (await it.read()).steps.find((step: { key: string }) => step.key === 'cumplimiento')
    expect(blocked_reason).toMatchObject({ code: 'approval_declined', details: { reason: 'Falta el giro' } })
    expect((await world.get(declined)).status).toBe(410)
    expect((await send(await it.page('cumplimiento'), { ...said, decision: 'approve' })).status).toBe(200)
    expect(await it.evidence('step_approved')).toMatchObject([
      { actor: { role: 'representante_legal' }, document: { version: 'cumplimiento-2026-11-17', sha256 } },
    ])
    expect((await it.read()).status).toBe('certifying')
  })

  it('to go live waits for the subscription, and the link with it', async () => {
    const it = await made('sfg', undefined, unpaid)
    await send(await it.page('mandato'), signature())
    await waitAt(world, it.id, 'sfg', 'emitting')
    const path = await it.page('emitting')
    const sha256 = digestIn(await world.get(path))
    const approve = () => send(path, { ...ROSA, reviewed: 'si', sha256, decision: 'approve' })
    const refused = await approve()
    expect([refused.status, refused.text.includes('/suscripcion/')]).toEqual([402, true])
    expect((await it.read()).status).toBe('go_live_pending')
    await world.db
      .sql`update account set plan = 'house' where id = (select account_id from empresa where id = ${it.id})`
    expect((await approve()).status).toBe(200)
    expect((await it.read()).status).toBe('emitting')
    expect(await it.evidence('go_live_approved')).toMatchObject([{ actor: { role: 'titular_cuenta' } }])
  })
})

describe.skipIf(!HAS_CHROMIUM)('the pages in a browser', () => {
  let browser: Browser
  beforeAll(async () => {
    browser = await openChromium(await world.app.http.listen({ host: '127.0.0.1', port: 0 }))
  })
  afterAll(() => browser?.close())

  async function opened(page: Page, path: string): Promise<Page> {
    await page.goto(`${public_url}${path}`)
    return page
  }

  async function pictured(page: Page, name: string): Promise<void> {
    const folder = process.env.TIMBRE_PICTURES
    if (folder) await page.screenshot({ path: `${folder}/${name}.png`, fullPage: true })
  }

  // A phone is the harder one; both are looked at where pictures are wanted.
  for (const width of process.env.TIMBRE_PICTURES ? [360, 1280] : [360]) {
    it(`are signed and uploaded without script, ${width} pixels wide, and none is wider than the screen`, async () => {
      const it = await made()
      const fits = async (page: Page) => {
        const box = await page.locator('body').boundingBox()
        expect(box?.width).toBeLessThanOrEqual(width)
      }
      const context = await browser.newContext({ javaScriptEnabled: false, viewport: { width, height: 800 } })
      const page = await opened(await context.newPage(), await it.page('mandato'))
      await fits(page)
      await pictured(page, `mandato-${width}`)
      await page.getByLabel('Nombre completo').fill(ROSA.name)
      await page.getByLabel(/^RUT/).fill(ROSA.rut)
      await page.getByLabel(/Soy representante/).check()
      await page.getByRole('button', { name: 'Firmar el mandato' }).click()
      await page.getByRole('heading', { name: 'Listo, el mandato quedó firmado' }).waitFor()
      await pictured(page, `firmado-${width}`)

      const certificate = await opened(page, await it.page('certificate'))
      const file = { name: 'a.pfx', mimeType: 'application/x-pkcs12', buffer: Buffer.from(personPfx(), 'base64') }
      await certificate.getByLabel(/Archivo del certificado/).setInputFiles({ ...file, buffer: Buffer.from('x') })
      await certificate.getByRole('button', { name: 'Guardar el certificado' }).click()
      await certificate.getByRole('alert').waitFor()
      await fits(certificate)
      await pictured(certificate, `certificado-${width}`)
      await certificate.getByLabel(/Archivo del certificado/).setInputFiles(file)
      await certificate.getByLabel('Clave del archivo').fill('x')
      await certificate.getByRole('button', { name: 'Guardar el certificado' }).click()
      await certificate.getByRole('heading', { name: 'Listo, el certificado quedó guardado' }).waitFor()

      const decision = await opened(page, await it.page('sii_postulacion'))
      await fits(decision)
      await pictured(decision, `postulacion-${width}`)
      await decision.getByLabel('Nombre completo').fill(ROSA.name)
      await decision.getByLabel(/^RUT/).fill(ROSA.rut)
      await decision.getByLabel(/Soy representante/).check()
      await decision.getByRole('button', { name: 'No autorizar' }).click()
      await decision.getByRole('heading', { name: 'Registramos que no lo autorizas' }).waitFor()
      await pictured(decision, `rechazada-${width}`)
    })
  }
})
