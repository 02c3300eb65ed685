// Movements as a bank would tell, edit and take them back.

import { Type } from 'typebox'
import { expect } from 'vitest'
import { CEILINGS } from '../../src/catalog/limits.ts'
import { recordMovements, removeMovements } from '../../src/domain/banking/movement/ingest/record.ts'
import { requestReview } from '../../src/domain/banking/movement/review/request.ts'
import type { MovementLine } from '../../src/domain/banking/movement/row.ts'
import { defineOperation } from '../../src/domain/operation.ts'
import { Closed } from '../../src/kernel/schema.ts'
import { OPERATIONS } from '../../src/operations.ts'
import type { Issuer } from './issuer.ts'
import { openWorld, type Sent, type World, type WorldOptions } from './world.ts'

const SOURCE = { type: 'connection', id: 'con_probe' } as const
const AnyLine = Type.Unsafe<MovementLine>({ type: 'object', additionalProperties: true })

/** Plays a bank: tells movements, edits them under the same id, or takes them back. */
const playBank = defineOperation({
  id: 'probes.movements',
  method: 'POST',
  path: '/probes/movements',
  summary: 'Tell movements as a bank would',
  reach: 'empresa',
  scope: 'documents:write',
  body: Closed({ lines: Type.Array(AnyLine), gone: Type.Optional(Type.Array(Type.String())) }),
  body_bytes: CEILINGS.upload_body_bytes,
  body_values: 400_000,
  returns: Closed({ count: Type.Integer() }),
  run: async (ctx, { lines, gone = [] }) => {
    const { movement_ids } = await recordMovements(ctx.sql, ctx.empresa, SOURCE, lines, ctx.now())
    await removeMovements(ctx.sql, ctx.empresa, SOURCE, gone, ctx.now())
    await requestReview(ctx, ctx.empresa)
    return { count: movement_ids.length }
  },
})

export function openBankWorld(options: WorldOptions = {}): Promise<World> {
  return openWorld({ ...options, operations: [...OPERATIONS, playBank] })
}

let told = 0

/** A line of a bank. Each has an id of its own unless it is given one. */
export function line(more: Partial<MovementLine> = {}): MovementLine {
  return {
    external_id: `x${told++}`,
    bank_account: '123456',
    post_date: '2026-10-20',
    amount: -10_000,
    currency: 'CLP',
    description: 'MOVIMIENTO',
    counterparty_rut: null,
    counterparty_name: null,
    ...more,
  }
}

/** Tells movements and waits until all of them were looked at. */
export async function tell(
  world: World,
  whose: Issuer,
  lines: readonly MovementLine[],
  gone: readonly string[] = [],
): Promise<Sent> {
  const sent = await whose.post('/v1/probes/movements', { lines, gone })
  expect(sent.status).toBe(200)
  await reviewed(world, whose)
  return sent
}

export async function reviewed(world: World, { empresa_id }: Pick<Issuer, 'empresa_id'>): Promise<void> {
  await world.until(async () => {
    const [row] = await world.db.sql<{ busy: boolean }>`
      select exists (select 1 from job where name = 'movement.review' and empresa_id = ${empresa_id}
        and status in ('queued', 'running')) as busy`
    return row?.busy === false
  })
}

/** The movement a line became, as GET /tax/movements/{movement_id} answers it. */
export async function movementOf(world: World, whose: Issuer, external_id: string | null): Promise<Sent> {
  const [row] = await world.db.sql<{ id: string }>`
    select id from movement where empresa_id = ${whose.empresa_id} and external_id = ${external_id}`
  return whose.get(`/v1/tax/movements/${row?.id}`)
}
