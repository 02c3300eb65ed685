import type { Irreversible } from '../../agent-tool.ts'

export const annulsFolios: Irreversible<object> = {
  before: 'cafs.get',
  says: () => 'Se van a anular en el SII los folios sin usar de este CAF: ningún documento podrá llevarlos nunca.',
  shows: () => ({}),
}

export const deactivatesCaf: Irreversible<null> = {
  before: 'cafs.get',
  says: () => 'Se va a desactivar este CAF: sus folios sin usar dejan de estar disponibles para emitir.',
  shows: () => ({}),
}
