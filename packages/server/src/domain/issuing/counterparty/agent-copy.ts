import { type Irreversible, quoted } from '../../agent-tool.ts'
import type { Contact } from './schema.ts'

/** A contact is written to for as long as it is there, whoever added it: the person is told so first. */
export const writesToContact: Irreversible<Contact> = {
  says: ({ email }) =>
    `Desde ahora ${quoted(email)} puede recibir por correo los documentos de esta contraparte, también después de que el ` +
    'agente pierda su acceso, hasta que borres el contacto.',
  shows: ({ email, name, phone, primary }) => ({ email, name, phone, primary }),
}

export const forgetsContact: Irreversible<null> = {
  says: () =>
    'Se va a borrar este contacto: ya no recibe los documentos de la contraparte, y si era el principal otro toma su lugar. ' +
    'Para recuperarlo hay que crearlo de nuevo.',
  shows: () => ({}),
}
