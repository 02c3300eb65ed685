import { canonicalRut, printedRut } from '@timbre/dte/values'
import { Type } from 'typebox'
import { CEILINGS } from '../../catalog/limits.ts'
import type { Contribuyente } from '../../domain/issuing/contribuyente/schema.ts'
import type { Contact, Counterparty } from '../../domain/issuing/counterparty/schema.ts'
import type { Document } from '../../domain/issuing/document/schema.ts'
import { LatinLine } from '../../domain/latin-text.ts'
import { Email, OneLine } from '../../kernel/schema.ts'
import { asRut, defineTool, type OwnToolContext } from '../own-tool.ts'
import { partiesNamed } from './find.ts'
import { acted, Empresa, tell } from './kit.ts'

const optional = Type.Optional

interface Known {
  readonly legal_name: string | null
  readonly giro: string | null
  readonly address: {
    readonly street?: string | null
    readonly comuna?: string | null
    readonly city?: string | null
  } | null
}

/** What a factura needs and nobody here knows of a receptor. */
function lacking({ legal_name, giro, address }: Known): string[] {
  const fields = { legal_name, giro, street: address?.street, comuna: address?.comuna }
  return Object.entries(fields).flatMap(([name, value]) => (value ? [] : [name]))
}

/** All that is known of a RUT: our address book first, then our last document to it, then the register of taxpayers. */
async function known(ctx: OwnToolContext, empresa: string | undefined, rut: string) {
  const book = await ctx.readIfThere<Counterparty>('counterparties.get', { empresa, counterparty_rut: rut })
  const registered = await ctx.readIfThere<Contribuyente>('contribuyentes.get', { rut })
  const sent = ctx.reaches('documents.list')
    ? (await ctx.rows<Document>('documents.list', { empresa, receptor_rut: rut }, 1)).rows
    : []
  const last = sent[0]?.receptor
  const address = [book?.address, last?.address].find((one) => one?.street && one.comuna) ?? book?.address ?? null
  const legal_name = book?.legal_name ?? last?.legal_name ?? registered?.legal_name ?? null
  const giro = book?.giro ?? last?.giro ?? registered?.suggested_giro ?? null
  return { book, registered, last_document: sent[0], party: { legal_name, giro, address } }
}

export const findReceptor = defineTool({
  name: 'find_receptor',
  title: 'Find a client or supplier',
  description:
    'Looks a client or supplier up by RUT or name: razón social, giro, dirección, correos, and what is still missing to issue a factura to it (buscar cliente, datos de un RUT).',
  reads: ['counterparties.get', 'counterparties.list'],
  may_read: ['contribuyentes.get', 'documents.list'],
  input: { empresa: Empresa, who: OneLine(100, { description: 'RUT, or part of the name.' }) },
  run: async (ctx, { empresa, who }) => {
    const rut = canonicalRut(who)
    if (rut === null) {
      const found = await partiesNamed(ctx, empresa, who)
      const list = found.slice(0, 10).map(({ rut: one, legal_name, giro }) => ({ rut: one, legal_name, giro }))
      return tell({ said: `${found.length} en la libreta de direcciones`, count: found.length, found: list })
    }
    const { book, registered, last_document, party } = await known(ctx, empresa, rut)
    const missing = lacking(party)
    return tell({
      said: `${party.legal_name ?? 'Nadie conocido'} (${printedRut(rut)})${missing.length === 0 ? ': se le puede facturar' : ''}`,
      rut,
      ...party,
      contacts: book?.contacts.map(({ name, email, phone }) => ({ name, email, phone })) ?? [],
      in_address_book: book !== null,
      registered_at_sii: registered !== null,
      ended_on: registered?.ended_on ?? null,
      last_document: last_document && { id: last_document.id, issue_date: last_document.issue_date },
      missing_for_a_factura: missing,
    })
  },
})

export const saveReceptor = defineTool({
  name: 'save_receptor',
  title: 'Prepare a client or supplier',
  description:
    'Puts a client or supplier into the address book, or changes it (guardar en la libreta, agregar un cliente o su correo), so that documents to it need its RUT alone: razón social, giro, dirección, comuna. Name and giro come from the register of taxpayers if left out. With `email` alone it adds a contact. Takes two calls.',
  reads: ['counterparties.get'],
  may_read: ['contribuyentes.get'],
  acts: ['counterparties.update', 'counterparties.contacts.create'],
  input: {
    empresa: Empresa,
    rut: OneLine(20, { description: 'RUT of the client or supplier.' }),
    legal_name: optional(LatinLine(CEILINGS.legal_name, { description: 'Razón social.' })),
    giro: optional(LatinLine(CEILINGS.giro, { description: 'Giro.' })),
    street: optional(LatinLine(CEILINGS.street, { description: 'Street and number.' })),
    comuna: optional(LatinLine(CEILINGS.comuna, { description: 'Comuna.' })),
    city: optional(LatinLine(CEILINGS.city, { description: 'City.' })),
    email: optional({ ...Email, description: 'Address that its documents go to.' }),
  },
  run: async (ctx, input, acting) => {
    const { empresa, rut, legal_name, giro, street, comuna, city, email } = input
    const named = { empresa, counterparty_rut: asRut(rut) }
    // Changing it takes no key: repeated, it is the same change.
    const { confirmation } = acting
    const about = [legal_name, giro, street, comuna, city].some((one) => one !== undefined)
    if (email !== undefined && !about) {
      const added = await ctx.act('counterparties.contacts.create', { ...named, email, ...acting })
      return acted<Contact>(added, ({ id }) => ({ said: `Contacto ${email} guardado`, contact_id: id }))
    }
    const book = await ctx.readIfThere<Counterparty>('counterparties.get', { empresa, counterparty_rut: asRut(rut) })
    const registered =
      book || (legal_name !== undefined && giro !== undefined)
        ? null
        : await ctx.readIfThere<Contribuyente>('contribuyentes.get', { rut: asRut(rut) })
    const address = Object.fromEntries(Object.entries({ street, comuna, city }).filter(([, one]) => one !== undefined))
    const fields = {
      legal_name: legal_name ?? registered?.legal_name,
      giro: giro ?? registered?.suggested_giro ?? undefined,
      ...(Object.keys(address).length > 0 && { address }),
    }
    const sent = Object.fromEntries(Object.entries(fields).filter(([, one]) => one !== undefined))
    const result = await ctx.act('counterparties.update', { ...named, ...sent, ...(confirmation && { confirmation }) })
    return acted<Counterparty>(result, (party) => ({
      said: `${party.legal_name ?? rut} guardado`,
      rut: party.rut,
      missing_for_a_factura: lacking(party),
      ...(email !== undefined && { next: 'Call again with `rut` and `email` alone to add the contact.' }),
    }))
  },
})
