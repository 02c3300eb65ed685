import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { HAS_CHROMIUM, openChromium } from '../../test/support/chromium.ts'
import { IN_FULL } from '../../test/support/in-full.ts'
import { asking, exchange, newPerson, type Person, register } from '../../test/support/oauth-client.ts'
import { openWorld, randomRut, type World } from '../../test/support/world.ts'
import { SCOPE_NAMES } from '../catalog/scopes.ts'
import { AGENT_SCOPES } from '../domain/platform/agent-grant/bundles.ts'
import { suggestedDraft } from '../domain/platform/agent-grant/consent-form.ts'
import { consentPage } from '../pages/consent.ts'

describe.skipIf(!HAS_CHROMIUM)('a person in a browser', () => {
  let world: World
  let browser: Browser
  let person: Person
  let client: Server
  let redirect_uri: string
  const rut = randomRut()
  const came: URL[] = []
  /** One that runs script and one that does not: each takes a second and a half of CPU. */
  const contexts = new Map<boolean, BrowserContext>()

  beforeAll(async () => {
    world = await openWorld()
    person = await newPerson(world)
    const key = await world.key(person.account_id)
    await world.post('/v1/empresas', { key, body: { rut, legal_name: 'Panadería Ñandú Ltda' } })
    await world.post('/v1/empresas', { key, body: { rut: randomRut(), legal_name: 'Otra SpA' } })
    browser = await openChromium(await world.app.http.listen({ host: '127.0.0.1', port: 0 }))
    client = createServer((req, res) => {
      const url = new URL(req.url ?? '/', redirect_uri)
      if (url.pathname === '/cb') came.push(url)
      res.end('De vuelta en el agente')
    })
    await new Promise<void>((resolve) => client.listen(0, '127.0.0.1', resolve))
    redirect_uri = `http://127.0.0.1:${(client.address() as AddressInfo).port}/cb`
  })
  afterAll(async () => {
    await browser?.close()
    client?.close()
    await world?.close()
  })

  async function opened(javaScriptEnabled: boolean): Promise<{ page: Page; asked: ReturnType<typeof asking> }> {
    const { client_id } = (await register(world, { redirect_uris: ['http://127.0.0.1/cb'], client_name: 'Cajero' }))
      .body
    const asked = asking(client_id, { redirect_uri })
    const page = await pageOf(javaScriptEnabled)
    await page.goto(`http://timbre.test${asked.url}`)
    return { page, asked }
  }

  /** As somebody who was never here. */
  async function pageOf(javaScriptEnabled: boolean): Promise<Page> {
    const context = contexts.get(javaScriptEnabled) ?? (await browser.newContext({ javaScriptEnabled }))
    contexts.set(javaScriptEnabled, context)
    await context.clearCookies()
    return context.pages()[0] ?? (await context.newPage())
  }

  async function logIn(page: Page): Promise<void> {
    await page.getByLabel('Correo').fill(person.email)
    await page.getByLabel('Contraseña').fill(person.password)
    await page.getByRole('button', { name: 'Entrar' }).click()
    await page.getByRole('heading', { name: '¿Le das acceso?' }).waitFor()
  }

  // The page has no script, and so the short form walks once.
  for (const script of IN_FULL ? [true, false] : [false]) {
    it(`logs in, chooses and lets an agent in, ${script ? 'with' : 'without'} script`, async () => {
      const { page, asked } = await opened(script)
      await logIn(page)
      const work = page.getByLabel('Emitir y responder')
      expect(await work.isChecked()).toBe(false)
      await page.getByLabel('Panadería Ñandú Ltda').check()
      await page.getByText('Elegir permiso por permiso').click()
      // What is off is not given, so it is not shown as if it were.
      const issuing = page.getByLabel('Emitir documentos y responder')
      expect(await issuing.isVisible()).toBe(false)
      await work.check()
      expect(await issuing.isChecked()).toBe(true)
      await page.getByLabel('Ver tus empresas').uncheck()
      await page.getByLabel('Por documento').fill('20.000')
      await page.getByLabel('Por día').fill('')
      await page.getByText('Tipos, receptores y confirmación').click()
      await page.getByLabel('Nota de crédito').uncheck()
      await page.getByLabel('Solo a estos receptores').fill('76.192.083-9')
      await page.getByLabel('El acceso vence').selectOption('7')
      await page.getByRole('button', { name: 'Autorizar' }).click()
      await page.getByText('De vuelta en el agente').waitFor()

      const code = came.at(-1)?.searchParams.get('code') ?? ''
      const { client_id, verifier: code_verifier } = asked
      const fields = { grant_type: 'authorization_code', client_id, code, code_verifier, redirect_uri }
      expect((await exchange(world, fields)).body.scope).toBe('documents:read documents:write')
      const root = await world.key(person.account_id, { scopes: SCOPE_NAMES })
      const { data } = (await world.get('/v1/agent_grants?limit=1', { key: root })).body
      expect(data[0]).toMatchObject({
        mode: 'test',
        client: { id: client_id, name: 'Cajero', host: new URL(redirect_uri).host },
        scopes: ['documents:read', 'documents:write'],
        empresas: [rut],
        two_steps: true,
        limits: {
          max_clp_per_document: 20_000,
          max_clp_per_day: null,
          tipos: [33, 34, 39, 41, 46, 52, 56],
          receptores: ['76192083-9'],
        },
      })
      expect(Date.parse(data[0].expires_at) - Date.parse(data[0].created_at)).toBe(7 * 86_400_000)
    })
  }

  it('sees the empresas of the mode that is chosen, and of that one only', async () => {
    const { page } = await opened(false)
    await logIn(page)
    expect(await page.getByText('Panadería Ñandú Ltda').isVisible()).toBe(true)
    await page.getByLabel('Producción').check()
    expect(await page.getByText('Panadería Ñandú Ltda').isVisible()).toBe(false)
    expect(await page.getByText('Todavía no tienes empresas en producción.').isVisible()).toBe(true)
  })

  it('has the whole decision in a screen and a half of a phone, whatever is asked for and however many the empresas', async () => {
    const context = await browser.newContext({ viewport: { width: 390, height: 844 }, javaScriptEnabled: true })
    const page = await context.newPage()
    const empresas = (many: number) =>
      Array.from(
        { length: many },
        (_, i) => ({ rut: `${76_000_000 + i}-1`, legal_name: `Comercial ${i} Ltda`, mode: 'test' }) as const,
      )
    const agent = {
      client_id: 'c',
      client_name: 'Asistente contable',
      redirect_uri: 'https://agente.example/cb',
      path: '/',
    }
    for (const many of [1, 2, 200]) {
      const email = 'rosa.perez@pasteleria.cl'
      const choices = { account_id: 'a', email, email_verified: true, empresas: empresas(many) }
      const draft = suggestedDraft(AGENT_SCOPES, choices)
      await page.setContent(consentPage({ agent, scopes: AGENT_SCOPES, choices, earlier: [], draft }).body ?? '')
      const height = await page.evaluate<number>('document.documentElement.scrollHeight')
      expect(height).toBeGreaterThan(844)
      expect(height).toBeLessThanOrEqual(1.5 * 844)
    }
    await context.close()
  })

  it('refuses, before logging in too, and the agent is told', async () => {
    const { page } = await opened(false)
    await page.getByRole('button', { name: 'Rechazar' }).click()
    await page.getByText('De vuelta en el agente').waitFor()
    expect(came.at(-1)?.searchParams.get('error')).toBe('access_denied')
  })

  it('is never shown inside the page of somebody else', async () => {
    const { asked } = await opened(false)
    const page = await pageOf(true)
    await page.goto(`${redirect_uri}`)
    await page.setContent(`<iframe src="http://timbre.test${asked.url}"></iframe>`)
    const frame = page.frames().at(-1)
    await page.waitForTimeout(500)
    expect(await frame?.getByLabel('Correo').count()).toBe(0)
  })

  it('writes to the account that an agent was let in, and how to take it back', async () => {
    const letter = world.letters.find(({ to, subject }) => to === person.email && subject.includes('agente'))
    expect(letter?.text).toContain('Agente: Cajero')
    expect(letter?.text).toContain('Tope por documento: $ 20.000')
    expect(letter?.text).toMatch(/DELETE \/v1\/agent_grants\/agr_/)
    expect(letter?.text).toContain('está en http://timbre.test/agentes.')
    const way_out = /http:\/\/timbre\.test\/agentes\/\S+/.exec(letter?.text ?? '')?.[0] ?? ''
    const page = await pageOf(false)
    await page.goto(way_out)
    expect(await page.getByText('Tiene acceso', { exact: true }).isVisible()).toBe(true)
    await page.getByRole('button', { name: 'Quitarle el acceso' }).click()
    await page.getByRole('heading', { name: 'Listo, ya no tiene acceso' }).waitFor()
    await page.goto(way_out)
    expect(await page.getByText('se le quitó').isVisible()).toBe(true)
  })
})
