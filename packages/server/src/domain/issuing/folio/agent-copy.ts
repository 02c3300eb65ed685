import type { Irreversible } from '../../agent-tool.ts'

export const deactivatesCaf: Irreversible<null> = {
  before: 'cafs.get',
  says: () => 'Se va a desactivar este CAF: sus folios sin usar dejan de estar disponibles para emitir.',
  shows: () => ({}),
}
