import { type Static, Type } from 'typebox'
import type { Sql } from '../../../kernel/db.ts'
import { Problem } from '../../../kernel/problem.ts'
import { Closed, Named, Nullable, OneTimeSecret, Timestamp } from '../../../kernel/schema.ts'
import type { EmpresaScope } from '../../../kernel/scope.ts'
import type { EmpresaContext } from '../../context.ts'
import { mintLink, revokeLinks } from '../../issuing/public-link/mint.ts'
import { findEmisor, lockEmisor } from '../../platform/empresa/emisor.ts'
import { Period } from '../rcv/period.ts'
import type { RcvRow } from '../rcv/row.ts'
import { largestBehind } from './lineage-store.ts'
import { requireProposal } from './read.ts'
import type { F29Proposal, PeriodPath } from './schema.ts'
import { showProposal } from './show.ts'
import { findProposal } from './store.ts'

export const ShareProposal = Closed({
  expires_at: Type.Optional({ ...Timestamp, description: 'When it stops working. Left out: never.' }),
})
export type ShareProposal = Static<typeof ShareProposal>

export const F29PublicLink = Named(
  'F29PublicLink',
  Closed({
    object: Type.Literal('public_link'),
    id: Type.String(),
    period: Period,
    created_at: Timestamp,
    expires_at: Nullable(Timestamp),
    url: OneTimeSecret('Whoever has it reads the proposal. It is told this once.'),
  }),
)
export type F29PublicLink = Static<typeof F29PublicLink>

/** Makes the public link of a proposal, for an accountant. The former link stops working. */
export async function shareProposal(ctx: EmpresaContext, input: PeriodPath & ShareProposal): Promise<F29PublicLink> {
  const { period, ...options } = input
  // Of several requests at once one link stays.
  await lockEmisor(ctx.sql, ctx.empresa)
  await requireProposal(ctx, period)
  const { link, url } = await mintLink(ctx, { f29_period: period }, options, `F29 ${period}`)
  const { id, created_at, expires_at } = link
  return {
    object: 'public_link',
    id,
    period,
    created_at: created_at.toISOString(),
    expires_at: expires_at?.toISOString() ?? null,
    url,
  }
}

export async function unshareProposal(ctx: EmpresaContext, { period }: PeriodPath): Promise<null> {
  await requireProposal(ctx, period)
  await revokeLinks(ctx, { f29_period: period })
  return null
}

/** Everything that the public page of a proposal shows. */
export interface SharedProposal {
  readonly empresa: { readonly rut: string; readonly legal_name: string }
  readonly proposal: F29Proposal
  /** The largest entries behind each code. */
  readonly behind: ReadonlyMap<number, readonly RcvRow[]>
}

const SHOWN_ENTRIES = 40

/** For the page behind a link; the scope was made from the link itself. */
export async function readShared(
  sql: Sql,
  scope: EmpresaScope,
  { period, now }: { readonly period: string; readonly now: Date },
): Promise<SharedProposal> {
  const row = await findProposal(sql, scope, period)
  if (!row) throw new Problem('f29_proposal_not_found')
  const behind = new Map<number, RcvRow[]>(row.codes.map(({ code }) => [code, []]))
  for (const { codes, ...entry } of await largestBehind(sql, scope, period, SHOWN_ENTRIES)) {
    for (const code of codes) if ((behind.get(code)?.length ?? 0) < SHOWN_ENTRIES) behind.get(code)?.push(entry)
  }
  const legal_name = (await findEmisor(sql, scope))?.legal_name ?? ''
  return { empresa: { rut: scope.rut, legal_name }, proposal: showProposal(row, now), behind }
}
