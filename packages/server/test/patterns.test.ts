import formats from 'ajv-formats'
import { describe, expect, it } from 'vitest'
import { OPERATIONS } from '../src/operations.ts'
import { superlinear } from './support/regex-growth.ts'
import { type Pattern, patternsIn } from './support/source-patterns.ts'

/** They read this repository's own guides, changelog and pages, and nothing that comes from outside. */
const OUR_OWN_TEXT: readonly string[] = [
  'pages/changelog.ts',
  'pages/guide-text.ts',
  'pages/guides.ts',
  'pages/html-to-markdown.ts',
  'pages/markdown-to-html.ts',
  'pages/samples/highlight.ts',
]

const judged = new Map<string, string | null>()

/** Why a pattern may take long, judged once for all the places that write it. */
function reasonOf({ source, flags }: Pattern): string | null {
  const name = `/${source}/${flags}`
  const why = judged.has(name) ? (judged.get(name) ?? null) : superlinear(source, flags)
  judged.set(name, why)
  return why
}

const offenders = (patterns: readonly Pattern[]) =>
  patterns.flatMap((pattern) => {
    const { where, source, flags } = pattern
    const why = reasonOf(pattern)
    return why === null ? [] : [`${where}: /${source}/${flags}: ${why}`]
  })

interface Schema {
  readonly pattern?: string
  readonly format?: string
}

/** The schemas inside what callers send to an operation. */
function schemasOf(tree: unknown): Schema[] {
  if (tree === null || typeof tree !== 'object') return []
  return [tree as Schema, ...Object.values(tree).flatMap(schemasOf)]
}

const sent = OPERATIONS.flatMap(({ id, params, query, body, dashboardBody, mcp }) =>
  schemasOf([params, query, body, dashboardBody, mcp.not === undefined ? mcp.input : null]).map((schema) => ({
    id,
    schema,
  })),
)

/** The patterns of a known format. One may be a function, as ours are, or hold patterns of its own. */
function patternsOf(format: string): Pattern[] {
  try {
    const known = formats.default.get(format as 'email')
    return known instanceof RegExp ? [{ where: format, source: known.source, flags: known.flags }] : []
  } catch {
    return []
  }
}

/** One request must never stop all others: time grows with the text, and no faster. */
describe('patterns that meet what strangers send', () => {
  for (const name of ['server', 'dte']) {
    it(`are linear and written out in packages/${name}/src`, () => {
      const { written, made } = patternsIn(new URL(`../../${name}/src/`, import.meta.url))
      expect(written.length).toBeGreaterThan(50)
      expect(offenders(written.filter(({ where }) => !OUR_OWN_TEXT.includes(where)))).toEqual([])
      expect(made).toEqual([])
    })
  }

  it('are linear in every schema of the operation table, and in the formats that schemas name', () => {
    const patterns = sent.flatMap(({ id, schema }): Pattern[] =>
      typeof schema.pattern === 'string' ? [{ where: id, source: schema.pattern, flags: 'u' }] : [],
    )
    const named = new Set(sent.flatMap(({ schema }) => (typeof schema.format === 'string' ? [schema.format] : [])))
    expect(patterns.length).toBeGreaterThan(10)
    expect(offenders([...patterns, ...[...named].flatMap(patternsOf)])).toEqual([])
  })

  it('are told apart: those whose time is quadratic, cubic or exponential, and those that only look it', () => {
    const growing = [
      /^[A-Za-z0-9+/\r\n]+={0,2}[\r\n]*$/,
      /moneda.*(usd|dolar)/,
      /[T\s]+\d{1,2}:\d{2}.*$/,
      /\s+$/,
      /^(a+)+$/,
      /^(?:a|a)*$/,
      /^(?:de|la|a|al)*$/,
      /^\s*(.*)$/,
      /<TED\b.*?<\/TED>/s,
      /\B(?=(\d{3})+$)/g,
      /a([ab]*c)?/g,
      /^# +(.*)$/m,
      /^(?:\d{1,3}\.?)*x/,
      /(a)\1+b/,
    ]
    const linear = [
      /^[A-Za-z0-9+/\r\n]+(?:={1,2}[\r\n]*)?$/,
      /\s+/g,
      /^\s+/,
      /<([^<>]*)>/g,
      /&(#39|\w+);/g,
      /^\w+(?:\.\w+)*@(?:[a-z0-9]{1,61}\.)+[a-z]{2,63}$/,
      /^(.*)-$/,
      /\b\d+ pesos\b/,
      /^#.*$/m,
      /rut.{0,12}receptor.{0,20}(invalid|no existe)/,
      /(?<![\d.-])0*(\d{7})K/g,
    ]
    const grows = ({ source, flags }: RegExp) => superlinear(source, flags) !== null
    expect(growing.filter((pattern) => !grows(pattern))).toEqual([])
    expect(linear.filter(grows)).toEqual([])
  })
})
