import type { Sql } from '../../../kernel/db.ts'
import type { EmpresaScope } from '../../../kernel/scope.ts'
import { DUPLICATE_REASONS } from './duplicate/find.ts'
import type { Payee } from './match/candidates.ts'
import { findTargets } from './match/find-targets.ts'
import type { Candidate } from './match/score.ts'
import { type Target, targetKindOf } from './match/target.ts'
import { type Link, linksOf } from './match-store.ts'
import { directionOf, type MovementRow } from './row.ts'
import type { Movement, MovementWithCandidates } from './schema.ts'

type Match = NonNullable<Movement['match']>

function showTarget({ id, tipo, folio, date, rut, name, total, status }: Target) {
  const kind = targetKindOf(id)
  return {
    document_id: kind === 'document' ? id : null,
    received_document_id: kind === 'received_document' ? id : null,
    entry_id: kind === 'rcv_entry' ? id : null,
    tipo,
    folio,
    date,
    counterparty_rut: rut,
    counterparty_name: name,
    total,
    status,
  }
}

/** The documents that movements are matched to, with their present status. */
export interface Paid {
  readonly links: ReadonlyMap<string, readonly Link[]>
  readonly targets: ReadonlyMap<string, Target>
}

export async function findPaid(sql: Sql, scope: EmpresaScope, rows: readonly MovementRow[]): Promise<Paid> {
  const matched = rows.filter(({ match }) => match !== null).map(({ id }) => id)
  const links = matched.length === 0 ? [] : await linksOf(sql, scope, matched)
  const byMovement = new Map<string, Link[]>(matched.map((id) => [id, []]))
  for (const link of links) byMovement.get(link.movement_id)?.push(link)
  const targets = new Map<string, Target>()
  for (const kind of ['document', 'received_document', 'rcv_entry'] as const) {
    const ids = links.map(({ target_id }) => target_id).filter((id) => targetKindOf(id) === kind)
    for (const target of await findTargets(sql, scope, kind, ids)) targets.set(target.id, target)
  }
  return { links: byMovement, targets }
}

function showMatch({ id, match }: MovementRow, { links, targets }: Paid): Match | null {
  if (match === null) return null
  const { confidence, reasons, matched_by, matched_at } = match
  return {
    confidence,
    reasons: reasons.map(({ code, message }) => ({ code, message })),
    matched_by,
    matched_at,
    targets: (links.get(id) ?? []).flatMap(({ target_id, amount }) => {
      const target = targets.get(target_id)
      return target ? [{ ...showTarget(target), amount }] : []
    }),
  }
}

function showDuplicate({ duplicate_of, duplicate_certain, duplicate_reason }: MovementRow): Movement['duplicate'] {
  if (duplicate_of === null || duplicate_reason === null) return null
  const message = DUPLICATE_REASONS[duplicate_reason]
  return { movement_id: duplicate_of, certain: duplicate_certain === true, reason: duplicate_reason, message }
}

export function showMovement(row: MovementRow, paid: Paid): Movement {
  return {
    object: 'movement',
    id: row.id,
    mode: row.mode,
    source: { type: row.source_type, id: row.source_id },
    bank_account: row.bank_account,
    post_date: row.post_date,
    direction: directionOf(row),
    amount: row.amount,
    currency: row.currency,
    description: row.description,
    counterparty: { rut: row.counterparty_rut, name: row.counterparty_name },
    match: showMatch(row, paid),
    duplicate: showDuplicate(row),
    created_at: row.created_at.toISOString(),
    removed_at: row.removed_at?.toISOString() ?? null,
  }
}

const SHOWN = 10

export function showCandidates(candidates: readonly Candidate<Payee>[]): MovementWithCandidates['candidates'] {
  return candidates.slice(0, SHOWN).map(({ confidence, reasons, targets }) => ({
    confidence,
    reasons: reasons.map(({ code, message }) => ({ code, message })),
    targets: targets.map(({ target }) => showTarget(target)),
  }))
}
