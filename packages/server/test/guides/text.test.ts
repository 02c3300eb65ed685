import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { quotingGuides, regionOf, withQuotes } from '../../../../scripts/guide-quotes.ts'
import { blocksOf } from '../support/guide-blocks.ts'

const root = new URL('../../../../', import.meta.url)
const GUIDES = [...quotingGuides()]

describe('a guide', () => {
  it.each(GUIDES)('%s quotes the examples as they are: npm run generate writes them anew', (path, text) => {
    expect(readFileSync(new URL(path, root), 'utf8')).toBe(text)
  })

  it.each(GUIDES)('%s names no address of a server: its page puts in its own', (_, text) => {
    expect(text).not.toMatch(/(?:127\.0\.0\.1|localhost):3000/)
  })

  it.each(GUIDES)('%s closes every fence, and says the language of each', (_, text) => {
    const fences = text.split('\n').filter((line) => line.startsWith('```'))
    expect(fences.length % 2).toBe(0)
    for (const [i, fence] of fences.entries()) expect(fence).toMatch(i % 2 === 0 ? /^```\w+/ : /^```$/)
  })
})

describe('the guides', () => {
  const text = new Map(GUIDES)
  const english = [...text.keys()].filter((path) => !path.includes('/es/'))

  it('are at least those that an integrator asks for', () => {
    const asked = ['first-hour', 'point-of-sale', 'erp', 'webhooks', 'idempotency-and-retries', 'testing', 'errors']
    const more = ['going-live', 'agents', 'tax-month', 'cesion', 'moving-from-another-provider', 'self-hosting']
    for (const name of [...asked, ...more]) expect(english).toContain(`docs/guides/${name}.md`)
  })

  it.each(english)('%s stands in both languages, with the same code and as many headings', (path) => {
    const other = text.get(path.replace('guides/', 'guides/es/')) ?? ''
    expect(blocksOf(other)).toEqual(blocksOf(text.get(path) ?? ''))
    const headings = (one: string) => one.replace(/^```[\s\S]*?^```$/gm, '').match(/^#+ /gm)
    expect(headings(other)).toEqual(headings(text.get(path) ?? ''))
  })
})

describe('a quote', () => {
  it('is the region of a file, without its indent', () => {
    const text = ['{', '  // #region inner', '  a()', '', '    b()', '  // #endregion', '}'].join('\n')
    expect(regionOf(text, 'inner')).toBe('a()\n\n  b()')
    expect(() => regionOf(text, 'outer')).toThrow('there is no #region outer')
  })

  it('is written anew where the file changed, and nothing else is touched', () => {
    const guide = (code: string) =>
      `Before\n\n\`\`\`python file=examples/python/webhooks.py\n${code}\n\`\`\`\n\nAfter\n`
    const file = readFileSync(new URL('examples/python/webhooks.py', root), 'utf8').trimEnd()
    expect(withQuotes(guide('old'))).toBe(guide(file))
    const plain = 'Before\n\n```bash\ncurl -s x\n```\n'
    expect(withQuotes(plain)).toBe(plain)
  })
})
