import { describe, expect, it } from 'vitest'
import { CEILINGS } from '../catalog/limits.ts'
import { AccountProblem, errorBody, Problem } from './problem.ts'

const WHERE = { request_id: 'req_1', docs_url: 'https://api.example.cl/docs', empresa: '76192083-9' }
const sizeOf = (value: object) => Buffer.byteLength(JSON.stringify(value))

describe('a refusal', () => {
  it.each([
    ['letters', 'a'],
    ['quotes, which JSON escapes', '"'],
    ['control characters, which take six bytes each', '\u0001'],
    ['letters beyond the plane', '😀'],
    ['halves of them', '\ud83d'],
  ])('is at most 16 KiB, whatever it quotes: %s', (_what, letter) => {
    const long = letter.repeat(2_000_000)
    const details = { [long.slice(0, 50_000)]: 1, values: Array.from({ length: 5_000 }, () => long.slice(0, 100)) }
    const errors = Array.from({ length: 60 }, (_, at) => ({
      param: at + long.slice(0, 5_000),
      code: 'invalid_field' as const,
      message: long.slice(0, 5_000),
    }))
    const problem = new Problem('invalid_field', { message: long, param: long, details, errors })
    expect(sizeOf({ error: errorBody(problem, WHERE) })).toBeLessThan(CEILINGS.error_answer_bytes)
    expect(problem.message.isWellFormed() || letter === '\ud83d').toBe(true)
    const { message, param } = new AccountProblem('invalid_json', { message: long, param: long })
    expect(sizeOf({ message, param })).toBeLessThan(CEILINGS.error_answer_bytes)
  })

  it('tells the beginning of what is long, and leaves the rest as it is', () => {
    const facts = { message: 'note: no.', param: 'note', details: { reason: 'why', list: [1, 2, 3] } }
    expect(new Problem('invalid_field', facts).facts).toEqual(facts)
    const rows = Array.from({ length: 500 }, (_, row) => ({ row, why: 'x'.repeat(900) }))
    const { details } = new Problem('invalid_field', { details: { rows, code: 'a' } }).facts
    expect(details).toMatchObject({
      code: 'a',
      rows: expect.arrayContaining([{ row: 0, why: expect.stringMatching(/^x{100,200}…$/) }]),
    })
    expect(details?.rows).toHaveLength(5)
  })
})
