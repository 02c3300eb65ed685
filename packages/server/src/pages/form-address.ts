import type { Answer } from '../kernel/answer.ts'
import { messagePage } from './account.ts'

/** For whoever opens what only a form is sent to: once its button was pressed, that address stands in the browser. */
export const formAddressPage = (): Answer =>
  messagePage(
    'Aquí no hay nada que abrir',
    'A esta dirección se llega con el botón de la página anterior. Vuelve atrás, o abre de nuevo el enlace que te enviamos.',
    { status: 405 },
  )
