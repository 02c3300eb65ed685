import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { countEventsSince } from '../src/domain/platform/event/lookup.ts'
import { eventsAfter, eventsBefore } from '../src/domain/platform/event/store.ts'
import { usageBefore } from '../src/domain/platform/usage/store.ts'
import type { Sql } from '../src/kernel/db.ts'
import type { AccountScope } from '../src/kernel/scope.ts'
import { type Issuer, openIssuer } from './support/issuer.ts'
import { watchPlans } from './support/plan-of.ts'
import { openWorld, type World } from './support/world.ts'

let world: World
let issuer: Issuer
beforeAll(async () => {
  world = await openWorld({ runs_jobs: false })
  issuer = await openIssuer(world)
})
afterAll(() => world.close())

/** The steps of a plan while a table is read from its first row to its last only where no index serves. */
async function plansOf(read: (sql: Sql, scope: AccountScope, rut: string) => Promise<unknown>) {
  return world.db.transact(async (sql) => {
    await sql`set local enable_seqscan = off`
    await sql`set local enable_bitmapscan = off`
    const watched = watchPlans(sql)
    await read(watched.sql, { account_id: issuer.account, mode: 'test' }, issuer.rut)
    return watched.plans.flat()
  })
}

type Step = Awaited<ReturnType<typeof plansOf>>[number] & { readonly 'Index Cond'?: string }
const conditions = (steps: readonly Step[]) => steps.flatMap((step) => step['Index Cond'] ?? [])
const first = [0, 0] as const
const all = { reach: null }
const from = new Date(0)
const last = ['2100-01-01T00:00:00Z', '~'] as const

describe('a list of a ledger is read from an index of its own', () => {
  it.each<[string, string, Parameters<typeof plansOf>[0]]>([
    ['events of an account', 'mode)', (sql, scope) => eventsBefore(sql, scope, all, null, 5)],
    ['events after a place', 'mode)', (sql, scope) => eventsAfter(sql, scope, all, first, 5)],
    ['events of a type', 'type)', (sql, scope) => eventsBefore(sql, scope, { ...all, type: 'ping' }, first, 5)],
    ['events counted', 'type)', (sql, scope) => countEventsSince(sql, scope, 'ping', from)],
    [
      'events of an empresa',
      'empresa_rut)',
      (sql, scope, empresa_rut) => eventsBefore(sql, scope, { ...all, empresa_rut }, null, 5),
    ],
    [
      'events that a credential reaches',
      'empresa_rut)',
      (sql, scope, rut) => eventsBefore(sql, scope, { reach: [rut] }, null, 5),
    ],
    ['usage of an account', 'mode)', (sql, scope) => usageBefore(sql, scope, { ruts: null, from }, last, 5)],
    [
      'usage of an empresa',
      'empresa_rut)',
      (sql, scope, rut) => usageBefore(sql, scope, { ruts: [rut], from }, last, 5),
    ],
    [
      'usage of a kind',
      'kind)',
      (sql, scope) => usageBefore(sql, scope, { ruts: null, kind: 'document_ceded', from }, last, 5),
    ],
    [
      'usage of a tipo',
      'tipo_dte)::text)',
      (sql, scope) => usageBefore(sql, scope, { ruts: null, tipo_dte: 52, from }, last, 5),
    ],
  ])('%s', async (_, word, read) => {
    const found = conditions(await plansOf(read))
    expect(
      found.filter((condition) => condition.includes('hashtextextended(') && condition.includes(word)),
    ).not.toEqual([])
  })
})

describe('events after a place', () => {
  it('end before a horizon that is worked out once, and not for every month', async () => {
    const found = conditions(await plansOf((sql, scope) => eventsAfter(sql, scope, all, first, 5)))
    const ends = found.filter((condition) => condition.includes('"position" <'))
    expect(ends.length).toBeGreaterThan(1)
    expect(ends.filter((condition) => condition.includes('ledger_horizon'))).toEqual([])
  })
})
