import { readFileSync } from 'node:fs'
import { validate } from '@readme/openapi-parser'
import { Validator } from '@seriousme/openapi-schema-validator'
import { describe, expect, it } from 'vitest'
import { parse, parseDocument, visit } from 'yaml'
import { generatedFiles } from '../src/generated.ts'
import { yamlOf } from '../src/openapi/document.ts'
import { OPERATIONS } from '../src/operations.ts'
import { IN_FULL } from './support/in-full.ts'

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

    // Both are written by one function. To read the forty thousand lines of the larger one takes seconds.
    const is_left = name === 'v1' && !IN_FULL
    it.skipIf(is_left)(`openapi/${name}.yaml says the same as the JSON, to a reader of YAML 1.1 too`, () => {
      const text = committed(`openapi/${name}.yaml`)
      const read = parseDocument(text)
      expect(read.toJS()).toEqual(JSON.parse(committed(`openapi/${name}.json`)))
      // The readers differ in what they take an unquoted word for, and in nothing else that we write.
      const plain = new Map<string, unknown>()
      visit(read, {
        Scalar: (_, { type, source, value }) => void (type === 'PLAIN' && plain.set(source ?? '', value)),
      })
      const words = [...plain.keys()]
      const taken = parse(words.map((word) => `- ${word}\n`).join(''), { version: '1.1' })
      expect(words.length).toBeGreaterThan(100)
      expect(taken).toEqual([...plain.values()])
      expect(text).not.toMatch(/^\s*(- |[^:\n]+: )?(=|<<)(:|$)/m)
    })
  }

  it('quote whatever YAML 1.1 would take for something else than text', () => {
    const words = [
      '=',
      '<<',
      'yes',
      'No',
      'on',
      'OFF',
      'y',
      'n',
      '1_000',
      '12:30:45',
      '2026-11-16',
      '0777',
      '0b1',
      '~',
      '1e3',
      '.5',
    ]
    const text = yamlOf({ words, '=': 'a', on: 'b', '2026-11-16': 'c' })
    expect(parse(text, { version: '1.1' })).toEqual({ words, '=': 'a', on: 'b', '2026-11-16': 'c' })
    for (const word of words) expect(text).toContain(`- "${word}"\n`)
  })

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
