import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { MEANINGS } from '@timbre/dte/values'
import { describe, expect, it } from 'vitest'
import { ERROR_CODES, ERRORS, type ErrorCode } from '../src/catalog/errors.ts'
import { EVENT_TYPES } from '../src/catalog/events.ts'
import { FAILURES } from '../src/catalog/failures.ts'
import { BUCKETS, EMAIL_BUCKETS } from '../src/catalog/limits.ts'
import { SCOPES } from '../src/catalog/scopes.ts'
import { SII_ANSWERS } from '../src/catalog/sii-answers.ts'
import { FAILURE_CODES } from '../src/domain/banking/connection/problems.ts'
import { FAILURES as DOCUMENT_FAILURES } from '../src/domain/issuing/document/fail.ts'
import { codesOf } from '../src/domain/operation-codes.ts'
import { Job } from '../src/domain/platform/job/operations.ts'
import { routesOf } from '../src/http/routes.ts'
import { JOBS } from '../src/jobs.ts'
import { LOCKS } from '../src/kernel/locks.ts'
import { MACHINES } from '../src/machines.ts'
import { OPERATIONS } from '../src/operations.ts'

const SRC = fileURLToPath(new URL('../src/', import.meta.url))
const sources = readdirSync(SRC, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
  .map((name) => ({ name, text: readFileSync(`${SRC}${name}`, 'utf8') }))
const code = sources.filter(({ name }) => /^(kernel|domain|sandbox|http|mcp|oauth|worker)\//.test(name))
const mentions = (word: string) => code.some(({ text }) => text.includes(`'${word}'`))

/**
 * Published with the contract and raised by operations that are still to come (or, as the contract says of
 * `plan_limit_reached` and of the older code for a tipo on a channel, never). A code leaves this list the day an
 * operation declares it: the test below fails until it does.
 */
const AWAITED: readonly ErrorCode[] = ['doc_type_not_supported_on_channel', 'plan_limit_reached', 'sii_propagation']

/** Raised by the server before an operation is found, so that none declares them. */
const BEFORE_OPERATIONS: readonly ErrorCode[] = ['route_not_found', 'method_not_allowed', 'invalid_url']

/** Of the dictionary, and never an answer: a job or a resource fails with them. */
const AFTER_THE_ANSWER = Object.keys(FAILURES) as ErrorCode[]

/** The words of the engine for what the SII answers; some of them a call answers with too. */
const OF_THE_SII = Object.keys(SII_ANSWERS) as ErrorCode[]

/** Raised at /mcp alone, where agents call; an operation behaves the same whoever calls it, so none declares them. */
const TO_AGENTS: readonly ErrorCode[] = [
  'agent_limit_exceeded',
  'confirmation_expired',
  'confirmation_invalid',
  'confirmation_mismatch',
  'confirmation_outdated',
  'invalid_access_token',
]

describe('the operation table', () => {
  it('has unique ids, and unique methods and paths', () => {
    const ids = OPERATIONS.map(({ id }) => id)
    const doors = routesOf(OPERATIONS).map(({ operation, path }) => `${operation.method} ${path}`)
    expect(new Set(ids).size).toBe(ids.length)
    expect(new Set(doors).size).toBe(doors.length)
  })

  for (const operation of OPERATIONS) {
    it(`${operation.id} uses no name in two of params, query and body`, () => {
      const names = [operation.params, operation.query, operation.body].flatMap((part) =>
        Object.keys(part?.properties ?? {}),
      )
      expect(new Set(names).size).toBe(names.length)
    })

    it(`${operation.id} declares the parameters of its path, its objects closed`, () => {
      const inPath = [...operation.path.matchAll(/\{(\w+)\}/g)]
        .map(([, name]) => name)
        .filter((name) => name !== 'empresa_id')
      const declared = Object.keys(operation.params?.properties ?? {}).filter((name) => name !== 'empresa_id')
      expect(declared.sort()).toEqual(inPath.sort())
      for (const part of [operation.query, operation.body]) {
        if (part) expect((part as { additionalProperties?: unknown }).additionalProperties).toBe(false)
      }
    })

    it(`${operation.id} takes known scopes and buckets only`, () => {
      if (operation.scope) expect(SCOPES).toHaveProperty([operation.scope])
      if (operation.limit) expect(BUCKETS).toHaveProperty([operation.limit])
    })
  }

  it('counts e-mails where an operation takes one and is counted itself', () => {
    const counted = OPERATIONS.filter(({ limit, body }) => limit && body?.properties && 'email' in body.properties)
    expect(Object.keys(EMAIL_BUCKETS).sort()).toEqual(counted.map(({ id }) => id).sort())
  })

  it('tells when to look again wherever it answers 202 with a job', () => {
    const answered = OPERATIONS.filter(({ status, returns }) => status === 202 && returns === Job)
    expect(answered.length).toBeGreaterThan(5)
    expect(answered.filter(({ pollAfter }) => pollAfter === undefined).map(({ id }) => id)).toEqual([])
  })

  it('carries the scopes the contract names, and nothing of the account surface', () => {
    for (const { api, scope, dashboard } of OPERATIONS) {
      if (api === 'bootstrap') expect([scope, dashboard]).toEqual([undefined, false])
    }
  })
})

/** Names under which an answer could carry what opens something, and those that open nothing by themselves. */
const SUSPECT = /secret|token|password|(^|_)(url|link|slug)$/
const HARMLESS: readonly RegExp[] = [
  // Addresses of this API and of its pages, which ask for a credential or are for everybody.
  / (.+\.)?(pdf_url|xml_url|doc_url|checkout_url|next_action_url|action_url)$/,
  / (.+\.)?pending_action\.[a-z_.]+\.url$/,
  / (.+\.)?(onboarding|capabilities\.next|next)\.url$/,
  // The caller's own address.
  /^webhook_endpoints\.\w+ (data\.)?url$/,
]

/** Every text of a schema that has a name, by its path. */
function textsOf(schema: unknown, path = ''): { path: string; secret: boolean }[] {
  if (typeof schema !== 'object' || schema === null) return []
  const here = schema as { properties?: object; type?: unknown }
  const text = path !== '' && [here.type].flat().includes('string')
  const own = text ? [{ path, secret: 'x-secret' in schema }] : []
  return Object.entries(schema).reduce((found, [key, inside]) => {
    if (key !== 'properties') return found.concat(textsOf(inside, path))
    return found.concat(Object.entries(inside).flatMap(([name, one]) => textsOf(one, path ? `${path}.${name}` : name)))
  }, own)
}

describe('the secrets of answers', () => {
  it('are marked in their schemas, so that a replay tells them to nobody else', () => {
    const unmarked = OPERATIONS.flatMap(({ id, returns }) =>
      textsOf(returns)
        .filter(({ path, secret }) => !secret && SUSPECT.test(path.split('.').at(-1) ?? ''))
        .map(({ path }) => `${id} ${path}`),
    )
    const unknown = unmarked.filter((one) => !HARMLESS.some((harmless) => harmless.test(one)))
    expect(unknown).toEqual([])
  })
})

describe('the error registry', () => {
  it('holds every code that is declared, raises every declared one in code, and awaits exactly the rest', () => {
    const declared = new Set<string>(OPERATIONS.filter(({ api }) => api === 'v1').flatMap(codesOf))
    const undeclared = ERROR_CODES.filter((name) => !declared.has(name) && !OF_THE_SII.includes(name))
    expect(undeclared.sort()).toEqual([...AWAITED, ...BEFORE_OPERATIONS, ...TO_AGENTS, ...AFTER_THE_ANSWER].sort())
    for (const name of [...declared, ...TO_AGENTS, ...AFTER_THE_ANSWER])
      expect(mentions(name), `nothing raises ${name}`).toBe(true)
  })

  it('holds every code that a job or a resource fails with', () => {
    // The type of a GiveUp and of a Failure says so too; this finds what was written around it.
    const written = code.flatMap(({ text }) =>
      [
        ...text.matchAll(
          /(?:GiveUp|giveUp|\bfail|failureOf)\(\s*'(\w+)'|\b(?:failure|reason)\b[^;\n]{0,30}\{ code: '(\w+)'/g,
        ),
      ].map(([, given, assigned]) => given ?? assigned ?? ''),
    )
    const failures = [...new Set([...written, ...Object.values(FAILURE_CODES), ...Object.keys(DOCUMENT_FAILURES)])]
    expect(failures).toEqual(expect.arrayContaining(['worker_lost', 'build_refused', 'statement_unreadable']))
    expect(failures.filter((name) => !ERROR_CODES.includes(name as ErrorCode))).toEqual([])
    expect(Object.keys(MEANINGS).filter((name) => !ERROR_CODES.includes(name as ErrorCode))).toEqual([])
  })

  it('gives every code a sentence and a hint in English', () => {
    for (const { message, hint } of Object.values(ERRORS)) {
      expect(message).toMatch(/\.$/)
      expect(hint).toMatch(/[.]$/)
    }
  })
})

describe('events', () => {
  it('each have an emitter or a machine row', () => {
    expect(EVENT_TYPES.filter((type) => !mentions(type))).toEqual([])
  })
})

describe('the machines', () => {
  for (const machine of MACHINES) {
    const states = [
      ...new Set([...machine.initial, ...machine.rows.flatMap(({ from, to }) => (from === null ? [to] : [from, to]))]),
    ]

    it(`${machine.object}: every state can be reached`, () => {
      const reached = new Set<string | null>([null, ...machine.initial])
      for (let before = 0; before !== reached.size; ) {
        before = reached.size
        for (const { from, to } of machine.rows) if (reached.has(from)) reached.add(to)
      }
      expect(states.filter((state) => !reached.has(state))).toEqual([])
    })

    it(`${machine.object}: every state that is not terminal has a way out`, () => {
      const left = new Set(machine.rows.map(({ from }) => from))
      expect(states.filter((state) => !left.has(state) && !machine.terminal.includes(state))).toEqual([])
      expect(machine.terminal.filter((state) => left.has(state))).toEqual([])
    })

    it(`${machine.object}: one trigger leads from one state to one other`, () => {
      const steps = machine.rows.map(({ on, from }) => `${on} ${from}`)
      expect(new Set(steps).size).toBe(steps.length)
    })
  }
})

describe('the jobs', () => {
  it('have unique names', () => {
    const names = JOBS.map(({ name }) => name)
    expect(new Set(names).size).toBe(names.length)
  })
})

describe('the advisory locks', () => {
  it('are held for one purpose each: a load of the nómina must not hold up a start', () => {
    const numbers = Object.values(LOCKS)
    expect(new Set(numbers).size).toBe(numbers.length)
  })
})
