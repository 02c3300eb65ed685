import type { IdKind } from '../catalog/ids.ts'
import type { Mode } from '../catalog/modes.ts'
import { systemNow } from '../kernel/clock.ts'
import { type Fragment, part } from '../kernel/db.ts'
import { idFloor } from '../kernel/id.ts'
import type { Caller } from '../kernel/scope.ts'

/** The time of which an account is not trusted: before an instant, since one, or ever. */
export type Untrusted = { readonly before: Date } | { readonly since: Date } | 'ever'

/** A credential in hands that are not trusted. */
export interface TaintedCredential {
  readonly id: string
  /** Since when: its secret was rolled then. Null where it never was the owner's. */
  readonly since: Date | null
}

/** What ends when an account is taken back: what was made or changed at a time, or by credentials of that time. */
export interface Distrust {
  readonly time: Untrusted
  readonly by: readonly TaintedCredential[]
}

/** Who writes something that stays when an account is taken back, and when, in real time: its owner is told of it. */
export interface Writer {
  readonly by: string
  readonly at: Date
}

export function writerOf({ caller }: { readonly caller: Caller }): Writer {
  return { by: caller.credential_id, at: new Date(systemNow()) }
}

/** Something that was written in distrust and stays, by the empresa it belongs to. */
export interface WrittenInDistrust {
  readonly empresa_id: string
  readonly mode: Mode
  readonly legal_name: string
}

/** As many of each kind are named to the owner; all are counted. */
export const NAMED = 50

/** What was written in distrust: how many, and the first of them by name. */
export interface Distrusted {
  readonly total: number
  readonly named: readonly WrittenInDistrust[]
}

/** Of rows that carry how many there are in all. */
export function distrustedOf(rows: readonly (WrittenInDistrust & { readonly total: number })[]): Distrusted {
  return { total: rows[0]?.total ?? 0, named: rows }
}

/** The condition on `id`. The time in an id is real time: a test clock does not make anything younger. */
export function isMadeAt(kind: IdKind, time: Untrusted): Fragment {
  if (time === 'ever') return part`true`
  return 'since' in time ? part`id >= ${idFloor(kind, time.since)}` : part`id < ${idFloor(kind, time.before)}`
}

function isWithin(at: Fragment, time: Untrusted): Fragment {
  if (time === 'ever') return part`true`
  return 'since' in time ? part`${at} >= ${time.since}` : part`${at} < ${time.before}`
}

function isBy(
  maker: Fragment,
  at: Fragment,
  by: readonly TaintedCredential[],
  sinces: readonly unknown[],
  type: Fragment,
) {
  return part`exists (
    select 1 from unnest(${by.map(({ id }) => id)}::text[], ${sinces}::${type}) as tainted (maker, since)
    where tainted.maker = ${maker} and ${at} >= tainted.since)`
}

/** The condition on `id` and `made_by` of something that was made. */
export function isMadeInDistrust(kind: IdKind, { time, by }: Distrust): Fragment {
  const floors = by.map(({ since }) => idFloor(kind, since ?? new Date(0)))
  return part`(${isMadeAt(kind, time)} or ${isBy(part`made_by`, part`id`, by, floors, part`text[]`)})`
}

/** The condition on a change: the columns that say when, in real time, and by which credential. */
export function isChangedInDistrust(at: Fragment, changer: Fragment, { time, by }: Distrust): Fragment {
  const sinces = by.map(({ since }) => since ?? new Date(0))
  return part`(${at} is not null and (${isWithin(at, time)} or ${isBy(changer, at, by, sinces, part`timestamptz[]`)}))`
}
