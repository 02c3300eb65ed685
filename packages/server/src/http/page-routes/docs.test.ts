import { createHash } from 'node:crypto'
import { gunzipSync, gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { postmanFaults } from '../../../test/support/postman-format.ts'
import { openWorld, type Sent, type World } from '../../../test/support/world.ts'
import { ERROR_CODES } from '../../catalog/errors.ts'
import { EVENT_TYPES } from '../../catalog/events.ts'
import { DELIVERY_HEADERS } from '../../catalog/headers.ts'
import { BUCKETS } from '../../catalog/limits.ts'
import { OPERATIONS } from '../../operations.ts'
import { changelogFeed, changelogPage, parseChangelog, readChangelog } from '../../pages/changelog.ts'
import { closestMatches } from '../../pages/closest-match.ts'
import { resourcesOf } from '../../pages/reference/resources.ts'
import { WORDED } from '../../pages/search-words.ts'
import { docsRoutes } from './docs.ts'

const addresses = {
  public_url: 'http://timbre.test',
  base_url: 'http://timbre.test/v1',
  docs_url: 'http://timbre.test/docs',
  public_link_base: 'http://timbre.test',
  reception_domain: 'recepcion.timbre.test',
  operator_email: 'operador@timbre.test',
}

let world: World
beforeAll(async () => {
  world = await openWorld({ plain: () => docsRoutes(OPERATIONS, addresses) })
})
afterAll(() => world.close())

const RESOURCES = resourcesOf(OPERATIONS)

const linksOf = (text: string) => [...text.matchAll(/href="(\/[^"]*)"/g)].map(([, href]) => href as string)

describe('the documentation', () => {
  it('200 serves every page as HTML that runs our one script at most and is never framed', async () => {
    const resources = RESOURCES.map(({ path }) => path)
    const others = ['/', '/docs', '/docs/errors', '/docs/events', '/docs/limits', '/docs/guides', '/changelog']
    for (const path of [...others, ...resources]) {
      const sent = await world.get(path)
      expect([path, sent.status]).toEqual([path, 200])
      expect(sent.headers['content-type']).toBe('text/html; charset=utf-8')
      expect(sent.headers['content-security-policy']).toMatch(/default-src 'none'.*frame-ancestors 'none'/)
      expect(sent.headers['svc-request-id']).toMatch(/^req_/)
      const [inline, ours, ...more] = sent.text.match(/<script[\s\S]*?<\/script>/g) ?? []
      expect(ours).toMatch(
        /^<script src="\/docs\/assets\/docs\.js\?v=[^"]+" integrity="sha256-[^"]+" defer><\/script>$/,
      )
      expect(more).toEqual([])
      const hash = createHash('sha256').update(inline?.slice('<script>'.length, -'</script>'.length) ?? '')
      expect(sent.headers['content-security-policy']).toContain(`script-src 'self' 'sha256-${hash.digest('base64')}';`)
      expect(sent.text).not.toMatch(/\sstyle="|\son\w+="/)
    }
  })

  it('links only to pages and anchors that exist', async () => {
    const external = /^\/openapi\//
    const missing: string[] = []
    const seen = new Map<string, Sent>()
    const page = async (path: string) => {
      const sent = seen.get(path) ?? (await world.get(path))
      seen.set(path, sent)
      return sent
    }
    for (const path of [
      '/',
      '/docs',
      ...RESOURCES.map(({ path: one }) => one),
      '/docs/errors',
      '/docs/errors/invalid_field',
      '/docs/events',
      '/docs/limits',
      '/docs/versioning',
      '/docs/guides',
      '/docs/guides/agents',
      '/docs/guides/webhooks',
      '/changelog',
    ]) {
      for (const link of new Set(linksOf((await page(path)).text))) {
        if (external.test(link)) continue
        // The choice of a language leaves the address again by a redirect.
        const [at = '', anchor] = link.replace(/\?lang=\w+/, '').split('#')
        const target = await page(at)
        expect([path, link, target.status]).toEqual([path, link, 200])
        if (anchor && !target.text.includes(`id="${anchor}"`)) missing.push(`${path} -> ${link}`)
      }
    }
    expect(missing).toEqual([])
  })

  it('200 describes every operation on exactly one page, with its method, path, scope and codes', async () => {
    expect(RESOURCES.flatMap(({ operations }) => operations.map(({ id }) => id)).sort()).toEqual(
      OPERATIONS.map(({ id }) => id).sort(),
    )
    for (const { path: page, operations } of RESOURCES) {
      const { text } = await world.get(page)
      for (const { id, method, path, api, scope, errors } of operations) {
        const section = text.slice(text.indexOf(`<section class="op" id="${id}">`)).split('</section>')[0] ?? ''
        expect(section).toContain(`>${method}</span> <span>${api === 'v1' ? '/v1' : ''}${path}</span>`)
        if (scope) expect(section).toContain(`<code>${scope}</code>`)
        for (const code of errors) expect(section).toContain(`href="/docs/errors/${code}"`)
      }
    }
  })

  it('200 gives every operation a line on the index, with the anchor of the page that the reference once was', async () => {
    const { text } = await world.get('/docs')
    for (const { path, operations } of RESOURCES)
      for (const { id } of operations) {
        expect(text).toContain(`<li id="${id}">`)
        expect(text).toContain(`href="${path}#${id}"`)
      }
  })

  it('200 names nested fields as error.param does, each with an anchor of its own', async () => {
    const { text } = await world.get('/docs/reference/cold_start')
    expect(text).toContain(
      '<li id="account.register.bootstrap.empresa.rut"><a href="#account.register.bootstrap.empresa.rut"',
    )
    expect(text).toContain('<code>bootstrap.empresa.rut</code>')
  })

  it('has no page heavier than 150 KB, and no anchor twice', async () => {
    const heavy: string[] = []
    for (const path of ['/docs', '/docs/errors', '/docs/events', ...RESOURCES.map((resource) => resource.path)]) {
      const { text } = await world.get(path)
      const size = Buffer.byteLength(text)
      if (size > 150 * 1024) heavy.push(`${path} ${size}`)
      const ids = [...text.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id)
      expect([path, ids.filter((id, place) => ids.indexOf(id) !== place)]).toEqual([path, []])
    }
    expect(heavy).toEqual([])
  })

  it.each(['/docs', '/docs/errors/invalid_rut'])(
    '200 of %s compressed to whoever takes that, and 304 to whoever has it',
    async (path) => {
      const plain = await world.get(path)
      expect(plain.headers['content-encoding']).toBeUndefined()
      const { etag = '' } = plain.headers as Record<string, string>
      const packed = await world.get(path, { headers: { 'accept-encoding': 'br, gzip' } })
      expect([packed.headers['content-encoding'], packed.headers.etag]).toEqual(['gzip', etag])
      expect(gunzipSync(packed.bytes).toString()).toBe(plain.text)
      expect((await world.get(path, { headers: { 'accept-encoding': 'gzip;q=0' } })).text).toBe(plain.text)
      const known = await world.get(path, { headers: { 'if-none-match': etag } })
      expect([known.status, known.text]).toEqual([304, ''])
    },
  )

  it('200 lists every event type', async () => {
    const { text } = await world.get('/docs/events')
    for (const type of EVENT_TYPES) expect(text).toContain(`id="${type}"`)
  })

  it('200 says of every header of a delivery what it holds', async () => {
    const { text } = await world.get('/docs/events')
    for (const { name } of DELIVERY_HEADERS) expect(text).toContain(`<td><code>${name}</code></td>`)
    expect(text).toContain('HMAC-SHA256')
  })

  it('200 names every limit by its address, and every time by its unit', async () => {
    const { text } = await world.get('/docs/limits')
    for (const name of Object.keys(BUCKETS)) expect(text).not.toContain(`<code>${name}</code>`)
    for (const said of ['1 hour<', '24 hours<', '15 minutes<', '12 months<']) expect(text).toContain(said)
  })

  it('405 method_not_allowed to anything but GET and HEAD', async () => {
    const sent = await world.post('/docs')
    expect([sent.status, sent.body.error.code, sent.headers.allow]).toEqual([405, 'method_not_allowed', 'GET, HEAD'])
    const head = await world.call('HEAD', '/docs')
    expect(head.status).toBe(200)
  })
})

describe('/docs/errors/{code}', () => {
  it('200 explains every code of the dictionary', async () => {
    for (const code of ERROR_CODES)
      expect([code, (await world.get(`/docs/errors/${code}`)).status]).toEqual([code, 200])
    const { text } = await world.get('/docs/errors/rate_limited')
    for (const fact of ['429', 'rate_limit_error', 'Too many requests.', 'Retry-After']) expect(text).toContain(fact)
  })

  it('200 is where the doc_url of an error leads', async () => {
    const { error } = (await world.get('/v1/account')).body
    const { status, text } = await world.get(new URL(error.doc_url).pathname)
    expect(status).toBe(200)
    expect(text).toContain(error.code)
  })

  it('404 with what may have been meant', async () => {
    const sent = await world.get('/docs/errors/idempotency_in_progres')
    expect(sent.status).toBe(404)
    expect(sent.headers['content-type']).toBe('text/html; charset=utf-8')
    expect(sent.text).toContain('href="/docs/errors/idempotency_in_progress"')
  })

  it('404 escapes what was asked for and survives nonsense', async () => {
    const hostile = encodeURIComponent('<script>alert(1)</script>')
    const sent = await world.get(`/docs/errors/${hostile}`)
    expect(sent.status).toBe(404)
    expect(sent.text).not.toContain('<script>alert')
    for (const nonsense of ['__proto__', 'constructor', 'toString', 'x'.repeat(400)]) {
      expect((await world.get(`/docs/errors/${nonsense}`)).status).toBe(404)
    }
  })

  it('suggests by edits and by shared words, and nothing for a stranger', () => {
    expect(closestMatches('invalid_filed', ERROR_CODES, 5)[0]).toBe('invalid_field')
    expect(closestMatches('empresa_missing', ERROR_CODES, 5).every((code) => /empresa|missing/.test(code))).toBe(true)
    expect(closestMatches('zzzzzzzzzzzzzzz', ERROR_CODES, 5)).toEqual([])
  })
})

describe('the search', () => {
  interface Index {
    readonly rows: readonly (readonly [kind: string, name: string, address: string, words: string, also?: string])[]
    readonly fields: readonly (readonly [owner: string, address: string, paths: string])[]
  }

  it('200 finds every operation, field, error, event and guide, at an address that is there', async () => {
    const { rows, fields } = (await world.get('/docs/assets/search.json')).body as Index
    const named = (kind: string) => rows.filter(([one]) => one === kind).map(([, name]) => name)
    expect(named('operation').sort()).toEqual(OPERATIONS.map(({ summary }) => summary).sort())
    expect(named('event')).toEqual([...EVENT_TYPES])
    expect(named('error')).toEqual(expect.arrayContaining([...ERROR_CODES]))
    expect(named('guide')).toContain('Building with agents')
    const found = [
      ...rows.map(([, , address]) => address),
      ...fields.flatMap(([, address, paths]) => paths.split(' ').map((path) => `${address}.${path}`)),
    ]
    expect(found).toContain('/docs/reference/documents#documents.create.items.unit_price')
    expect(found).toContain('/docs/reference/documents#Document.sii.track_id')
    const pages = new Map<string, string>()
    const missing: string[] = []
    for (const address of found) {
      const [path = '', anchor] = address.split('#')
      if (!anchor) continue
      if (!pages.has(path)) pages.set(path, (await world.get(path)).text)
      if (!pages.get(path)?.includes(`id="${anchor}"`)) missing.push(address)
    }
    expect(missing).toEqual([])
  })

  it('knows other words for operations and pages that are there', async () => {
    const { rows } = (await world.get('/docs/assets/search.json')).body as Index
    const led = rows.filter(([, , , , also]) => also !== undefined).map(([, , address]) => address.replace(/.*#/, ''))
    expect(led.sort()).toEqual([...WORDED].sort())
  })

  it('has an index that is small on the wire', async () => {
    const { text } = await world.get('/docs/assets/search.json')
    expect(gzipSync(text).length).toBeLessThan(60_000)
  })
})

describe('what is downloaded', () => {
  interface Item {
    readonly id?: string
    readonly name: string
    readonly item?: readonly Item[]
    readonly request?: { readonly method: string; readonly url: { readonly raw: string; readonly path: string[] } }
  }
  const leaves = (items: readonly Item[]): Item[] => items.flatMap((one) => (one.item ? leaves(one.item) : [one]))

  it('200 is a Postman collection of every operation, with variables in the place of secrets', async () => {
    const { body, text, headers } = await world.get('/openapi/postman.json')
    expect(headers['content-disposition']).toContain('timbre.postman_collection.json')
    expect(postmanFaults(body)).toEqual([])
    const [{ item }] = body.item
    expect(postmanFaults({ ...body, item: [{ name: 'x', item: [{ ...item[0].item[0], request: {} }] }] })).not.toEqual(
      [],
    )
    const items = leaves(body.item)
    expect(items.map(({ id }) => id).sort()).toEqual(OPERATIONS.map(({ id }) => id).sort())
    for (const { id, request } of items) {
      const operation = OPERATIONS.find((one) => one.id === id)
      const root = operation?.api === 'v1' ? '{{base_url}}' : '{{public_url}}'
      const path = operation?.path.replace(/\{(\w+)\}/g, ':$1') ?? ''
      expect([request?.method, request?.url.raw.split('?')[0]]).toEqual([operation?.method, root + path])
      expect(`/${request?.url.path.join('/')}`).toBe(path)
    }
    expect(text).not.toMatch(/sk_(test|live)_[a-z0-9]{8}/)
    const known = body.variable.map(({ key }: { key: string }) => key)
    for (const [, used] of text.matchAll(/\{\{(\w+)\}\}/g)) expect(known).toContain(used)
  })

  it('200 is everything in one text, for whoever would rather read once', async () => {
    const { text, headers } = await world.get('/llms-full.txt')
    expect(headers['content-type']).toBe('text/plain; charset=utf-8')
    for (const { summary } of OPERATIONS) expect(text).toContain(`## ${summary}\n`)
    expect(text).toContain('# Building with agents')
  })

  it('302 from what was no page of its own to the index, which knows where its operations are', async () => {
    const sent = await world.get('/docs/reference/tax')
    expect([sent.status, sent.headers.location]).toEqual([302, '/docs'])
  })
})

describe('an address that nothing is served at', () => {
  const browser = { headers: { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' } }

  it('404 is a page to a browser, with those it may have meant, and the error to a program', async () => {
    const page = await world.get('/docs/reference/document', browser)
    expect([page.status, page.headers['content-type']]).toEqual([404, 'text/html; charset=utf-8'])
    expect(page.text).toContain('href="/docs/reference/documents"')
    for (const headers of [{}, { accept: '*/*' }, { accept: 'application/json' }]) {
      const sent = await world.get('/docs/reference/document', { headers })
      expect([sent.status, sent.body.error.code]).toEqual([404, 'route_not_found'])
    }
  })

  it('404 stays the error where programs call, whoever asks', async () => {
    for (const path of ['/v1/nothing', '/dashboard/nothing', '/account/nothing', '/v1'])
      expect((await world.get(path, browser)).headers['content-type']).toBe('application/json; charset=utf-8')
    expect((await world.post('/docs/nothing', browser)).body.error.code).toBe('route_not_found')
  })

  it('404 shows what was asked for as text', async () => {
    const { text } = await world.get('/docs/%3Cscript%3Ealert(1)%3C/script%3E', browser)
    expect(text).not.toContain('<script>alert')
  })
})

describe('/', () => {
  it('200 shows a first call with a RUT of its own for each reader', async () => {
    const [first, second] = [await world.get('/'), await world.get('/')]
    const rut = (text: string) => /&quot;rut&quot;: &quot;(\d+-[\dK])&quot;/.exec(text)?.[1]
    expect(rut(first.text)).toMatch(/^\d{8}-[\dK]$/)
    expect(rut(first.text)).not.toBe(rut(second.text))
  })
})

const LOG = `# Changelog

Introduction.

## 2026-02-01

- First line
  that wraps
- Uses \`code\`, **bold** and a [link](https://example.cl/a?b=1&c=2)
- Is not [fooled](javascript:alert(1)) by <b>tags</b>

## [1.1.0] - 2026-03-05

### Added

A paragraph.

## Unreleased

- Hidden
`

describe('the changelog', () => {
  const entries = parseChangelog(LOG)

  it('reads dated headings, newest first, and nothing that has no date', () => {
    expect(entries.map(({ name, date }) => [name, date])).toEqual([
      ['1.1.0', '2026-03-05'],
      ['', '2026-02-01'],
    ])
    expect(parseChangelog('## 1.0.0 - 2026-01-01\r\n\r\n- a\r\n')[0]).toEqual({
      name: '1.0.0',
      date: '2026-01-01',
      text: '- a',
    })
  })

  it('renders lists, code, bold and links, and lets no HTML or foreign scheme through', () => {
    const { body } = changelogPage(entries)
    expect(body).toContain('<li>First line that wraps</li>')
    expect(body).toContain(
      '<code>code</code>, <strong>bold</strong> and a <a href="https://example.cl/a?b=1&amp;c=2">link</a>',
    )
    expect(body).not.toContain('href="javascript')
    expect(body).toContain('&lt;b&gt;tags')
    expect(body).not.toContain('Hidden')
  })

  it('says so when an installed server comes without the file', async () => {
    const none = await readChangelog(new URL('file:///nowhere/CHANGELOG.md'))
    expect(none).toEqual([])
    expect(changelogPage(none).body).toContain('Nothing is recorded here yet.')
    expect(changelogFeed(none, addresses).status).toBe(200)
  })

  it('is a feed with one dated item an entry, its HTML escaped once more', () => {
    const { body, headers } = changelogFeed(entries, addresses)
    expect(headers['Content-Type']).toBe('application/rss+xml; charset=utf-8')
    expect(body?.match(/<item>/g)).toHaveLength(2)
    expect(body).toContain('<pubDate>Thu, 05 Mar 2026 12:00:00 GMT</pubDate>')
    expect(body).toContain('<guid isPermaLink="true">http://timbre.test/changelog#2026-03-05-1.1.0</guid>')
    expect(body).toContain('&lt;li&gt;First line that wraps&lt;/li&gt;')
    expect(body).not.toMatch(/<li>/)
  })
})
