import { invalidField, Problem } from '../../../kernel/problem.ts'
import type { EmpresaContext } from '../../context.ts'
import { mailbox, refuseTaken } from './add-contact.ts'
import { contactsOf, demotePrimary, dropContact, writeContact } from './contact-store.ts'
import { findCounterparty } from './find.ts'
import type { Contact, ContactPath, PatchContact } from './schema.ts'
import { type ContactRow, showContact } from './show.ts'
import { holdCounterparty } from './store.ts'

/** The contact and its siblings, held so that the choice of the primary one is made by one caller at a time. */
async function holdContact(
  ctx: EmpresaContext,
  { counterparty_rut, contact_id }: ContactPath,
): Promise<{ contact: ContactRow; others: ContactRow[] }> {
  const { sql, empresa } = ctx
  if (!(await findCounterparty(sql, empresa, counterparty_rut))) throw new Problem('contact_not_found')
  await holdCounterparty(sql, empresa, counterparty_rut, ctx.now())
  const contacts = await contactsOf(sql, empresa, [counterparty_rut])
  const contact = contacts.find(({ id }) => id === contact_id)
  if (!contact) throw new Problem('contact_not_found')
  return { contact, others: contacts.filter((other) => other !== contact) }
}

/** An opt-out keeps the moment it was first recorded: saying it twice does not make it younger. */
function optedOutAt(contact: ContactRow, opted_out: boolean | undefined, now: Date): Date | null {
  if (opted_out === undefined) return contact.opted_out_at
  return opted_out ? (contact.opted_out_at ?? now) : null
}

export async function editContact(ctx: EmpresaContext, input: ContactPath & PatchContact): Promise<Contact> {
  const { sql, empresa } = ctx
  const { contact, others } = await holdContact(ctx, input)
  const email = input.email === undefined ? contact.email : mailbox(input.email)
  refuseTaken(others, email)
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
  await writeContact(sql, empresa, row)
  return showContact(row)
}

/** Removes a contact. When it was the primary one, the oldest of the others takes its place. */
export async function removeContact(ctx: EmpresaContext, input: ContactPath): Promise<null> {
  const { sql, empresa } = ctx
  const { contact, others } = await holdContact(ctx, input)
  await dropContact(sql, empresa, contact)
  const heir = others.at(-1)
  if (contact.is_primary && heir) await writeContact(sql, empresa, { ...heir, is_primary: true })
  return null
}
