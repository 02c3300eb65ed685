// What the pages of the documentation do in a browser, clicked by a real one against a real service.

import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { docsRoutes } from '../src/http/page-routes/docs.ts'
import { OPERATIONS } from '../src/operations.ts'
import { HAS_CHROMIUM, openChromium } from './support/chromium.ts'
import { freePort } from './support/free-port.ts'
import { IN_FULL } from './support/in-full.ts'
import { openWorld, randomRut, type World } from './support/world.ts'

const PASSWORD = 'una clave bien larga'

describe.skipIf(!HAS_CHROMIUM)('the pages of the documentation, in a browser', () => {
  let world: World
  let browser: Browser
  let context: BrowserContext
  let page: Page
  let address: string
  const rut = randomRut()
  const email = `${rut}@example.cl`
  const broken: string[] = []

  beforeAll(async () => {
    const port = await freePort()
    address = `http://127.0.0.1:${port}`
    const addresses = { public_url: address, base_url: `${address}/v1`, docs_url: `${address}/docs` } as never
    world = await openWorld({ public_url: address, plain: () => docsRoutes(OPERATIONS, addresses) })
    await world.app.http.listen({ host: '127.0.0.1', port })
    const bootstrap = { sandbox_key: { name: 'primera' }, empresa: { rut, legal_name: 'Café Ñuble SpA' } }
    await world.post('/account/register', { body: { email, password: PASSWORD, bootstrap } })
    browser = await openChromium(address)
    context = await browser.newContext({ colorScheme: 'light' })
    page = await context.newPage()
    page.on('pageerror', ({ message }) => broken.push(message))
    page.on(
      'console',
      (said) => said.type() === 'error' && !/status of 4\d\d/.test(said.text()) && broken.push(said.text()),
    )
  })
  afterAll(async () => {
    await browser?.close()
    await world?.close()
    expect(broken).toEqual([])
  })

  const open = (path: string) => page.goto(address + path)
  /** Where a test may begin on the page that the one before it left. */
  const beOn = async (path: string) => {
    if (page.url() !== address + path) await open(path)
  }

  it('finds guides, errors and events, with and without accents', async () => {
    await beOn('/docs')
    await page.keyboard.press('/')
    for (const [asked, kind] of [
      ['agents', 'guide'],
      ['idempotency_key_reused', 'error'],
      ['document.accepted', 'event'],
      ['cesion', 'page'],
    ] as const) {
      await page.getByRole('searchbox').fill(asked)
      await page.locator('.find li a > :first-child', { hasText: kind }).first().waitFor()
    }
    await page.keyboard.press('Escape')
    expect(await page.locator('dialog.find').isVisible()).toBe(false)
  })

  it.runIf(IN_FULL)('leads whoever does not know our names to where one begins', async () => {
    await beOn('/docs')
    await page.keyboard.press('/')
    for (const [asked, meant] of [
      ['factura', 'Issue a document'],
      ['invoice', 'Issue a document'],
      ['anular', 'Emit a nota de crédito over a document'],
      ['customer', 'List counterparties'],
      ['pagination', 'Reference'],
      ['signature', 'Receiving webhooks'],
    ] as const) {
      await page.getByRole('searchbox').fill(asked)
      const names = page.locator('.find li a > :nth-child(2)')
      await expect.poll(async () => (await names.allTextContents()).slice(0, 3), { message: asked }).toContain(meant)
    }
    await page.getByRole('searchbox').fill('folios')
    const kinds = page.locator('.find li a > :first-child')
    await expect.poll(async () => (await kinds.allTextContents())[0]).toBe('page')
    expect((await kinds.allTextContents()).slice(0, 5)).not.toContain('field')
    await page.keyboard.press('Escape')
  })

  it('finds a field by its name from the keyboard, and goes to it', async () => {
    await beOn('/docs')
    await page.keyboard.press('/')
    await page.getByRole('searchbox').fill('unit_price create')
    await page.locator('.find li').first().waitFor()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await page.waitForURL('**/docs/reference/*#*unit_price')
    const id = decodeURIComponent(new URL(page.url()).hash.slice(1))
    expect(await page.locator(`[id="${id}"]`).isVisible()).toBe(true)
  })

  it('speaks the language of the page, and stands an address that was cut', async () => {
    await open('/docs/es/guides/webhooks#%E0%A4%A')
    await page.getByRole('button', { name: 'Buscar' }).click()
    await page.getByRole('searchbox').fill('zzzz')
    await page.getByText('No encontramos nada.').waitFor()
    await page.keyboard.press('Escape')
    expect(await page.getByRole('button', { name: 'Oscuro' }).isVisible()).toBe(true)
    expect(await page.locator('.held .copy').first().textContent()).toBe('Copiar')
  })

  it.runIf(IN_FULL)('follows an old anchor of the one page to where its operation is now', async () => {
    await open('/docs#tax.f29.proposals.list')
    await page.waitForURL('**/docs/reference/f29#tax.f29.proposals.list')
    await open('/docs/reference/tax#tax.sync')
    await page.waitForURL('**/docs/reference/rcv#tax.sync')
    await open('/docs/reference/documents#documents.payments.list')
    await page.waitForURL('**/docs/reference/payments#documents.payments.list')
  })

  it('shows one language at a time, and remembers it and the colours on the next page', async () => {
    await open('/docs/reference/folios')
    const shown = () => page.locator('pre.python:visible').count()
    expect(await shown()).toBe(0)
    await page.locator('.tabs label', { hasText: 'Python' }).first().click()
    expect(await shown()).toBeGreaterThan(0)
    expect(await page.locator('pre.curl:visible').count()).toBe(0)
    await page.getByRole('button', { name: 'Dark' }).click()
    await open('/docs/reference/jobs')
    expect(await shown()).toBe(1)
    expect(await page.locator('html').getAttribute('data-theme')).toBe('dark')
  })

  it('copies the very sample that is shown', async () => {
    await context.grantPermissions(['clipboard-read', 'clipboard-write'])
    await open('/docs/reference/jobs')
    await page.locator('.code .copy').first().click()
    await page.getByRole('button', { name: 'Copied' }).waitFor()
    const copied = await page.evaluate<string>('navigator.clipboard.readText()')
    expect(copied).toBe(await page.locator('pre:visible').first().textContent())
  })

  it.runIf(IN_FULL)('hides no page of the documentation on a phone, and is as wide as it', async () => {
    await page.setViewportSize({ width: 360, height: 740 })
    for (const path of ['/docs/es/guides/webhooks', '/changelog', '/docs/reference/documents']) {
      await open(path)
      const edges = await Promise.all((await page.locator('.bar a, .bar button').all()).map((one) => one.boundingBox()))
      const beyond = edges.filter((box) => box && (box.x < 0 || box.x + box.width > 360)).length
      const wide = await page.evaluate<number>('document.documentElement.scrollWidth')
      expect({ path, shown: edges.length > 6, beyond, wide }).toEqual({ path, shown: true, beyond: 0, wide: 360 })
    }
    await page.setViewportSize({ width: 1280, height: 720 })
  })

  it('tries a call in the sandbox by the session of whoever logs in, and by nothing else', async () => {
    const sent: { readonly url: string; readonly headers: Record<string, string> }[] = []
    page.on('request', (request) => {
      if (request.url().includes('/dashboard/')) sent.push({ url: request.url(), headers: request.headers() })
    })
    await beOn('/docs/reference/documents')
    await page.locator('[id="documents.create"] .try').click()
    await page.getByLabel('E-mail').fill(email)
    await page.getByLabel('Password').fill('wrong')
    await page.getByRole('button', { name: 'Log in' }).click()
    await page.getByRole('alert').waitFor()
    await page.getByLabel('Password').fill(PASSWORD)
    await page.getByRole('button', { name: 'Log in' }).click()
    const body = page.getByLabel('Body')
    await body.waitFor()
    await body.fill(JSON.stringify({ tipo_dte: 39, items: [{ description: 'Café', quantity: 1, unit_price: 1990 }] }))
    await page.getByRole('button', { name: 'Send' }).click()
    await page.locator('.attempt .status', { hasText: '201' }).waitFor()
    expect(JSON.parse((await page.locator('.attempt pre').textContent()) ?? '')).toMatchObject({
      object: 'document',
      mode: 'test',
      tipo_dte: 39,
    })
    // A long line scrolls in its box: on a phone it does not push the form out of sight.
    await page.setViewportSize({ width: 360, height: 740 })
    const beyond =
      '(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)(document.querySelector("dialog[open]"))'
    expect(await page.evaluate<number>(beyond)).toBe(0)
    await page.setViewportSize({ width: 1280, height: 720 })
    expect(sent.length).toBeGreaterThan(1)
    for (const { headers } of sent) {
      expect(headers['svc-mode']).toBe('test')
      expect(headers.authorization).toMatch(/^Bearer eyJ/)
    }
    await page.getByRole('button', { name: 'Log out' }).click()
    await page.getByLabel('E-mail').waitFor()
    expect(await page.evaluate<string | null>('sessionStorage.getItem("timbre.session")')).toBeNull()
  })

  it('offers no trial of what answers a secret', async () => {
    await open('/docs/reference/api_keys')
    expect(await page.locator('[id="api_keys.create"]').count()).toBe(1)
    expect(await page.locator('[id="api_keys.create"] .try').count()).toBe(0)
    expect(await page.locator('[id="api_keys.list"] .try').isVisible()).toBe(true)
  })

  it('can be read without the script', async () => {
    const plain = await (await browser.newContext({ javaScriptEnabled: false })).newPage()
    await plain.goto(`${address}/docs/reference/folios#folios.list`)
    expect(await plain.locator('.try:visible, .copy:visible, [data-find]:visible').count()).toBe(0)
    expect(await plain.locator('[id="folios.list"] pre.curl').isVisible()).toBe(true)
    await plain.locator('[id="folios.list"] .tabs label', { hasText: 'TypeScript' }).click()
    expect(await plain.locator('[id="folios.list"] pre.typescript').isVisible()).toBe(true)
    await plain.context().close()
  })
})
