import { drift } from '../failure.ts'
import { type CgiDoor, throughDoor } from '../portal/cgi.ts'
import { fold } from '../portal/fold.ts'
import type { PortalUser } from '../portal/log-in.ts'
import { type Form, formTo, type Page } from '../portal/page.ts'
import type { Sessions } from '../portal/sessions.ts'
import type { Wire } from '../wire.ts'
import { refusalOf } from './refusals.ts'

/** Who certifies which taxpayer. It happens in the environment of certification, always. */
export interface CertificationQuestion {
  /** The representante legal, or a person with the permissions that the SII asks for there. */
  readonly user: PortalUser
  /** Of the taxpayer. */
  readonly rut: string
}

export const AMBIENTE = 'certificacion'

export function certifying<T>(
  wire: Wire,
  sessions: Sessions,
  { user }: CertificationQuestion,
  first: string,
  flow: (door: CgiDoor) => Promise<T>,
): Promise<T> {
  return throughDoor(wire, sessions, { user, ambiente: AMBIENTE }, first, flow)
}

export function companyFields({ rut }: Pick<CertificationQuestion, 'rut'>): [string, string][] {
  const [number = '', dv = ''] = rut.split('-')
  return [
    ['RUT_EMP', number],
    ['DV_EMP', dv],
  ]
}

/** The page of a program, and the one after it that is asked with the company: the manner of every door here. */
export async function enter<T>(
  door: CgiDoor,
  question: CertificationQuestion,
  [first, second]: readonly [first: string, second: string],
  read: (page: Page) => T,
): Promise<T> {
  const form = await door.step(first, null, ({ page }) => ({ value: requireForm(page, second) }))
  return door.step(second, entered(form, question), ({ page }) => ({ value: read(page) }))
}

/** What a form sends for a company, with the one button that goes on: programs look at which one was pressed. */
export function entered(form: Form, question: CertificationQuestion): Map<string, string> {
  const pressed = [...form.buttons].find(([name, words]) => !LEAVES.test(`${fold(name)} ${fold(words)}`))
  return new Map([...form.fields, pressed ?? ['ACEPTAR', 'Confirmar Empresa'], ...companyFields(question)])
}

const LEAVES = /\b(no|salir|volver|cancelar|limpiar|borrar|rechazar)\b/

/** A page without the form we look for refuses in words, or is not the page we know. */
export function requireForm(page: Page, program: string): Form {
  const form = formTo(page, program)
  if (form === null) throw refusalOf(page) ?? drift(`form to ${program}`)
  return form
}
