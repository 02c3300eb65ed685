import type { Irreversible } from '../../agent-tool.ts'

export const deletesStatement: Irreversible<null> = {
  before: 'tax.statements.get',
  says: () =>
    'Se va a deshacer la carga de la cartola: se borran sus movimientos, sus gastos y las sugerencias abiertas. Para ' +
    'recuperarlos hay que volver a cargar el archivo.',
  shows: () => ({}),
}
