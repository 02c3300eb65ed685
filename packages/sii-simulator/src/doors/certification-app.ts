import { type Certification, certificationOf } from '../certification/register.ts'
import { type Answer, type Door, type DoorRequest, html } from '../door.ts'
import { loginBounce, refusalPage } from '../portal/page.ts'
import { type PortalSession, sessionOf } from '../portal/session.ts'
import { joinRut } from '../rut.ts'
import type { Simulator } from '../simulator.ts'
import type { Taxpayer } from '../state/types.ts'
import { may, taxpayerOf } from '../taxpayers.ts'
import { refusedAct } from './certification-script.ts'
import { NOT_FOR_YOU } from './cgi.ts'

/** What an application of www4 is given: the company stands in the query (`re`, `dve`). */
export interface OpenStep {
  readonly ctx: Simulator
  readonly request: DoorRequest
  readonly session: PortalSession
  readonly company: Taxpayer
}

export interface AppStep extends OpenStep {
  readonly certification: Certification
}

/** One call of an application of www4, in a portal session of somebody who administers the company. */
export const openApp = (
  name: string,
  method: 'GET' | 'POST',
  path: string,
  handle: (step: OpenStep) => Answer | Promise<Answer>,
): Door => ({
  name,
  hosts: ['www4.sii.cl'],
  method,
  path,
  handle(ctx, request) {
    const session = sessionOf(ctx, request)
    if (session === null) return html(loginBounce(`https://${request.host}${request.path}`))
    const rut = joinRut(request.query.get('re'), request.query.get('dve'))
    const company = rut === null ? null : taxpayerOf(ctx, rut)
    if (rut === null || company === null) return refuse('El RUT de la empresa no es válido')
    if (!may(ctx, session.rut, 'administrador', rut)) return refuse(NOT_FOR_YOU)
    const refused = method === 'POST' ? refusedAct(ctx, name, request) : null
    return refused ?? handle({ ctx, request, session, company })
  },
})

/** Of a company that certifies. */
export const app = (
  name: string,
  method: 'GET' | 'POST',
  path: string,
  handle: (step: AppStep) => Answer | Promise<Answer>,
): Door =>
  openApp(name, method, path, (step) => {
    const found = inApplication(step.ctx, step.company.rut)
    return found === null
      ? refuse(`El contribuyente ${step.company.rut} no está inscrito en Postulación`)
      : handle({ ...step, ...found })
  })

export function inApplication(ctx: Simulator, rut: string): { certification: Certification } | null {
  const certification = certificationOf(ctx, rut)
  return certification === null ? null : { certification }
}

export const refuse = (sentence: string) => html(refusalPage(sentence))
