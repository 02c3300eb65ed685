import { readFileSync } from 'node:fs'
import { validate } from '@readme/openapi-parser'
import { Validator } from '@seriousme/openapi-schema-validator'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { generatedFiles } from '../src/generated.ts'
import { OPERATIONS } from '../src/operations.ts'

const root = new URL('../../../', import.meta.url)
const committed = (name: string) => readFileSync(new URL(name, root), 'utf8')

describe('the committed contracts', () => {
  for (const [name, text] of generatedFiles()) {
    it(`${name} is what the tables say: npm run generate writes it anew`, () => {
      expect(committed(name)).toBe(text)
    })
  }

  for (const name of ['v1', 'bootstrap']) {
    it(`openapi/${name}.json is valid OpenAPI 3.1 to two independent validators`, async () => {
      const contract = JSON.parse(committed(`openapi/${name}.json`))
      expect(await new Validator().validate(structuredClone(contract))).toEqual({ valid: true })
      expect((await validate(structuredClone(contract))).valid).toBe(true)
    })

    it(`openapi/${name}.yaml says the same as the JSON`, () => {
      expect(parse(committed(`openapi/${name}.yaml`))).toEqual(JSON.parse(committed(`openapi/${name}.json`)))
    })
  }

  it('hold every operation of the table exactly once', () => {
    const shown = ['v1', 'bootstrap'].flatMap((name) => {
      const { paths } = JSON.parse(committed(`openapi/${name}.json`)) as {
        paths: Record<string, Record<string, { operationId: string }>>
      }
      return Object.values(paths).flatMap((methods) => Object.values(methods).map(({ operationId }) => operationId))
    })
    expect(shown.sort()).toEqual(OPERATIONS.map(({ id }) => id).sort())
  })
})
