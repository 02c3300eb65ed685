import type { Series } from '../caf/register.ts'
import { type Answer, type Door, type DoorRequest, html } from '../door.ts'
import { formOf } from '../form-body.ts'
import type { Ambiente } from '../hosts.ts'
import { loginBounce, refusalPage } from '../portal/page.ts'
import { scripted } from '../portal/scripted.ts'
import { type PortalSession, sessionOf } from '../portal/session.ts'
import { joinRut } from '../rut.ts'
import type { Simulator } from '../simulator.ts'
import type { Permission, Taxpayer } from '../state/types.ts'
import { may, standingOf, taxpayerOf } from '../taxpayers.ts'
import { STAMPED } from '../tipos.ts'

/** The sentences by which clients classify a refusal. A script `no_folios` names one by its `finding.code`. */
export const FOLIO_REFUSALS: Readonly<Record<string, string>> = {
  rationing:
    'NO SE AUTORIZA TIMBRAJE ELECTRONICO. El contribuyente mantiene folios sin utilizar o situaciones tributarias pendientes',
  activity: 'El contribuyente no registra Verificación de Actividades',
  company: 'La empresa no está autorizada para operar en este ambiente',
  option: 'Usted no está autorizado para ingresar a esta opción',
  permission: 'Usuario no tiene permiso para solicitar folios en la empresa (106)',
  visit: 'Para obtener folios deberá presentarse en la oficina del SII correspondiente a su domicilio',
}

export interface Step {
  readonly ctx: Simulator
  readonly request: DoorRequest
  readonly session: PortalSession
  readonly form: URLSearchParams
  readonly action: (cgi: string) => string
}

export interface CompanyStep extends Step {
  readonly company: Taxpayer
  readonly fields: { readonly RUT_EMP: string; readonly DV_EMP: string }
}

export interface SeriesStep extends CompanyStep {
  readonly series: Series
}

/** One CGI of `/cvc_cgi/dte/`: who comes without a session is sent to the login. */
export const cgi = (name: string, method: 'GET' | 'POST', handle: (step: Step) => Answer | Promise<Answer>): Door => ({
  name: 'folios',
  hosts: ['maullin.sii.cl', 'palena.sii.cl'],
  method,
  path: `/cvc_cgi/dte/${name}`,
  handle(ctx, request) {
    const session = sessionOf(ctx, request)
    if (session === null) return html(loginBounce(`https://${request.host}${request.path}`))
    const action = (next: string) => `${request.base}/cvc_cgi/dte/${next}`
    return handle({ ctx, request, session, form: formOf(request), action })
  },
})

export function inCompany(step: Step, permission: Permission, act: (step: CompanyStep) => Answer | Promise<Answer>) {
  const { ctx, request, session, form } = step
  const script = scripted(ctx, 'folios', request, 'no_folios')
  if (script !== null) return refuse(script.finding?.code ?? 'rationing', script.finding?.glosa)
  const rut = joinRut(form.get('RUT_EMP'), form.get('DV_EMP'))
  const company = rut === null ? null : taxpayerOf(ctx, rut)
  if (rut === null || company === null || !standingOf(company, request.ambiente).authorised) return refuse('company')
  if (company.users !== null && session.rut !== rut && !company.users.some((user) => user.rut === session.rut))
    return refuse('option')
  if (!may(ctx, session.rut, permission, rut)) return refuse('permission')
  const [RUT_EMP = '', DV_EMP = ''] = rut.split('-')
  return act({ ...step, company, fields: { RUT_EMP, DV_EMP } })
}

export function inSeries(step: Step, permission: Permission, act: (step: SeriesStep) => Answer | Promise<Answer>) {
  return inCompany(step, permission, (known) => {
    const tipo = Number(step.form.get('COD_DOCTO'))
    if (!tiposOf(known.company, step.request.ambiente).includes(tipo)) return refuse('option')
    return act({ ...known, series: { ambiente: step.request.ambiente, emisor: known.company.rut, tipo } })
  })
}

export function refuse(code: string, sentence?: string): Answer {
  return html(refusalPage((Object.hasOwn(FOLIO_REFUSALS, code) ? FOLIO_REFUSALS[code] : undefined) ?? sentence ?? code))
}

export function tiposOf(company: Taxpayer, ambiente: Ambiente): readonly number[] {
  const { tipos } = standingOf(company, ambiente)
  return tipos === null ? STAMPED : STAMPED.filter((tipo) => tipos.includes(tipo))
}
