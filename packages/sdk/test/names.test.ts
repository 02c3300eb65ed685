import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'

const read = (path: string) => readFileSync(new URL(`../../../${path}`, import.meta.url), 'utf8')

describe('a type of the SDK', () => {
  it('has the name of its schema in the contract; only queries have none there', () => {
    const schemas = ['v1', 'bootstrap'].flatMap((name) =>
      Object.keys(JSON.parse(read(`openapi/${name}.json`)).components.schemas),
    )
    const types = read('packages/sdk/src/generated/types.ts').matchAll(/^export (?:interface|type) (\w+)/gm)
    const names = [...types].map(([, name]) => name ?? '')
    expect(names.length).toBeGreaterThan(150)
    expect(names.filter((name) => !schemas.includes(name) && !name.endsWith('Query'))).toEqual([])
    // Of what is sent and answered at the first call of everybody.
    expect(names).toEqual(expect.arrayContaining(['DocumentCreate', 'Document', 'DocumentListQuery', 'SiiStatus']))
  })
})
