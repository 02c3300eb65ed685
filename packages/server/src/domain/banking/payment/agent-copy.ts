import type { Irreversible } from '../../agent-tool.ts'

export const takesBackPayment: Irreversible<null> = {
  says: () =>
    'Se va a borrar este pago anotado: lo que pagaba vuelve a quedar pendiente. Para recuperarlo hay que anotarlo de nuevo.',
  shows: () => ({}),
}
