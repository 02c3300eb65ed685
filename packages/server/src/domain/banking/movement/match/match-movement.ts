import { TIPO } from '@timbre/dte/values'
import { invalidField, Problem } from '../../../../kernel/problem.ts'
import type { EmpresaContext } from '../../../context.ts'
import { requestWatch, tellPaid } from '../../payment/tell.ts'
import { withdrawFor } from '../../suggestion/settle.ts'
import {
  deleteKeptApart,
  deleteMatches,
  type Link,
  linksOf,
  linksTo,
  saveKeptApart,
  writeMatches,
} from '../match-store.ts'
import { showWithCandidates } from '../read.ts'
import { directionOf, type MovementRow, PESO } from '../row.ts'
import type { MatchMovement, MovementPath, MovementWithCandidates } from '../schema.ts'
import { findMovement, lockMovement } from '../store.ts'
import { settledBy } from './apply.ts'
import { findTargets } from './find-targets.ts'
import { documentDirectionOf, isCreditNote, isVoid, type Target, type TargetKind } from './target.ts'

function notMatchable(reason: string, existing_id?: string): Problem {
  return new Problem('movement_not_matchable', { details: { reason }, ...(existing_id && { existing_id }) })
}

const FIELDS: Readonly<Record<keyof MatchMovement, TargetKind>> = {
  document_id: 'document',
  received_document_id: 'received_document',
  entry_id: 'rcv_entry',
}

/** The one target that was sent, locked until the transaction ends. */
async function lockTarget(ctx: EmpresaContext, input: MatchMovement): Promise<{ param: string; target: Target }> {
  const sent = (Object.keys(FIELDS) as (keyof MatchMovement)[]).filter((field) => input[field] !== undefined)
  const [param, ...more] = sent
  if (param === undefined || more.length > 0) {
    throw invalidField('document_id', 'send exactly one of document_id, received_document_id and entry_id.')
  }
  const [target] = await findTargets(ctx.sql, ctx.empresa, FIELDS[param], [input[param] as string], { lock: true })
  if (!target) throw invalidField(param, 'nothing of this empresa has this id.')
  return { param, target }
}

async function lockOrRefuse(ctx: EmpresaContext, movement_id: string): Promise<MovementRow> {
  const row = await lockMovement(ctx.sql, ctx.empresa, movement_id)
  if (!row) throw new Problem('movement_not_found')
  return row
}

const sum = (links: readonly Link[]) => links.reduce((total, { amount }) => total + amount, 0)

interface MatchQuestion {
  readonly row: MovementRow
  readonly target: Target
  readonly param: string
  /** Documents that the movement pays already. */
  readonly spent: readonly Link[]
  /** Movements that pay the target already. */
  readonly paid: readonly Link[]
}

/** How much of a document a movement pays: what is left of the one or of the other. A nota that takes away is negative. */
function shareOf({ row, target, param, spent, paid }: MatchQuestion): number {
  const same_way = documentDirectionOf(target) === directionOf(row)
  if (!same_way && !isCreditNote(target)) throw invalidField(param, 'its money goes the other way.')
  if (isVoid(target)) throw notMatchable('void')
  const owed = isCreditNote(target)
    ? target.total - Math.abs(sum(paid))
    : Math.min(target.pending, target.total - sum(paid))
  if (owed <= 0) throw notMatchable('already_paid', paid[0]?.movement_id)
  if (!same_way) return -owed
  // Of another currency nobody knows how many pesos are left.
  const left = row.currency === PESO ? Math.abs(row.amount) - sum(spent) : spent.length > 0 ? 0 : owed
  if (left <= 0) throw notMatchable('already_matched', spent[0]?.target_id)
  return Math.min(left, owed)
}

/** Matches a movement to what it was for. Again changes nothing; a payment for several documents is matched one by one. */
export async function matchMovement(
  ctx: EmpresaContext,
  { movement_id, ...input }: MovementPath & MatchMovement,
): Promise<MovementWithCandidates> {
  const { sql, empresa } = ctx
  const row = await lockOrRefuse(ctx, movement_id)
  const { param, target } = await lockTarget(ctx, input)
  if (row.removed_at !== null) throw notMatchable('removed')
  const spent = await linksOf(sql, empresa, [row.id])
  const known = spent.find(({ target_id }) => target_id === target.id)
  const paid = known ? [] : await linksTo(sql, empresa, target.id)
  const amount = known?.amount ?? shareOf({ row, target, param, spent, paid })
  const facts = settledBy('caller', 'said', ctx.now())
  const settled = known && row.match?.matched_by !== 'review'
  if (!settled) await writeMatches(sql, empresa, [{ movement_id, targets: [{ id: target.id, amount }], facts }])
  await tellPaid(ctx, empresa, [target.id])
  await deleteKeptApart(sql, empresa, row.id, target.id)
  await withdrawFor(
    ctx,
    empresa,
    [row.id],
    target.tipo === TIPO.factura_de_compra ? 'already_issued' : 'movement_matched',
  )
  return showWithCandidates(ctx, (await findMovement(sql, empresa, row.id)) as MovementRow)
}

/** Takes a movement and all it was matched to apart, and remembers the pairs: they are not matched automatically again. */
export async function unmatchMovement(
  ctx: EmpresaContext,
  { movement_id }: MovementPath,
): Promise<MovementWithCandidates> {
  const { sql, empresa } = ctx
  const row = await lockOrRefuse(ctx, movement_id)
  const links = await deleteMatches(sql, empresa, [row.id])
  await saveKeptApart(sql, empresa, links, ctx.now())
  await requestWatch(ctx, empresa)
  return showWithCandidates(ctx, { ...row, match: null })
}
