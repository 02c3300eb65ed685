import { describe, expect, it } from 'vitest'
import { CEILINGS } from '../src/catalog/limits.ts'
import { routesOf } from '../src/http/routes.ts'
import { OPERATIONS } from '../src/operations.ts'

interface Schema {
  readonly type?: string | readonly string[]
  readonly enum?: unknown
  readonly const?: unknown
  readonly maxLength?: number
  readonly maxItems?: number
  readonly maxProperties?: number
  readonly properties?: Readonly<Record<string, Schema>>
  readonly additionalProperties?: boolean | Schema
  readonly items?: Schema
  readonly anyOf?: readonly Schema[]
  readonly oneOf?: readonly Schema[]
  readonly allOf?: readonly Schema[]
}

/** Whatever stands there is refused by its name alone, so nobody looks into it. */
const NEVER_TAKEN = ['empresas.update body.ambiente']

/** What a schema leaves without an end: a text, a list, an object of any number of names, or anything at all. */
function endless(schema: Schema, at: string): string[] {
  if (schema.enum !== undefined || schema.const !== undefined) return []
  const types = [schema.type ?? []].flat()
  const branches = [...(schema.anyOf ?? []), ...(schema.oneOf ?? []), ...(schema.allOf ?? [])]
  const open = types.includes('object') && schema.additionalProperties !== false
  const inner = [
    ...Object.entries(schema.properties ?? {}).map(([name, one]) => [one, `${at}.${name}`] as const),
    ...(schema.items ? [[schema.items, `${at}[]`] as const] : []),
    ...(typeof schema.additionalProperties === 'object' ? [[schema.additionalProperties, `${at}.*`] as const] : []),
    ...branches.map((one) => [one, at] as const),
  ]
  return [
    ...(types.length === 0 && branches.length === 0 ? [`${at} may be anything`] : []),
    ...(types.includes('string') && schema.maxLength === undefined ? [`${at} has no maxLength`] : []),
    ...(types.includes('array') && schema.maxItems === undefined ? [`${at} has no maxItems`] : []),
    ...(open && schema.maxProperties === undefined ? [`${at} has no maxProperties`] : []),
    ...inner.flatMap(([one, where]) => endless(one, where)),
  ].filter((found) => !NEVER_TAKEN.some((name) => found.startsWith(`${name} `)))
}

describe('what an operation takes', () => {
  it('has an end everywhere: texts, lists and free objects are bounded in every schema', () => {
    const found = OPERATIONS.flatMap(({ id, params, query, body, dashboardBody, mcp }) => {
      const parts = { params, query, body, dashboardBody, mcp: mcp.not === undefined ? mcp.input : undefined }
      return Object.entries(parts).flatMap(([part, schema]) =>
        schema ? endless(schema as Schema, `${id} ${part}`) : [],
      )
    })
    expect(found).toEqual([])
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
