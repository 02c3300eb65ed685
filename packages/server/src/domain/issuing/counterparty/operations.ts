import { listOf, listQuery } from '../../../kernel/schema.ts'
import { defineOperation } from '../../operation.ts'
import { forgetsContact, writesToContact } from './agent-copy.ts'
import { addContact, deleteContact, listContacts, updateContact } from './contacts.ts'
import { listCounterparties, readCounterparty } from './read.ts'
import { recordCounterparty } from './record.ts'
import {
  Contact,
  ContactPath,
  Counterparty,
  CounterpartyPath,
  CreateContact,
  EmpresaPath,
  PatchContact,
  PatchCounterparty,
} from './schema.ts'

const COUNTERPARTIES = '/empresas/{empresa_id}/counterparties'
const CONTACTS = `${COUNTERPARTIES}/{counterparty_rut}/contacts`

export const counterpartyOperations = [
  defineOperation({
    id: 'counterparties.list',
    method: 'GET',
    path: COUNTERPARTIES,
    summary: 'List counterparties',
    description:
      'Counterparties of the empresa, by RUT, with address and contacts: those the caller recorded and those it ' +
      'invoiced, which are read off its documents once they are sent. `source` null: nothing recorded.',
    reach: 'empresa',
    scope: 'empresas:read',
    params: EmpresaPath,
    query: listQuery({}),
    returns: listOf(Counterparty),
    errors: ['invalid_cursor'],
    run: listCounterparties,
  }),
  defineOperation({
    id: 'counterparties.get',
    method: 'GET',
    path: `${COUNTERPARTIES}/{counterparty_rut}`,
    summary: 'Read a counterparty',
    reach: 'empresa',
    scope: 'empresas:read',
    params: CounterpartyPath,
    returns: Counterparty,
    errors: ['counterparty_not_found'],
    run: readCounterparty,
  }),
  defineOperation({
    id: 'counterparties.update',
    method: 'PATCH',
    path: `${COUNTERPARTIES}/{counterparty_rut}`,
    summary: 'Record a counterparty',
    description:
      'A partial upsert: a field left out stays as it was, null clears it. A value a document could not carry (too ' +
      'long, or outside ISO-8859-1) is refused, never cut.',
    reach: 'empresa',
    scope: 'empresas:write',
    params: CounterpartyPath,
    body: PatchCounterparty,
    returns: Counterparty,
    run: recordCounterparty,
  }),
  defineOperation({
    id: 'counterparties.contacts.list',
    method: 'GET',
    path: CONTACTS,
    summary: 'List the contacts of a counterparty',
    reach: 'empresa',
    scope: 'empresas:read',
    params: CounterpartyPath,
    query: listQuery({}),
    returns: listOf(Contact),
    errors: ['counterparty_not_found', 'invalid_cursor'],
    run: listContacts,
  }),
  defineOperation({
    id: 'counterparties.contacts.create',
    method: 'POST',
    path: CONTACTS,
    summary: 'Add a contact',
    description: 'The first contact of a counterparty is its primary one. A counterparty holds at most 50.',
    reach: 'empresa',
    scope: 'empresas:write',
    params: CounterpartyPath,
    body: CreateContact,
    returns: Contact,
    status: 201,
    errors: ['contact_exists', 'contact_limit_reached'],
    mcp: { irreversible: writesToContact },
    audited: true,
    run: addContact,
  }),
  defineOperation({
    id: 'counterparties.contacts.update',
    method: 'PATCH',
    path: `${CONTACTS}/{contact_id}`,
    summary: 'Edit, promote or opt out a contact',
    reach: 'empresa',
    scope: 'empresas:write',
    params: ContactPath,
    body: PatchContact,
    returns: Contact,
    errors: ['contact_not_found', 'contact_exists'],
    mcp: { irreversible: writesToContact },
    audited: true,
    run: updateContact,
  }),
  defineOperation({
    id: 'counterparties.contacts.delete',
    method: 'DELETE',
    path: `${CONTACTS}/{contact_id}`,
    summary: 'Remove a contact',
    description: 'When it was the primary one, the oldest of the others takes its place.',
    reach: 'empresa',
    scope: 'empresas:write',
    params: ContactPath,
    returns: null,
    errors: ['contact_not_found'],
    mcp: { irreversible: forgetsContact },
    audited: true,
    run: deleteContact,
  }),
]
