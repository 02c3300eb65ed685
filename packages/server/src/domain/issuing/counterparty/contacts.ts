import { CEILINGS } from '../../../catalog/limits.ts'
import { type ListPage, type PageInput, pageById } from '../../../kernel/cursor.ts'
import { newId } from '../../../kernel/id.ts'
import { invalidField, Problem } from '../../../kernel/problem.ts'
import type { EmpresaContext } from '../../context.ts'
import { bindToGrant } from '../../platform/agent-grant/makings.ts'
import {
  contactsOf,
  deleteContact as deleteRow,
  demotePrimary,
  insertContact,
  listContacts as listRows,
  updateContact as updateRow,
} from './contact-store.ts'
import { mailbox } from './lookup.ts'
import type { Contact, ContactPath, CounterpartyPath, CreateContact, PatchContact } from './schema.ts'
import { type ContactRow, showContact } from './show.ts'
import { findCounterparty, lockCounterparty } from './store.ts'

export async function listContacts(
  ctx: EmpresaContext,
  input: CounterpartyPath & PageInput,
): Promise<ListPage<Contact>> {
  const { sql, empresa } = ctx
  const { counterparty_rut } = input
  if (!(await findCounterparty(sql, empresa, counterparty_rut))) throw new Problem('counterparty_not_found')
  const filters = { empresa_id: empresa.empresa_id, counterparty_rut }
  const fetch = (page: { before: string | null; take: number }) => listRows(sql, empresa, counterparty_rut, page)
  return pageById(ctx, 'contacts', filters, input, fetch, showContact)
}

/** Refuses a second contact with the same mailbox, and names the first. */
function refuseDuplicate(contacts: readonly ContactRow[], email: string): void {
  const duplicate = contacts.find((contact) => contact.email === email)
  if (duplicate) throw new Problem('contact_exists', { param: 'email', existing_id: duplicate.id })
}

/** Adds a contact, and the counterparty with it where nothing was recorded yet. */
export async function addContact(ctx: EmpresaContext, input: CounterpartyPath & CreateContact): Promise<Contact> {
  const { sql, empresa } = ctx
  const { counterparty_rut } = input
  const email = mailbox(input.email)
  await lockCounterparty(sql, empresa, counterparty_rut, ctx.now())
  const contacts = await contactsOf(sql, empresa, [counterparty_rut])
  refuseDuplicate(contacts, email)
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
  await bindToGrant(ctx, { id: row.id, kind: 'counterparty_contact', label: row.email })
  return showContact(row)
}

/** Locks the counterparty, so that its primary contact is chosen by one caller at a time, and reads its contacts. */
async function lockContact(
  ctx: EmpresaContext,
  { counterparty_rut, contact_id }: ContactPath,
): Promise<{ contact: ContactRow; others: ContactRow[] }> {
  const { sql, empresa } = ctx
  if (!(await findCounterparty(sql, empresa, counterparty_rut))) throw new Problem('contact_not_found')
  await lockCounterparty(sql, empresa, counterparty_rut, ctx.now())
  const contacts = await contactsOf(sql, empresa, [counterparty_rut])
  const contact = contacts.find(({ id }) => id === contact_id)
  if (!contact) throw new Problem('contact_not_found')
  return { contact, others: contacts.filter((other) => other !== contact) }
}

/** An opt-out keeps the moment it was first recorded: a repetition does not make it younger. */
function optedOutAt(contact: ContactRow, opted_out: boolean | undefined, now: Date): Date | null {
  if (opted_out === undefined) return contact.opted_out_at
  return opted_out ? (contact.opted_out_at ?? now) : null
}

export async function updateContact(ctx: EmpresaContext, input: ContactPath & PatchContact): Promise<Contact> {
  const { sql, empresa } = ctx
  const { contact, others } = await lockContact(ctx, input)
  const email = input.email === undefined ? contact.email : mailbox(input.email)
  refuseDuplicate(others, email)
  if (input.primary === false && contact.is_primary) {
    throw invalidField('primary', 'the primary contact cannot step down; promote another one instead.')
  }
  const promoted = input.primary === true && !contact.is_primary
  if (promoted) await demotePrimary(sql, empresa, contact.counterparty_rut)
  const row: ContactRow = {
    ...contact,
    name: input.name === undefined ? contact.name : input.name,
    email,
    phone: input.phone === undefined ? contact.phone : input.phone,
    is_primary: contact.is_primary || promoted,
    opted_out_at: optedOutAt(contact, input.opted_out, ctx.now()),
  }
  await updateRow(sql, empresa, row)
  if (email !== contact.email) await bindToGrant(ctx, { id: row.id, kind: 'counterparty_contact', label: email })
  return showContact(row)
}

/** As people tell contacts apart; null where there is none. */
export async function addressOfContact(
  { sql, empresa }: EmpresaContext,
  { counterparty_rut, contact_id }: ContactPath,
): Promise<string | null> {
  const contacts = await contactsOf(sql, empresa, [counterparty_rut])
  return contacts.find(({ id }) => id === contact_id)?.email ?? null
}

/** Deletes a contact. When it was the primary one, the oldest of the others takes its place. */
export async function deleteContact(ctx: EmpresaContext, input: ContactPath): Promise<null> {
  const { sql, empresa } = ctx
  const { contact, others } = await lockContact(ctx, input)
  await deleteRow(sql, empresa, contact)
  const heir = others.at(-1)
  if (contact.is_primary && heir) await updateRow(sql, empresa, { ...heir, is_primary: true })
  return null
}
