import type { IdKind } from '../catalog/ids.ts'
import { type Fragment, type ListedType, listed, part } from '../kernel/db.ts'
import { idFloor } from '../kernel/id.ts'

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

/** As many of each kind are named to the owner; all are counted. */
export const NAMED = 50

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
  type: ListedType,
) {
  return part`exists (
    select 1 from (select ${listed.text(by.map(({ id }) => id))} as maker, ${listed[type](sinces)} as since) tainted
    where tainted.maker = ${maker} and ${at} >= tainted.since)`
}

/** The condition on `id` and `made_by` of something that was made. */
export function isMadeInDistrust(kind: IdKind, { time, by }: Distrust): Fragment {
  const floors = by.map(({ since }) => idFloor(kind, since ?? new Date(0)))
  return part`(${isMadeAt(kind, time)} or ${isBy(part`made_by`, part`id`, by, floors, 'text')})`
}

/** The condition on a change: the columns that say when, in real time, and by which credential. */
export function isChangedInDistrust(at: Fragment, changer: Fragment, { time, by }: Distrust): Fragment {
  const sinces = by.map(({ since }) => since ?? new Date(0))
  return part`(${at} is not null and (${isWithin(at, time)} or ${isBy(changer, at, by, sinces, 'timestamptz')}))`
}
