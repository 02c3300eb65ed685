// Operations that make a thing, for tests of the Idempotency-Key.

import { Type } from 'typebox'
import type { AccountContext } from '../../src/domain/context.ts'
import { defineOperation } from '../../src/domain/operation.ts'
import { newId, randomSecret } from '../../src/kernel/id.ts'
import { Closed } from '../../src/kernel/schema.ts'
import { OPERATIONS } from '../../src/operations.ts'
import type { Request, World } from './world.ts'

/** What the probe does next, by the caller's word. */
export const behaviour = { fails: null as Error | null, until: null as Promise<void> | null, runs: 0 }

const Made = Closed({ id: Type.String(), secret: Type.String() })
const Body = Closed({ note: Type.String() })

async function make(ctx: AccountContext, { note }: { note: string }) {
  behaviour.runs++
  ctx.emit({ type: 'ping', object: { note } })
  if (behaviour.until) await behaviour.until
  if (behaviour.fails) throw behaviour.fails
  return { id: newId('job'), secret: `whsec_${randomSecret()}` }
}

const shape = { method: 'POST', body: Body, returns: Made, status: 201, run: make } as const
const summary = 'Make a thing'
const errors = ['plan_limit_reached'] as const
/** Every operation of the service, and a few that make a thing with a secret in it. */
export const MAKING = [
  ...OPERATIONS,
  defineOperation({ ...shape, id: 'probe.make', path: '/probe', summary, reach: 'account', errors }),
  defineOperation({ ...shape, id: 'probe.other', path: '/probe_other', summary, reach: 'account', errors }),
  defineOperation({ ...shape, id: 'probe.empresa', path: '/probe_empresa', summary, reach: 'empresa', errors }),
  defineOperation({
    ...shape,
    id: 'probe.strict',
    path: '/probe_strict',
    summary,
    reach: 'account',
    idempotent: 'required',
  }),
]

/** Sends the same request under an Idempotency-Key, unless told otherwise. */
export function sender(world: World, key: string) {
  return (token: string, request: Request & { path?: string } = {}) =>
    world.post(request.path ?? '/v1/probe', {
      key,
      body: { note: 'a' },
      ...request,
      headers: { 'idempotency-key': token, ...request.headers },
    })
}
