import { Ajv } from 'ajv'
import type { TObject } from 'typebox'
import { describe, expect, it } from 'vitest'
import { CEILINGS } from '../src/catalog/limits.ts'
import { routesOf } from '../src/http/routes.ts'
import { Closed, MANY_LINES, NOT_PRINTED, OneLine } from '../src/kernel/schema.ts'
import { validate } from '../src/kernel/validate.ts'
import { OPERATIONS } from '../src/operations.ts'

interface Schema {
  readonly [MANY_LINES]?: true
  readonly [NOT_PRINTED]?: true
  readonly contentEncoding?: string
  readonly type?: string | readonly string[]
  readonly enum?: unknown
  readonly const?: unknown
  readonly format?: string
  readonly pattern?: string
  readonly minLength?: number
  readonly maxLength?: number
  readonly maxItems?: number
  readonly maxProperties?: number
  readonly properties?: Readonly<Record<string, Schema>>
  readonly additionalProperties?: boolean | Schema
  readonly propertyNames?: Schema
  readonly items?: Schema
  readonly anyOf?: readonly Schema[]
  readonly oneOf?: readonly Schema[]
  readonly allOf?: readonly Schema[]
}

/** Whatever stands there is refused by its name alone, so nobody looks into it. */
const NEVER_TAKEN = ['empresas.update body.ambiente']

/** The schemas directly inside one, each with its place. */
function inside(schema: Schema, at: string): (readonly [Schema, string])[] {
  const branches = [...(schema.anyOf ?? []), ...(schema.oneOf ?? []), ...(schema.allOf ?? [])]
  return [
    ...Object.entries(schema.properties ?? {}).map(([name, one]) => [one, `${at}.${name}`] as const),
    ...(schema.propertyNames ? [[schema.propertyNames, `${at}.names`] as const] : []),
    ...(schema.items ? [[schema.items, `${at}[]`] as const] : []),
    ...(typeof schema.additionalProperties === 'object' ? [[schema.additionalProperties, `${at}.*`] as const] : []),
    ...branches.map((one) => [one, at] as const),
  ]
}

/** What a schema leaves without an end: a text, a list, an object of any number of names, or anything at all. */
function endless(schema: Schema, at: string): string[] {
  if (schema.enum !== undefined || schema.const !== undefined) return []
  const types = [schema.type ?? []].flat()
  const branches = [...(schema.anyOf ?? []), ...(schema.oneOf ?? []), ...(schema.allOf ?? [])]
  const open = types.includes('object') && schema.additionalProperties !== false
  return [
    ...(types.length === 0 && branches.length === 0 ? [`${at} may be anything`] : []),
    ...(types.includes('string') && schema.maxLength === undefined ? [`${at} has no maxLength`] : []),
    ...(types.includes('array') && schema.maxItems === undefined ? [`${at} has no maxItems`] : []),
    ...(open && schema.maxProperties === undefined ? [`${at} has no maxProperties`] : []),
    ...inside(schema, at).flatMap(([one, where]) => endless(one, where)),
  ].filter((found) => !NEVER_TAKEN.some((name) => found.startsWith(`${name} `)))
}

const wrapped = new Map<string, TObject>()

/** A schema as the only field of a body. Alike ones are compiled once. */
function bodyOf({ type, format, pattern, minLength, maxLength }: Schema): TObject {
  const bare = { type, format, pattern, minLength, maxLength }
  const key = JSON.stringify(bare)
  const made = wrapped.get(key) ?? Closed({ text: JSON.parse(key) })
  wrapped.set(key, made)
  return made
}

const takes = (schema: Schema, text: string) => {
  try {
    validate(bodyOf(schema), { text }, 'body')
    return true
  } catch {
    return false
  }
}

/** Texts that would end their field in a header, a page, a row or an element, and begin another. */
const BREAKING = ['a\nb', 'a\r\nBcc: b', '1\n', '\ta', '\u0085a', 'a\u2028', 'http://a\n.b/', '\u2029']

/** The texts that a schema lets break a line, though nothing says that they are never put into one. */
function breakable(schema: Schema, at: string): string[] {
  const declared = schema[MANY_LINES] || schema[NOT_PRINTED] || schema.contentEncoding !== undefined
  const text = [schema.type ?? []].flat().includes('string') && schema.enum === undefined && schema.const === undefined
  return [
    ...(text && !declared && BREAKING.some((one) => takes(schema, one)) ? [at] : []),
    ...inside(schema, at).flatMap(([one, where]) => breakable(one, where)),
  ]
}

const SENT = OPERATIONS.flatMap(({ id, params, query, body, dashboardBody, mcp }) => {
  const parts = { params, query, body, dashboardBody, mcp: mcp.not === undefined ? mcp.input : undefined }
  return Object.entries(parts).flatMap(([part, schema]) =>
    schema ? [[schema as Schema, `${id} ${part}`] as const] : [],
  )
})

describe('what an operation takes', () => {
  it('is told in schemas that the rules of JSON Schema allow, for nobody looks at them when they are compiled', () => {
    const rules = new Ajv({ strict: false })
    expect(SENT.filter(([schema]) => !rules.validateSchema(schema)).map(([, at]) => at)).toEqual([])
    expect(SENT.length).toBeGreaterThan(100)
    expect(rules.validateSchema({ type: 'object', properties: { a: { maxLength: '5' } } })).toBe(false)
  })

  it('has an end everywhere: texts, lists and free objects are bounded in every schema', () => {
    const found = SENT.flatMap(([schema, at]) => endless(schema, at))
    expect(found).toEqual([])
  })

  it('is one line wherever it is text, unless it is declared to be many or never to be printed', () => {
    expect(SENT.flatMap(([schema, at]) => breakable(schema, at))).toEqual([])
    expect(BREAKING.filter((text) => takes(OneLine(40), text))).toEqual([])
    expect(['Ñandú', ' a', 'a b\u00a0', '料理 🍣'].filter((text) => !takes(OneLine(40), text))).toEqual([])
    expect(['', ' ', '\u00a0\u3000'].filter((text) => takes(OneLine(40), text))).toEqual([])
  })

  it('declares many lines only where no line is made of them', () => {
    const many = (schema: Schema, at: string): string[] => [
      ...(schema[MANY_LINES] ? [at] : []),
      ...inside(schema, at).flatMap(([one, where]) => many(one, where)),
    ]
    const names = SENT.flatMap(([schema]) => many(schema, ''))
    expect([...new Set(names)].sort()).toEqual([
      '.document.items[].detail',
      '.footer_text',
      '.items[].detail',
      '.message',
      '.note',
      '.overrides[].reason',
      '.reason',
    ])
  })

  it('fits the values and the bytes that its body may have, small unless it says otherwise', () => {
    const larger = OPERATIONS.filter(({ body_bytes }) => body_bytes > CEILINGS.json_body_bytes)
    expect(larger.map(({ id, body_bytes }) => [id, body_bytes / 1024]).sort()).toEqual([
      ['branding.update', 512],
      ['cafs.upload', 128],
      ['certificate.upload', 512],
      ['documents.create', 1024],
      ['documents.credit_note', 1024],
      ['documents.previews.create', 1024],
      ['tax.purchases.characterize_many', 128],
      ['tax.statements.create', 10240],
      ['tax.statements.preview', 10240],
      ['test_helpers.rcv.seed', 4096],
      ['test_helpers.received_documents.create', 10240],
    ])
    expect(routesOf(OPERATIONS).every(({ operation }) => operation.body_bytes <= CEILINGS.upload_body_bytes)).toBe(true)
  })
})
