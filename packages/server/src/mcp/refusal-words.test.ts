import { describe, expect, it } from 'vitest'
import { ERRORS, type ErrorCode } from '../catalog/errors.ts'
import { codesOf } from '../domain/operation-codes.ts'
import { Problem } from '../kernel/problem.ts'
import { OPERATIONS } from '../operations.ts'
import { AGENT_WORDS } from './refusal-words.ts'
import { problemResult } from './result.ts'
import { toolTerms } from './terms.ts'

/** An agent has neither a key nor a session. */
const OF_OTHERS: readonly string[] = ['invalid_api_key', 'invalid_session']
const TOOLS = OPERATIONS.filter(({ mcp }) => mcp.not === undefined)
const CODES = [...new Set(TOOLS.flatMap(codesOf))].filter((code) => !OF_OTHERS.includes(code))

const inToolTerms = toolTerms(OPERATIONS)
const told = (problem: Problem) =>
  problemResult(problem, { request_id: '', docs_url: '', nameOf: (param) => param, inToolTerms }).refusal

describe('a refusal that an agent is told', () => {
  it('names tools and people, and neither keys of the API nor what HTTP calls things', () => {
    const amiss = CODES.map((code) => told(new Problem(code)))
      .map((refusal) => `${refusal?.message} ${refusal?.hint}`)
      .filter((text) =>
        /\bkeys?\b(?<!private key)|Svc-|sk_|\bheader|\bHTTP\b|\b(GET|POST|PUT|PATCH|DELETE) \//.test(text),
      )
    expect(amiss).toEqual([])
    expect(CODES.length).toBeGreaterThan(100)
  })

  it('is in words of its own only for codes that a tool can end with', () => {
    expect(Object.keys(AGENT_WORDS).filter((code) => !(CODES as string[]).includes(code))).toEqual([])
    for (const code of Object.keys(AGENT_WORDS) as ErrorCode[])
      expect(AGENT_WORDS[code]?.hint).not.toBe(ERRORS[code].hint)
  })

  it('names the tool where a text names the route of one thing', () => {
    expect(inToolTerms('record it with PATCH /empresas/emp_1/counterparties/76192083-9.')).toBe(
      'record it with `counterparties_update`.',
    )
    expect(inToolTerms('Read GET /documents/{document_id} and GET /v1/documents.')).toBe(
      'Read `documents_get` and `documents_list`.',
    )
    // What is no tool keeps its route: it has no other name.
    for (const route of ['POST /api_keys', 'GET /documents/export']) expect(inToolTerms(route)).toBe(route)
  })
})
