import { type Irreversible, quoted } from '../../agent-tool.ts'
import type { Empresa } from './schema.ts'

export const deletesEmpresa: Irreversible<null> = {
  before: 'empresas.get',
  says: () => 'Se va a eliminar la empresa de prueba con todo lo que contiene. No se puede recuperar.',
  shows: () => ({}),
}

const ARCHIVES =
  'Se va a archivar la empresa: deja de emitir y de recibir correo, y se borran su certificado y su clave del SII. No se ' +
  'puede deshacer.'
const answersTo = (email: string | null) =>
  email === null
    ? 'Los correos de esta empresa ya no dirán a dónde responder.'
    : `Desde ahora las respuestas a los correos de esta empresa llegan a ${quoted(email)}, también después de que el agente pierda su acceso.`

/** Of a general update: what ends the empresa, and what sends its answers elsewhere. */
export const changesEmpresa: Irreversible<Empresa> = {
  when: {
    told: 'With `status: archived` or a `contact_email`',
    holds: ({ status, contact_email }) => status === 'archived' || contact_email !== undefined,
  },
  before: 'empresas.get',
  says: ({ contact_email }, input) =>
    [
      ...(input.contact_email === undefined ? [] : [answersTo(contact_email)]),
      ...(input.status === 'archived' ? [ARCHIVES] : []),
    ].join(' '),
  shows: ({ status, legal_name, giro, address, contact_email }) => ({
    status,
    legal_name,
    giro,
    address,
    contact_email,
  }),
}
