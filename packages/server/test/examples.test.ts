import { readFileSync, writeFileSync } from 'node:fs'
import { isRut } from '@timbre/dte/values'
import { Ajv } from 'ajv'
import formats from 'ajv-formats'
import { beforeAll, describe, expect, it } from 'vitest'
import type { Operation } from '../src/domain/operation.ts'
import { isArtifact } from '../src/kernel/schema.ts'
import { OPERATIONS } from '../src/operations.ts'
import { EXAMPLES_FILE, type Examples } from './examples/example.ts'
import { drift } from './examples/likeness.ts'
import { playExamples } from './examples/play.ts'
import { faultOf } from './support/check-contract.ts'

/** `npm run generate:examples` writes the file: what still holds stays as it is, letter by letter. */
const UPDATES = process.env.UPDATE_EXAMPLES !== undefined
const EVERYTHING = process.env.UPDATE_EXAMPLES === 'all'

const read = (): Examples => JSON.parse(readFileSync(EXAMPLES_FILE, 'utf8'))

function renewed(recorded: Examples, played: Examples): Examples {
  const ids = OPERATIONS.map(({ id }) => id).filter((id) => id in played)
  return Object.fromEntries(
    ids.map((id) => {
      const [before, after] = [recorded[id], played[id]]
      const holds = before && after && !EVERYTHING && drift(before, after) === null
      return [id, holds ? before : after]
    }),
  ) as Examples
}

let played: Examples
let events: readonly unknown[]
let examples: Examples
beforeAll(async () => {
  const play = await playExamples()
  played = play.examples
  events = play.events
  if (UPDATES) writeFileSync(EXAMPLES_FILE, `${JSON.stringify(renewed(read(), played), null, 2)}\n`)
  examples = read()
})

const ajv = new Ajv({ strict: false, allErrors: true, code: { optimize: false } })
formats.default(ajv)
ajv.addFormat('rut', isRut)
for (const format of ['rut_or_all', 'typed_email', 'latin-line', 'latin-text', 'event_pattern', 'duration'])
  if (!(format in ajv.formats)) ajv.addFormat(format, true)

const CONTRACT = 'https://timbre.test/v1.json'

function fits(schema: object | undefined, value: unknown): string | null {
  if (schema === undefined) return value === undefined ? null : 'it takes none'
  return ajv.validate(schema, value) ? null : ajv.errorsText()
}

/** A query as the wire carries it is text; its schema tells numbers. */
const typed = (query: Readonly<Record<string, string>>) =>
  Object.fromEntries(Object.entries(query).map(([name, text]) => [name, /^\d{1,9}$/.test(text) ? Number(text) : text]))

function answered(operation: Operation, body: unknown): string | null {
  const { api, returns } = operation
  if (returns === null) return api === 'v1' ? fits(undefined, body) : null
  if (isArtifact(returns)) return null
  return faultOf(operation, api === 'v1' ? body : (body as { data: unknown }).data)
}

describe('openapi/examples.json', () => {
  it('has one example for every operation, in the order of the table, and no other', () => {
    expect(Object.keys(examples)).toEqual(OPERATIONS.map(({ id }) => id))
  })

  for (const operation of OPERATIONS) {
    it(`${operation.id}: its example fits the schemas, and says what the service says today`, () => {
      const example = examples[operation.id]
      const now = played[operation.id]
      if (!example || !now) throw new Error('npm run generate:examples')
      const { request, response } = example
      expect(fits(operation.body, request.body ?? (operation.body ? {} : undefined))).toBeNull()
      if (operation.query) expect(fits(operation.query, typed(request.query ?? {}))).toBeNull()
      expect(Object.keys(request.params ?? {}).sort()).toEqual(
        [...operation.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name).sort(),
      )
      expect(response.status).toBe(operation.status)
      expect(answered(operation, response.body)).toBeNull()
      expect(drift(example, now)).toBeNull()
    })
  }

  it('left events that are each what the contract says of their type', () => {
    const contract = JSON.parse(readFileSync(new URL('v1.json', EXAMPLES_FILE), 'utf8'))
    const { mapping } = contract.components.schemas.Event.discriminator
    ajv.addSchema({ components: contract.components }, CONTRACT)
    // Each is looked up by its type, as readers of the contract do: to make ready what all types may be takes seconds.
    const wrong = (event: { type: string }) => {
      const check = ajv.getSchema(`${CONTRACT}${mapping[event.type]}`)
      return check?.(event) ? null : ajv.errorsText(check?.errors)
    }
    const kinds = new Set((events as { type: string }[]).map(({ type }) => type.split('.')[0]))
    expect(kinds.size).toBeGreaterThan(8)
    for (const event of events as { type: string }[]) expect([event.type, wrong(event)]).toEqual([event.type, null])
  })

  it('holds nothing that opens anything', () => {
    const text = readFileSync(EXAMPLES_FILE, 'utf8')
    const secrets = /sk_(test|live)_\w{3,}|whsec_\w|eyJ\w|token=\w|PRIVATE KEY|timbre\.test/
    expect(secrets.exec(text)?.[0]).toBeUndefined()
    const shown = Object.values(examples).map(({ request }) => request.headers?.Authorization)
    expect(new Set(shown)).toEqual(new Set([undefined, 'Bearer sk_test_...', 'Bearer sk_live_...', 'Bearer eyJ...']))
  })
})
