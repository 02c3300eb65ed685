import type { Irreversible } from '../../agent-tool.ts'

export const deletesEmpresa: Irreversible<null> = {
  before: 'empresas.get',
  says: () => 'Se va a eliminar la empresa de prueba con todo lo que contiene. No se puede recuperar.',
  shows: () => ({}),
}
