import { printedRut } from '@timbre/dte/values'
import { type Irreversible, quoted } from '../../agent-tool.ts'
import type { Contact, Counterparty } from './schema.ts'

/** A contact is written to for as long as it is there, whoever added it: the person is told so first. */
export const writesToContact: Irreversible<Contact> = {
  says: ({ email }) =>
    `Desde ahora ${quoted(email)} puede recibir por correo los documentos de esta contraparte, hasta que borres el contacto.`,
  shows: ({ email, name, phone, primary }) => ({ email, name, phone, primary }),
}

export const forgetsContact: Irreversible<null> = {
  says: () =>
    'Se va a borrar este contacto: ya no recibe los documentos de la contraparte, y si era el principal otro toma su lugar. ' +
    'Para recuperarlo hay que crearlo de nuevo.',
  shows: () => ({}),
}

const placeOf = ({ address }: Counterparty) =>
  [address?.street, address?.comuna, address?.city].filter((text) => text != null).join(', ')

/** The next documents take from here whatever they do not say themselves. */
export const recordsCounterparty: Irreversible<Counterparty> = {
  says: (counterparty) => {
    const { rut, legal_name, giro } = counterparty
    const place = placeOf(counterparty)
    return (
      `Desde ahora los documentos para el RUT ${printedRut(rut)} que no digan otra cosa salen ` +
      `${legal_name === null ? 'sin nombre registrado' : `a nombre de ${quoted(legal_name)}`}` +
      `${giro === null ? '' : `, giro ${quoted(giro)}`}${place === '' ? '' : `, dirección ${quoted(place)}`}.`
    )
  },
  shows: ({ rut, legal_name, giro, address }) => ({ rut, legal_name, giro, address }),
}
