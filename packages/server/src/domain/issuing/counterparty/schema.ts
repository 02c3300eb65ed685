import { type Static, Type } from 'typebox'
import { CEILINGS } from '../../../catalog/limits.ts'
import { Closed, Email, Id, Named, Nullable, OneLine, OneOf, Timestamp } from '../../../kernel/schema.ts'
import { Rut } from '../../rut.ts'

export const Contact = Named(
  'CounterpartyContact',
  Closed({
    object: Type.Literal('counterparty_contact'),
    id: Type.String(),
    name: Nullable(Type.String()),
    email: Type.String(),
    phone: Nullable(Type.String()),
    primary: Type.Boolean({ description: 'Exactly one contact of a counterparty is.' }),
    opted_out_at: Nullable(Timestamp, { description: 'Since when this person wants no mail from the empresa.' }),
    created_at: Timestamp,
  }),
)
export type Contact = Static<typeof Contact>

const nullableText = Nullable(Type.String())

export const Counterparty = Named(
  'Counterparty',
  Closed({
    object: Type.Literal('counterparty'),
    id: Type.String({ description: 'The RUT: within an empresa it names the counterparty.' }),
    rut: Rut,
    legal_name: nullableText,
    giro: nullableText,
    address: Nullable(Closed({ street: nullableText, comuna: nullableText, city: nullableText })),
    source: Nullable(OneOf(['api', 'document']), {
      description:
        '`api`: recorded by the caller, in whole or in part. `document`: inferred from an earlier document. Null: ' +
        'nothing recorded.',
    }),
    created_at: Timestamp,
    updated_at: Timestamp,
    contacts: Type.Array(Contact, { description: 'Newest first.' }),
  }),
)
export type Counterparty = Static<typeof Counterparty>

const optional = (max: number) => Type.Optional(Nullable(OneLine(max)))

export const PatchCounterparty = Closed({
  legal_name: optional(CEILINGS.legal_name),
  giro: optional(CEILINGS.giro),
  address: Type.Optional(
    Nullable(
      Closed({
        street: optional(CEILINGS.street),
        comuna: optional(CEILINGS.comuna),
        city: optional(CEILINGS.city),
      }),
      { description: 'Partial as well: a field left out stays, null clears it. Null for the whole clears all three.' },
    ),
  ),
})
export type PatchCounterparty = Static<typeof PatchCounterparty>

export const EmpresaPath = Closed({ empresa_id: Id })
export const CounterpartyPath = Closed({ empresa_id: Id, counterparty_rut: Rut })
export type CounterpartyPath = Static<typeof CounterpartyPath>
export const ContactPath = Closed({ empresa_id: Id, counterparty_rut: Rut, contact_id: Id })
export type ContactPath = Static<typeof ContactPath>

const contactFields = {
  name: optional(100),
  phone: optional(40),
  primary: Type.Optional(
    Type.Boolean({
      description:
        'True promotes it and demotes the one that was. The first contact is primary in any case; the primary one ' +
        'cannot step down by itself: promote another.',
    }),
  ),
  opted_out: Type.Optional(
    Type.Boolean({ description: 'True records that this person wants no mail; false takes that back.' }),
  ),
}

export const CreateContact = Closed({ email: Email, ...contactFields })
export type CreateContact = Static<typeof CreateContact>

export const PatchContact = Closed({ email: Type.Optional(Email), ...contactFields })
export type PatchContact = Static<typeof PatchContact>
