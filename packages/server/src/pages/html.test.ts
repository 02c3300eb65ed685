import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Answer } from '../kernel/answer.ts'
import { messagePage } from './account.ts'
import { html, prose, trusted } from './html.ts'
import { layout, pageAnswer } from './layout.ts'

describe('html', () => {
  it('escapes whatever is put in, in text and in quoted attributes', () => {
    const hostile = `<script>alert("1 & '2'")</script>`
    expect(html`<p title="${hostile}">${hostile}</p>`.text).toBe(
      '<p title="&lt;script&gt;alert(&quot;1 &amp; &#39;2&#39;&quot;)&lt;/script&gt;">' +
        '&lt;script&gt;alert(&quot;1 &amp; &#39;2&#39;&quot;)&lt;/script&gt;</p>',
    )
  })

  it('leaves no character of any text that could open a tag, an entity or an attribute', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        const { text: out } = html`${text}`
        expect(out).not.toMatch(/[<>"']/)
        expect(out.replace(/&(amp|lt|gt|quot|#39);/g, '')).not.toContain('&')
      }),
    )
  })

  it('does not escape its own output twice, in lists and nested lists too', () => {
    const rows = ['a<', 'b'].map((name) => html`<li>${name}</li>`)
    expect(html`<ul>${[rows, [html`<li>c</li>`]]}</ul>`.text).toBe('<ul><li>a&lt;</li><li>b</li><li>c</li></ul>')
  })

  it('writes nothing for null, undefined and booleans, and writes zero', () => {
    expect(html`[${null}${undefined}${false}${true}${0}]`.text).toBe('[0]')
  })

  it('does not take an object that only looks like HTML', () => {
    const forged = { text: '<b>' } as unknown as string
    expect(html`${forged}`.text).toBe('')
    expect(html`${trusted('<b>')}`.text).toBe('<b>')
  })

  it('sets words between backticks as code, and an odd backtick as text', () => {
    expect(prose('use `limit` and `<b>`').text).toBe('use <code>limit</code> and <code>&lt;b&gt;</code>')
    expect(prose('a ` b').text).toBe('a ` b')
  })
})

describe('a page', () => {
  it('is a whole document in its language, with its title escaped', () => {
    const { text } = layout({ title: '<x>', lang: 'es-CL', body: html`<h1>Hola</h1>` })
    expect(text).toContain('<html lang="es-CL">')
    expect(text).toContain('<title>&lt;x&gt; · Timbre</title>')
    expect(text.startsWith('<!doctype html>')).toBe(true)
  })

  it('allows its own stylesheet by hash and nothing else, no script at all', async () => {
    for (const small of [false, true]) await expectOwnStyle(pageAnswer({ title: 'x', small, body: html`` }, 404))
  })

  it('is under 8 kB where it only says that something went wrong', () => {
    const page = messagePage('No pudimos confirmar tu correo', 'El enlace ya no sirve.', { status: 400 })
    expect(Buffer.byteLength(page.body ?? '')).toBeLessThan(8_000)
  })

  async function expectOwnStyle({ headers, body, status }: Answer): Promise<void> {
    const policy = headers['Content-Security-Policy'] ?? ''
    const [, style = ''] = /<style>([\s\S]*?)<\/style>/.exec(body ?? '') ?? []
    const digest = Buffer.from(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(style)))
    expect(policy).toContain(`style-src 'sha256-${digest.toString('base64')}'`)
    expect(policy).toContain("default-src 'none'")
    expect(policy).not.toMatch(/unsafe|script-src/)
    expect(body).not.toMatch(/<script| style="/)
    expect([status, headers['Referrer-Policy']]).toEqual([404, 'no-referrer'])
  }
})
