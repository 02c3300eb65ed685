import { AnswerFault, drift } from '../failure.ts'
import type { Ambiente } from '../hosts.ts'
import { loneAlert } from '../portal/alerts.ts'
import { looking } from '../portal/effects.ts'
import type { FormCharset } from '../portal/form-body.ts'
import type { PageAnswer } from '../portal/judge.ts'
import type { PortalUser } from '../portal/log-in.ts'
import type { Page } from '../portal/page.ts'
import type { PortalSession } from '../portal/session.ts'
import type { Sessions } from '../portal/sessions.ts'
import type { Read, Wire } from '../wire.ts'

/** Who works in the free invoicing system (SFG) for which company. */
export interface SfgCaller {
  /** The person that is registered there as usuario autorizado. */
  readonly user: PortalUser
  readonly ambiente: Ambiente
  /** Of the company. */
  readonly rut: string
}

/** Why the SFG did not do what was asked; its own sentence is in `glosa`. */
export type SfgReason =
  /** The person works for no such company there. */
  | 'company_not_authorised'
  /** The form came back with an alert. */
  | 'form_refused'
  /** Nobody stored a certificate of the person at the SII. */
  | 'no_central_certificate'
  /** The SII did not sign, and speaks of the password or of the certificate that it keeps. */
  | 'signature_refused'
  /** It did not sign, and says something else: what it says to a wrong password is in no source. */
  | 'not_signed'
  | 'send_refused'
  /** What the SII would sign is not the document that was asked for. */
  | 'other_document'
  /** The form has no place for it. */
  | 'beyond_the_form'
  /** More documents in one day and tipo than a download brings. */
  | 'download_cap'

export interface SfgDoor {
  readonly session: PortalSession
  /** False where the person has one company and the SII asked nothing: then what comes must say whose it is. */
  readonly chosen: boolean
  step<T>(
    program: string,
    query: string,
    fields: Iterable<readonly [string, string]> | null,
    read: (answer: PageAnswer) => Read<T>,
    options?: { readonly charset?: FormCharset; readonly secrets?: readonly string[]; readonly max_bytes?: number },
  ): Promise<T>
}

const DOOR = '/cgi-bin/Portal001/'
const CHOOSER = 'mipeSelEmpresa.cgi'
const CHOOSER_QUERY = 'DESDE_DONDE_URL=OPCION%3D33%26TIPO%3D4'

/** Runs a flow with the company chosen. Which one is chosen is state of the session: nobody else may use it meanwhile. */
export function inCompany<T>(
  wire: Wire,
  sessions: Sessions,
  caller: SfgCaller,
  flow: (door: SfgDoor) => Promise<T>,
): Promise<T> {
  return throughDoor(wire, sessions, caller, async (door) => {
    const chosen = await looking(() => chooseCompany(door, caller.rut))
    return flow({ ...door, chosen })
  })
}

/** The companies that the person may work for, as RUTs; empty also where there is one and the SII asks nothing. */
export function sfgCompanies(
  wire: Wire,
  sessions: Sessions,
  caller: Omit<SfgCaller, 'rut'>,
): Promise<readonly string[]> {
  return throughDoor(wire, sessions, caller, (door) =>
    looking(() => door.step(CHOOSER, CHOOSER_QUERY, null, ({ page }) => ({ value: offered(page) ?? [] }))),
  )
}

function throughDoor<T>(
  wire: Wire,
  sessions: Sessions,
  { user, ambiente }: Omit<SfgCaller, 'rut'>,
  flow: (door: SfgDoor) => Promise<T>,
): Promise<T> {
  const target = `${wire.hosts[ambiente].mipyme}${DOOR}${CHOOSER}?${CHOOSER_QUERY}`
  return sessions.use({ user, ambiente, target, alone: true }, (session) => flow(doorOf(session)))
}

function doorOf(session: PortalSession): SfgDoor {
  let before: string | undefined
  return {
    session,
    chosen: false,
    step: (program, query, fields, read, options = {}) => {
      const path = `${DOOR}${program}${query === '' ? '' : `?${query}`}`
      const referer = before === undefined ? {} : { referer: before }
      before = path
      const form = fields === null ? {} : { form: fields }
      return session.ask({ service: 'mipyme', operation: program, path, ...referer, ...form, ...options }, read)
    },
  }
}

async function chooseCompany(door: SfgDoor, rut: string): Promise<boolean> {
  const choice = await door.step(CHOOSER, CHOOSER_QUERY, null, ({ page }) => {
    const companies = offered(page)
    if (companies !== null && !companies.includes(rut)) {
      throw sfgRefusal('company_not_authorised', companies.join(', ') || page.text)
    }
    return { value: companies }
  })
  // With one company the SII asks nothing and goes on: whose it is, is seen in what it would sign.
  if (choice === null) return false
  return door.step(CHOOSER, CHOOSER_QUERY, [['RUT_EMP', rut]], ({ page }) => {
    const alert = loneAlert(page.alerts)
    if (alert !== null) throw sfgRefusal('company_not_authorised', alert)
    return { value: true }
  })
}

/** The RUTs of the chooser; null for the page that goes on by itself. */
function offered(page: Page): string[] | null {
  const select = page.forms.find(({ selects }) => selects.has('RUT_EMP'))?.selects.get('RUT_EMP')
  if (select !== undefined) return select.flatMap(({ value }) => rutIn(value))
  const alert = loneAlert(page.alerts)
  if (alert !== null) throw sfgRefusal('company_not_authorised', alert)
  if (page.scripts.some((script) => /mipeLaunchPage|mipeGenFacEx|location/.test(script))) return null
  throw drift('select RUT_EMP')
}

function rutIn(value: string): string[] {
  const rut = value.replaceAll('.', '').trim().toUpperCase()
  return /^\d{1,8}-[\dK]$/.test(rut) ? [rut] : []
}

export function sfgRefusal(reason: SfgReason, sentence: string | null): AnswerFault {
  return new AnswerFault({
    kind: 'refused',
    retry: 'never',
    reason,
    estado: null,
    glosa: sentence?.slice(0, 500) ?? null,
    sent: false,
  })
}
