import type { Irreversible } from '../../agent-tool.ts'

export const deletesConnection: Irreversible<null> = {
  before: 'connections.get',
  says: () =>
    'Se va a eliminar la conexión con el banco: no se leerán más movimientos y el proveedor olvida el enlace. Los ' +
    'movimientos ya leídos quedan.',
  shows: () => ({}),
}
