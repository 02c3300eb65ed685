import { type Static, Type } from 'typebox'
import type { EmpresaContext } from '../../domain/context.ts'
import { findEmisor } from '../../domain/platform/empresa/emisor.ts'
import { LANES, type Lane } from '../../domain/platform/onboarding/lanes.ts'
import { readOnboarding } from '../../domain/platform/onboarding/read.ts'
import { beginRehearsal, endRehearsal, POINTS } from '../../domain/platform/onboarding/rehearse.ts'
import type { Onboarding } from '../../domain/platform/onboarding/schema.ts'
import { ONBOARDING_STATUSES } from '../../domain/platform/onboarding/status.ts'
import { laneOf } from '../../domain/platform/onboarding/walk.ts'
import { invalidField, Problem } from '../../kernel/problem.ts'
import { Closed, OneOf } from '../../kernel/schema.ts'

const LANE_NAMES = Object.keys(LANES) as Lane[]

export const RehearseOnboarding = Closed({
  lane: Type.Optional(OneOf(LANE_NAMES, { description: 'Default: the lane of the empresa.' })),
  status: Type.Optional(
    OneOf(ONBOARDING_STATUSES, {
      default: 'mandato_pending',
      description:
        'Where it stands. `emitting` ends the rehearsal. `suspended` cannot be asked for, nor can what the lane does not know.',
    }),
  ),
})
export type RehearseOnboarding = Static<typeof RehearseOnboarding>

/** Gives a sandbox empresa an onboarding to rehearse, at a point of its lane, or ends it. */
export async function rehearseOnboarding(
  ctx: EmpresaContext,
  { lane: asked, status = 'mandato_pending' }: RehearseOnboarding,
): Promise<Onboarding> {
  const row = await findEmisor(ctx.sql, ctx.empresa)
  if (!row) throw new Problem('empresa_not_found')
  const lane = asked ?? laneOf(row)
  const point = POINTS[lane][status]
  if (status === 'emitting') await endRehearsal(ctx, ctx.empresa)
  else if (point) await beginRehearsal(ctx, ctx.empresa, lane, point)
  else
    throw invalidField(
      'status',
      `on the lane ${lane} it is one of ${[...Object.keys(POINTS[lane]), 'emitting'].join(', ')}.`,
    )
  return readOnboarding(ctx)
}
