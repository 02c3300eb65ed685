import type { Irreversible } from '../../agent-tool.ts'

/** Whoever was given the address finds nothing there any more; another link has another address. */
export const revokesLinks: Irreversible<null> = {
  says: () =>
    'Se van a anular los enlaces públicos: quien los tenga ya no podrá abrirlos, y un enlace nuevo tendrá otra dirección.',
  shows: () => ({}),
}
