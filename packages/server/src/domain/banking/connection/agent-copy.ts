import { type Irreversible, quoted } from '../../agent-tool.ts'
import type { ConnectionWithLink } from './schema.ts'

export const deletesConnection: Irreversible<null> = {
  before: 'connections.get',
  says: () =>
    'Se va a eliminar la conexión con el banco: no se leerán más movimientos y el proveedor olvida el enlace. Los ' +
    'movimientos ya leídos quedan.',
  shows: () => ({}),
}

const bankOf = ({ name, institution, requested_institution }: ConnectionWithLink) =>
  name ?? institution?.name ?? requested_institution

/** The page ends with the agent, and the bank that a person links on it does not. */
export const opensConnection: Irreversible<ConnectionWithLink> = {
  says: (connection) => {
    const bank = bankOf(connection)
    return (
      `Se va a crear una página para conectar un banco${bank === null ? '' : ` (${quoted(bank)})`}. Una vez que alguien lo ` +
      'conecte ahí, sus movimientos se leen todos los días hasta que elimines la conexión.'
    )
  },
  shows: ({ name, holder_type, requested_institution }) => ({ name, holder_type, requested_institution }),
}
