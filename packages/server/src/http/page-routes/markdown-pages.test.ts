import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openWorld, type World } from '../../../test/support/world.ts'
import { OPERATIONS } from '../../operations.ts'
import { markdownOf } from '../../pages/html-to-markdown.ts'
import { docsRoutes } from './docs.ts'

const public_url = 'http://timbre.test'
const addresses = {
  public_url,
  base_url: `${public_url}/v1`,
  docs_url: `${public_url}/docs`,
  public_link_base: public_url,
  reception_domain: 'recepcion.timbre.test',
  operator_email: 'operador@timbre.test',
}
let world: World

beforeAll(async () => {
  world = await openWorld({ plain: () => docsRoutes(OPERATIONS, addresses) })
})
afterAll(() => world.close())

const PAGES = [
  '/docs',
  '/docs/reference/documents',
  '/docs/reference/cold_start',
  '/docs/errors',
  '/docs/events',
  '/docs/limits',
  '/docs/guides',
  '/changelog',
]

describe('the Markdown of a page', () => {
  it('200 stands at the same address with .md, and says what the page says', async () => {
    for (const path of [...PAGES, '/docs/errors/rate_limited', '/docs/guides/agents']) {
      const page = await world.get(path)
      const markdown = await world.get(`${path}.md`)
      expect([path, markdown.status, markdown.headers['content-type']]).toEqual([
        path,
        200,
        'text/markdown; charset=utf-8',
      ])
      const titles = [...page.text.matchAll(/<h[12][^>]*>(?:<(?:code|a)[^>]*>)*([^<]+)/g)].map(([, title]) => title)
      expect(titles.length).toBeGreaterThan(0)
      for (const title of titles) expect(markdown.text).toContain(title)
      expect(markdown.text).not.toMatch(/<\/?(p|div|section|table|tr|td|code|a|h\d)[ >]/)
    }
  })

  it('describes every operation, its fields and examples in each language', async () => {
    const { text: index } = await world.get('/docs.md')
    for (const { summary } of OPERATIONS) expect(index).toContain(`[${summary}](/docs/reference/`)
    expect(index).toContain('| Scope | Grants | How it is given |\n|---|---|---|\n| `documents:read` |')
    const { text } = await world.get('/docs/reference/documents.md')
    expect(text).toContain('\n## Issue a document\n')
    expect(text).toContain('\n- `receptor.rut` RUT **required**')
  })

  it('404 for what has no page, in Markdown too', async () => {
    for (const path of [
      '/docs/errors/no_such_code.md',
      '/docs/guides/no_such_guide.md',
      '/docs/guides/no_such_guide',
    ]) {
      expect([path, (await world.get(path)).status]).toEqual([path, 404])
    }
    expect((await world.get('/docs/guides/..%2f..%2fpackage.json')).status).toBe(404)
  })

  it('keeps code as it is written, and bars out of the way of a table', () => {
    const page =
      '<main><pre><code>a  &lt;b&gt;\n  c</code></pre><table><tr><td>x | y</td><td><code>z</code></td></tr></table></main>'
    expect(markdownOf(page)).toBe('```\na  <b>\n  c\n```\n\n| x \\| y | `z` |\n')
  })
})

describe('/llms.txt', () => {
  it('200 says what this is, where agents come in, and links to pages that exist', async () => {
    const { status, headers, text } = await world.get('/llms.txt')
    expect([status, headers['content-type']]).toEqual([200, 'text/plain; charset=utf-8'])
    expect(text).toMatch(/^# Timbre\n\n> /)
    expect(text).toContain('http://timbre.test/mcp')
    const links = [...text.matchAll(/\]\(http:\/\/timbre\.test(\/[^)]+)\)/g)].map(([, path]) => path as string)
    expect(links.length).toBeGreaterThan(7)
    for (const link of links.filter((path) => !path.startsWith('/openapi/'))) {
      expect([link, (await world.get(link)).status]).toEqual([link, 200])
    }
    expect(links).toContain('/docs/guides/agents.md')
  })
})

describe('a guide', () => {
  it('200 is a page with its code, tables and lists, and its Markdown is the very file', async () => {
    const { text } = await world.get('/docs/guides/agents')
    expect(text).toContain('<code class="language-bash">export TIMBRE=http://timbre.test')
    expect(text).toContain('<td><code>confirmation_mismatch</code></td>')
    expect(text).toContain('<ol><li>')
    expect((await world.get('/docs/guides/agents.md')).text).toMatch(/^# Building with agents\n/)
  })
})
