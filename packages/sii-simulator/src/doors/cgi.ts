import { type Answer, type Door, type DoorRequest, html } from '../door.ts'
import { formOf } from '../form-body.ts'
import type { SiiHost } from '../hosts.ts'
import { loginBounce } from '../portal/page.ts'
import { type PortalSession, sessionOf } from '../portal/session.ts'
import { joinRut } from '../rut.ts'
import type { Simulator } from '../simulator.ts'
import type { Taxpayer } from '../state/types.ts'
import { taxpayerOf } from '../taxpayers.ts'

/** What a page of `/cvc_cgi/dte/` is given. */
export interface CgiStep {
  readonly ctx: Simulator
  readonly request: DoorRequest
  readonly session: PortalSession
  readonly form: URLSearchParams
  readonly action: (program: string) => string
}

/** With the company of its form. */
export interface CompanyStep extends CgiStep {
  readonly company: Taxpayer
  readonly fields: { readonly RUT_EMP: string; readonly DV_EMP: string }
}

/** The sentence for whoever is no user of the company. */
export const NOT_FOR_YOU = 'Usted no está autorizado para ingresar a esta opción'

/** The pages of a door. Each is a 200: what it says is in its words. Who comes without a session is sent to the login. */
export const cgiOf =
  (door: string, hosts: readonly SiiHost[]) =>
  <S extends Answer | Promise<Answer>>(name: string, method: 'GET' | 'POST', handle: (step: CgiStep) => S): Door => ({
    name: door,
    hosts,
    method,
    path: `/cvc_cgi/dte/${name}`,
    handle(ctx, request) {
      const session = sessionOf(ctx, request)
      if (session === null) return html(loginBounce(`https://${request.host}${request.path}`))
      const action = (next: string) => `${request.base}/cvc_cgi/dte/${next}`
      return handle({ ctx, request, session, form: formOf(request), action })
    },
  })

/** The company that the form names; null where it names none. */
export function companyNamed({ ctx, form }: CgiStep): Pick<CompanyStep, 'company' | 'fields'> | null {
  const rut = joinRut(form.get('RUT_EMP'), form.get('DV_EMP'))
  const company = rut === null ? null : taxpayerOf(ctx, rut)
  if (rut === null || company === null) return null
  const [RUT_EMP = '', DV_EMP = ''] = rut.split('-')
  return { company, fields: { RUT_EMP, DV_EMP } }
}
