import { type ChildProcess, spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { MCP_IN_FULL } from '../support/agent-grant.ts'
import { HAS_CHROMIUM, openChromium } from '../support/chromium.ts'
import { freePort } from '../support/free-port.ts'
import { IN_FULL } from '../support/in-full.ts'
import { compileProgram } from '../support/program.ts'
import { openWorld, randomRut, type World } from '../support/world.ts'

const PASSWORD = 'una clave bien larga'

// biome-ignore lint/suspicious/noExplicitAny: a test reads whatever the agent said
type Said = any

/** The agent's process: what it is told, and what it says to it. */
class Agent {
  readonly #process: ChildProcess
  readonly #lines: AsyncIterator<string>

  constructor(program: string, address: string) {
    this.#process = spawn(process.execPath, [program, address], {
      stdio: ['pipe', 'pipe', 'inherit'],
    })
    if (!this.#process.stdout) throw new Error('the agent has no voice')
    this.#lines = createInterface({ input: this.#process.stdout })[Symbol.asyncIterator]()
  }

  async hear(): Promise<Said> {
    const silence = new Promise<never>((_resolve, reject) => {
      setTimeout(() => reject(new Error('the agent fell silent')), 180_000).unref()
    })
    const { value, done } = await Promise.race([this.#lines.next(), silence])
    if (done) throw new Error('the agent ended')
    return JSON.parse(value)
  }

  ask(order: object): Promise<Said> {
    this.#process.stdin?.write(`${JSON.stringify(order)}\n`)
    return this.hear()
  }

  use(name: string, args: object): Promise<Said> {
    return this.ask({ use: name, arguments: args })
  }

  end(): void {
    this.#process.kill('SIGKILL')
  }
}

describe.runIf(HAS_CHROMIUM && IN_FULL)('an agent on a leash (skipped where there is no Chromium)', () => {
  let world: World
  let browser: Browser
  let agent: Agent
  let address: string
  let session: string
  const rut = randomRut()
  const email = `${rut}@example.cl`

  beforeAll(async () => {
    const port = await freePort()
    address = `http://127.0.0.1:${port}`
    world = await openWorld({ public_url: address })
    await world.app.http.listen({ host: '127.0.0.1', port })
    const bootstrap = { sandbox_key: { name: 'primera' }, empresa: { rut, legal_name: 'Café Ñuble SpA' } }
    const made = await world.post('/account/register', { body: { email, password: PASSWORD, bootstrap } })
    session = made.body.data.token
    browser = await openChromium(address)
    agent = new Agent(await compileProgram(new URL('agent-process.ts', import.meta.url)), `${address}${MCP_IN_FULL}`)
  })

  afterAll(async () => {
    agent?.end()
    await browser?.close()
    await world?.close()
  })

  async function consent(authorize: string): Promise<void> {
    const page = await browser.newPage()
    await page.goto(authorize)
    await page.fill('input[name=email]', email)
    await page.fill('input[name=password]', PASSWORD)
    await page.click('button[value=login]')
    expect(await page.textContent('main')).toContain('Asistente contable')
    await page.check('input[name="bundle_work"]')
    await page.fill('input[name=max_clp_per_document]', '2.500')
    await page.fill('input[name=max_clp_per_day]', '3.000')
    await page.click('button[value=allow]')
    await page.waitForURL('**/callback?**')
    await page.close()
  }

  const boleta = { empresa_rut: rut, tipo_dte: 39, items: [{ description: 'Café', quantity: 1, unit_price: 1990 }] }

  async function acceptedIn(document_id: string): Promise<Said> {
    for (let look = 0; look < 100; look++) {
      const { structuredContent } = await agent.use('documents_get', { empresa_rut: rut, document_id })
      if (structuredContent.status === 'accepted') return structuredContent
      await new Promise((resolve) => setTimeout(resolve, 200))
    }
    throw new Error('it was never accepted')
  }

  it('finds its way in, is held to its limits, and is cut off', async () => {
    // It discovers, registers and asks; the person decides in a browser.
    const { authorize } = await agent.hear()
    expect(authorize).toContain(`${address}/oauth/authorize?`)
    await consent(authorize)
    expect(await agent.hear()).toMatchObject({ connected: 'timbre' })

    // It sees the tools of what was granted, and no others.
    const { tools } = await agent.ask({ list: true })
    expect(tools).toContain('documents_create')
    expect(tools).not.toContain('webhook_endpoints_create')

    // It issues in two steps: first it is shown, and nothing happens.
    const { structuredContent: shown } = await agent.use('documents_create', boleta)
    expect(shown).toMatchObject({ confirmation_required: true, preview: { totals: { total: 1990 } } })
    const list = await agent.use('documents_list', { empresa_rut: rut })
    expect(list.structuredContent.data).toEqual([])
    const confirmed = { ...boleta, confirmation: shown.confirmation.token }
    const { structuredContent: queued } = await agent.use('documents_create', confirmed)
    expect(queued).toMatchObject({ object: 'document', status: 'queued' })
    expect(await acceptedIn(queued.id)).toMatchObject({ folio: 1, totals: { total: 1990 } })

    // What the person set is what it gets: no document above 2,500 pesos, no day above 3,000.
    const large = await agent.use('documents_create', { ...boleta, items: [{ ...boleta.items[0], unit_price: 2600 }] })
    expect(large.structuredContent.error).toMatchObject({
      code: 'agent_limit_exceeded',
      details: { limit: 'max_clp_per_document' },
    })
    const second = await agent.use('documents_create', boleta)
    expect(second.isError).toBe(true)
    expect(second.structuredContent.error).toMatchObject({
      code: 'agent_limit_exceeded',
      details: { limit: 'max_clp_per_day', left: 1010 },
    })

    // The person takes it back, and the next word is refused: neither its token nor a refresh opens anything.
    const grants = await world.get('/dashboard/agent_grants', { session, mode: 'test' })
    expect(grants.body.data).toMatchObject([{ status: 'active', spent_today: 1990, two_steps: true }])
    const gone = await world.delete(`/dashboard/agent_grants/${grants.body.data[0].id}`, { session, mode: 'test' })
    expect(gone.status).toBe(204)
    const said = [await agent.ask({ list: true }), await agent.hear()]
    expect(said).toContainEqual({ failed: 'unauthorized' })
    expect(said).toContainEqual({ authorize: expect.stringContaining('/oauth/authorize?') })
  })
})
