import { ANONYMOUS_RUT } from '@timbre/dte/values'
import type { Sql } from '../../../kernel/db.ts'
import type { EmpresaScope } from '../../../kernel/scope.ts'
import { contactsOf, optedOutAmong } from './contact-store.ts'
import type { CounterpartyRow } from './show.ts'
import { listCounterparties } from './store.ts'

export { findCounterparty } from './store.ts'

/** The RUT that stands for any foreigner without one of its own: the name of one says nothing of the next. */
const FOREIGN_RUT = '55555555-5'
const NOBODY: readonly string[] = [ANONYMOUS_RUT, FOREIGN_RUT]

/** Whether a RUT stands for nobody in particular, so that what an earlier document called it says nothing. */
export function isNobody(rut: string): boolean {
  return NOBODY.includes(rut)
}

/** Two spellings of one mailbox are one contact: nobody wants the same document twice. */
export function mailbox(email: string): string {
  return email.toLowerCase()
}

/** Those of some mailboxes that asked this empresa not to be mailed, whichever counterparty they belong to. */
export async function optedOutOf(sql: Sql, scope: EmpresaScope, emails: readonly string[]): Promise<Set<string>> {
  return new Set(emails.length === 0 ? [] : await optedOutAmong(sql, scope, emails))
}

/** The mailboxes of counterparties by RUT, the primary contact first and then the oldest. */
export async function mailboxesOf(
  sql: Sql,
  scope: EmpresaScope,
  ruts: readonly string[],
): Promise<Map<string, string[]>> {
  const found = new Map<string, string[]>()
  if (ruts.length === 0) return found
  const contacts = await contactsOf(sql, scope, ruts)
  const ordered = contacts.toReversed().sort((a, b) => Number(b.is_primary) - Number(a.is_primary))
  for (const { counterparty_rut, email } of ordered) {
    found.set(counterparty_rut, [...(found.get(counterparty_rut) ?? []), email])
  }
  return found
}

/** Some of those whom the empresa deals with, by RUT; nobody in particular is not among them. */
export async function knownCounterparties(sql: Sql, scope: EmpresaScope, take: number): Promise<CounterpartyRow[]> {
  const rows = await listCounterparties(sql, scope, { after: null, take })
  return rows.filter(({ rut }) => !isNobody(rut))
}
