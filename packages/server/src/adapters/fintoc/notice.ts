import { createHmac, timingSafeEqual } from 'node:crypto'
import { BANK } from '../../catalog/bank.ts'
import { CEILINGS } from '../../catalog/limits.ts'
import { parseJson } from '../../kernel/json.ts'
import { Problem } from '../../kernel/problem.ts'
import type { BankNotice, SignedNotice } from '../../ports/bank.ts'
import { dayOf, type Loose } from './shapes.ts'

/** `t=<unix>,v1=<hex>`. Of several `v1` the provider's own reader keeps the last, and so do we. */
function partsOf(signature: string): { t: string; v1: string } | null {
  const parts = new Map(signature.split(',').map((part) => part.trim().split('=', 2) as [string, string]))
  const [t = '', v1 = ''] = [parts.get('t'), parts.get('v1')]
  return /^\d{1,12}$/.test(t) && /^[0-9a-f]{64}$/.test(v1) ? { t, v1 } : null
}

/** Whether the provider signed these very bytes, and lately. Compared without telling where they differ. */
export function isSigned(secret: string, { signature, body, at }: SignedNotice): boolean {
  const parts = signature.length <= 500 ? partsOf(signature) : null
  if (!parts) return false
  const expected = createHmac('sha256', secret).update(`${parts.t}.`).update(body).digest()
  if (!timingSafeEqual(expected, Buffer.from(parts.v1, 'hex'))) return false
  return Math.abs(at.getTime() / 1000 - Number(parts.t)) <= BANK.notice_tolerance_seconds
}

const text = (value: unknown) => (typeof value === 'string' && /^[\w-]{1,100}$/.test(value) ? value : null)
const loose = (value: unknown): Loose =>
  value !== null && typeof value === 'object' && !Array.isArray(value) ? (value as Loose) : {}
const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])

/** Whom a notice is about. A refresh intent names what it refreshed; other notices name it directly. */
function aboutOf(type: string, data: Loose): { account_id: string | null; link_id: string | null } {
  const refreshed = text(data.refreshed_object_id)
  const of = data.refreshed_object
  const id = text(data.id)
  return {
    account_id: text(data.account_id) ?? (of === 'account' ? refreshed : null),
    link_id: text(data.link_id) ?? (of === 'link' ? refreshed : type.startsWith('link.credentials') ? id : null),
  }
}

const movementIds = (data: Loose) =>
  [...list(data.movements_removed), ...list(data.removed_movements), ...list(data.movements)]
    .map((one) => text(one) ?? text(loose(one).id))
    .filter((id) => id !== null)

/** The first day that a changed movement is counted on; null when one of them does not say. */
function firstDay(data: Loose): string | null {
  const days = list(data.movements_changed).map((one) => dayOf(loose(one).post_date))
  if (days.length === 0 || days.includes(null)) return null
  return days.sort()[0] ?? null
}

const KINDS: Readonly<Record<string, 'refreshed' | 'rejected' | 'refresh_failed'>> = {
  'link.credentials_changed': 'rejected',
  'account.refresh_intent.succeeded': 'refreshed',
  'account.refresh_intent.rejected': 'rejected',
  'account.refresh_intent.failed': 'refresh_failed',
}

function noticeOf(event: Loose): BankNotice {
  const type = typeof event.type === 'string' ? event.type : ''
  const data = loose(event.data)
  const told_at = typeof event.created_at === 'string' && !Number.isNaN(Date.parse(event.created_at))
  const common = {
    id: text(event.id) ?? 'unknown',
    told_at: told_at ? new Date(event.created_at as string).toISOString() : null,
    ...aboutOf(type, data),
  }
  if (type === 'account.refresh_intent.movements_modified')
    return { ...common, kind: 'modified', since: firstDay(data) }
  if (type === 'account.refresh_intent.movements_removed')
    return { ...common, kind: 'removed', movement_ids: movementIds(data) }
  return { ...common, kind: KINDS[type] ?? 'other' }
}

const NOTICE = { bytes: CEILINGS.json_body_bytes, values: CEILINGS.json_values } as const

/** What a notice says. One of a kind nobody here knows, or that says the same thing twice, is taken and means nothing. */
export function readFintocNotice(secret: string | null, notice: SignedNotice): BankNotice | null {
  if (secret === null || !isSigned(secret, notice)) return null
  try {
    return noticeOf(loose(parseJson(notice.body, NOTICE)))
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    return noticeOf({})
  }
}
