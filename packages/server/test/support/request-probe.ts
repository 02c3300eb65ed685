// An operation that stores what it was given, for tests of what must not get through.

import { Type } from 'typebox'
import { expect } from 'vitest'
import { ERROR_CODES } from '../../src/catalog/errors.ts'
import type { AccountContext } from '../../src/domain/context.ts'
import { defineOperation } from '../../src/domain/operation.ts'
import { Closed, listQuery, OneLine } from '../../src/kernel/schema.ts'
import { OPERATIONS } from '../../src/operations.ts'
import type { Sent, World } from './world.ts'

/** Stores what it is given, so that whatever got through can be found afterwards. */
const keep = defineOperation({
  id: 'probe.keep',
  method: 'POST',
  path: '/probe/{name}',
  summary: 'Keep a note',
  reach: 'account',
  params: Closed({ name: Type.String() }),
  query: listQuery({}),
  body: Closed({
    note: OneLine(100),
    count: Type.Optional(Type.Integer({ minimum: 0, maximum: 1000 })),
    tags: Type.Optional(Type.Array(OneLine(10), { uniqueItems: true })),
    loose: Type.Optional(Type.Unsafe<object>({ type: 'object', additionalProperties: true })),
  }),
  returns: Closed({ kept: Type.Boolean() }),
  async run(ctx: AccountContext, input) {
    ctx.emit({ type: 'ping', object: input })
    return { kept: true }
  },
})
const old = defineOperation({
  id: 'probe.old',
  method: 'GET',
  path: '/probe_old',
  summary: 'On its way out',
  reach: 'account',
  returns: Closed({ ok: Type.Boolean() }),
  sunset: '2027-12-31T00:00:00Z',
  run: async () => ({ ok: true }),
})

export const PROBED = [...OPERATIONS, keep, old]

/** Refused in the envelope, with everything a refusal carries, and nothing was stored. */
export async function expectRefused(world: World, sent: Sent, status: number, code: string): Promise<void> {
  expect([sent.status, sent.body?.error?.code]).toEqual([status, code])
  const { type, message, hint, retriable, doc_url, request_id } = sent.body.error
  expect([typeof type, typeof message, typeof hint, typeof retriable]).toEqual([
    'string',
    'string',
    'string',
    'boolean',
  ])
  expect(doc_url).toBe(`http://timbre.test/docs/errors/${code}`)
  expect(request_id).toBe(sent.headers['svc-request-id'])
  expect(ERROR_CODES).toContain(code)
  expect(sent.text).not.toMatch(/\bat .*\.[jt]s:\d+|node_modules|select |insert /i)
  const [row] = await world.db.sql<{ stored: number }>`select count(*) as stored from event`
  expect(row?.stored).toBe(0)
}
