import type { ActorKind, AuditAction, AuditOutcome } from '../catalog/audit.ts'
import { systemNow } from './clock.ts'
import { type Fragment, part } from './db.ts'
import { newId } from './id.ts'

/** The side of an act that the call knows: who, from where, in which request. Ids alone, never a secret. */
export interface Actor {
  readonly kind: ActorKind
  /** The id of the credential; null where there is none. */
  readonly id: string | null
  readonly ip: string | null
  readonly request_id: string | null
}

/** The side that the verb knows: what was done to what. */
export interface AuditedAct {
  readonly action: AuditAction
  /** The id of what was acted upon. */
  readonly subject: string | null
  readonly outcome?: AuditOutcome
  /** Why it was refused. */
  readonly code?: string
  /** From where the call came that a job goes on with. */
  readonly ip?: string
}

export interface AuditOwner {
  readonly account_id: string | null
  /** Null for an act on the account itself. */
  readonly mode: string | null
}

export interface AuditEntry extends AuditOwner, Omit<AuditedAct, 'ip'> {
  readonly empresa: { readonly id: string; readonly rut: string } | null
  readonly actor: Actor
}

/** Real time, also under a test clock: this is about us, not about the simulated world. */
export function insertAudit({ actor, empresa, ...entry }: AuditEntry, when: Fragment): Fragment {
  return part`
    insert into audit_entry (id, account_id, mode, empresa_id, empresa_rut, action, outcome, code, actor_kind, actor_id, ip,
      request_id, subject, created_at)
    select ${newId('audit_entry')}::text, ${entry.account_id}::text, ${entry.mode}::text, ${empresa?.id ?? null}::text,
      ${empresa?.rut ?? null}::text, ${entry.action}::text, ${entry.outcome ?? 'succeeded'}::text,
      ${entry.code ?? null}::text, ${actor.kind}::text, ${actor.id}::text, ${actor.ip}::text, ${actor.request_id}::text,
      ${entry.subject}::text, ${new Date(systemNow())}::timestamptz
    from (select) s ${when}`
}
