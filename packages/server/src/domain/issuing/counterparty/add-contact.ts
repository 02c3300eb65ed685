import { CEILINGS } from '../../../catalog/limits.ts'
import { newId } from '../../../kernel/id.ts'
import { Problem } from '../../../kernel/problem.ts'
import type { EmpresaContext } from '../../context.ts'
import { contactsOf, demotePrimary, insertContact } from './contact-store.ts'
import type { Contact, CounterpartyPath, CreateContact } from './schema.ts'
import { type ContactRow, showContact } from './show.ts'
import { holdCounterparty } from './store.ts'

/** Two spellings of one mailbox are one contact: nobody wants the same document twice. */
export function mailbox(email: string): string {
  return email.toLowerCase()
}

/** Refuses a second contact with the same mailbox, and names the first. */
export function refuseTaken(contacts: readonly ContactRow[], email: string): void {
  const taken = contacts.find((contact) => contact.email === email)
  if (taken) throw new Problem('contact_exists', { param: 'email', existing_id: taken.id })
}

/** Adds a contact; the counterparty comes into being with it where nothing was recorded yet. */
export async function addContact(ctx: EmpresaContext, input: CounterpartyPath & CreateContact): Promise<Contact> {
  const { sql, empresa } = ctx
  const { counterparty_rut } = input
  const email = mailbox(input.email)
  await holdCounterparty(sql, empresa, counterparty_rut, ctx.now())
  const contacts = await contactsOf(sql, empresa, [counterparty_rut])
  refuseTaken(contacts, email)
  if (contacts.length >= CEILINGS.contacts_per_counterparty) throw new Problem('contact_limit_reached')
  const is_primary = input.primary === true || contacts.length === 0
  if (is_primary) await demotePrimary(sql, empresa, counterparty_rut)
  const row: ContactRow = {
    id: newId('counterparty_contact'),
    counterparty_rut,
    name: input.name ?? null,
    email,
    phone: input.phone ?? null,
    is_primary,
    opted_out_at: input.opted_out ? ctx.now() : null,
    created_at: ctx.now(),
  }
  await insertContact(sql, empresa, row)
  return showContact(row)
}
