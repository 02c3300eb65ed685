import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openWorld, type World } from '../../../test/support/world.ts'
import type { Guide } from '../../pages/guides.ts'
import { guideRoutes } from './guides.ts'

const guide = (name: string, title: string): Guide => {
  const text = `# ${title}\n\nAbout it.\n\n## Primera parte\n\nSee [hooks](webhooks.md#primera-parte).\n\n\`\`\`sh\ncurl x\n\n\`\`\`\n`
  return { name, title, about: 'About it.', text }
}
const ENGLISH = [guide('webhooks', 'Receiving webhooks'), guide('agents', 'Building with agents')]
const SPANISH = [guide('webhooks', 'Recibir webhooks')]

let world: World
beforeAll(async () => {
  world = await openWorld({ plain: () => guideRoutes({ en: async () => ENGLISH, es: async () => SPANISH }) })
})
afterAll(() => world.close())

const spanish = { headers: { cookie: 'other=1; timbre_lang=es' } }

describe('a guide in two languages', () => {
  it('200 at an address for each, in its language, naming the other one', async () => {
    const [en, es] = [await world.get('/docs/guides/webhooks'), await world.get('/docs/es/guides/webhooks')]
    expect([en.status, es.status]).toEqual([200, 200])
    expect(en.text).toContain('<html lang="en">')
    expect(es.text).toContain('<html lang="es-CL">')
    for (const { text } of [en, es]) {
      expect(text).toContain('<link rel="alternate" hreflang="es-CL" href="/docs/es/guides/webhooks">')
      expect(text).toContain('<link rel="alternate" hreflang="en" href="/docs/guides/webhooks">')
    }
    expect(en.text).toContain('href="/docs/es/guides/webhooks?lang=es"')
    expect(es.text).toContain('href="/docs/guides/webhooks?lang=en"')
    expect(es.text).toContain('href="/docs/es/guides/webhooks#primera-parte"')
    expect(es.text).toContain('<h2 id="primera-parte">')
  })

  it('302 to the clean address once a language is chosen, which is then remembered', async () => {
    const chosen = await world.get('/docs/es/guides/webhooks?lang=es')
    expect([chosen.status, chosen.headers.location]).toEqual([302, '/docs/es/guides/webhooks'])
    expect(chosen.headers['set-cookie']).toContain('timbre_lang=es; Path=/docs;')
    for (const [path, to] of [
      ['/docs/guides/webhooks', '/docs/es/guides/webhooks'],
      ['/docs/guides', '/docs/es/guides'],
    ] as const) {
      const sent = await world.get(path, spanish)
      expect([sent.status, sent.headers.location]).toEqual([302, to])
    }
    const back = await world.get('/docs/guides/webhooks?lang=en', spanish)
    expect([back.headers.location, back.headers['set-cookie']]).toEqual([
      '/docs/guides/webhooks',
      expect.stringContaining('timbre_lang=en'),
    ])
  })

  it.each([
    '/docs/guides',
    '/docs/es/guides',
    '/docs/guides/webhooks',
    '/docs/es/guides/webhooks',
    '/docs/guides/webhooks.md',
    '/docs/guides.md',
  ])('304 of %s to whoever has it, and packed to whoever takes that', async (path) => {
    const { etag = '', vary = '' } = (await world.get(path)).headers
    const again = await world.get(path, { headers: { 'if-none-match': etag } })
    expect([again.status, again.text, again.headers.etag]).toEqual([304, '', etag])
    const packed = await world.get(path, { headers: { 'accept-encoding': 'gzip' } })
    expect([packed.status, packed.headers['content-encoding'], packed.headers.etag]).toEqual([200, 'gzip', etag])
    // A page depends on the language that is remembered, its Markdown does not.
    expect(vary).toBe(path.endsWith('.md') ? 'Accept-Encoding' : 'Cookie, Accept-Encoding')
  })

  it('302 to the language that is remembered, even to whoever has this page', async () => {
    const { etag = '' } = (await world.get('/docs/guides/webhooks')).headers
    const headers = { ...spanish.headers, 'if-none-match': etag }
    expect((await world.get('/docs/guides/webhooks', { headers })).status).toBe(302)
  })

  it('404 is kept by nobody', async () => {
    for (const path of ['/docs/guides/nothing', '/docs/guides/nothing.md']) {
      const { status, headers } = await world.get(path)
      expect([status, headers.etag]).toEqual([404, undefined])
    }
  })

  it('200 in the language there is, whatever is remembered, and whatever a cookie says', async () => {
    const only = await world.get('/docs/guides/agents', spanish)
    expect([only.status, only.text.includes('hreflang=')]).toEqual([200, false])
    expect((await world.get('/docs/guides/webhooks', { headers: { cookie: 'timbre_lang=fr' } })).status).toBe(200)
    expect((await world.get('/docs/guides/agents?lang=es')).headers.location).toBe('/docs/guides/agents')
    expect((await world.get('/docs/guides/agents?lang=%0d%0aX:1')).status).toBe(200)
  })

  it('200 is the very file as Markdown, in each language and untouched by what is remembered', async () => {
    expect((await world.get('/docs/guides/webhooks.md', spanish)).text).toBe(ENGLISH[0]?.text)
    expect((await world.get('/docs/es/guides/webhooks.md')).text).toBe(SPANISH[0]?.text)
    expect((await world.get('/docs/es/guides.md')).text).toContain('[Recibir webhooks](/docs/es/guides/webhooks)')
  })

  it('404 for one that nobody wrote', async () => {
    for (const path of ['/docs/es/guides/agents', '/docs/es/guides/agents.md', '/docs/guides/nothing'])
      expect([path, (await world.get(path)).status]).toEqual([path, 404])
  })
})
