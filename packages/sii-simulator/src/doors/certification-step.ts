import { CERTIFICATION_DOOR } from '../certification/declare.ts'
import { type Certification, certificationOf } from '../certification/register.ts'
import { type Answer, type Door, type DoorRequest, html } from '../door.ts'
import { formOf } from '../form-body.ts'
import { loginBounce, messagePage, refusalPage } from '../portal/page.ts'
import { type PortalSession, sessionOf } from '../portal/session.ts'
import { joinRut } from '../rut.ts'
import type { Simulator } from '../simulator.ts'
import type { Taxpayer } from '../state/types.ts'
import { may, taxpayerOf } from '../taxpayers.ts'
import { FOLIO_REFUSALS } from './folio-step.ts'

export interface PageStep {
  readonly ctx: Simulator
  readonly request: DoorRequest
  readonly session: PortalSession
  readonly form: URLSearchParams
  readonly action: (cgi: string) => string
}

export interface ApplicantStep extends PageStep {
  readonly company: Taxpayer
  readonly fields: { readonly RUT_EMP: string; readonly DV_EMP: string }
}

export interface CertifyingStep extends ApplicantStep {
  readonly certification: Certification
}

/** A CGI of the certification, which only maullin has. Every page is a 200: what it says is in its words. */
export const page = (name: string, method: 'GET' | 'POST', handle: (step: PageStep) => Answer): Door => ({
  name: CERTIFICATION_DOOR,
  hosts: ['maullin.sii.cl'],
  method,
  path: `/cvc_cgi/dte/${name}`,
  handle(ctx, request) {
    const session = sessionOf(ctx, request)
    if (session === null) return html(loginBounce(`https://${request.host}${request.path}`))
    const action = (next: string) => `${request.base}/cvc_cgi/dte/${next}`
    return handle({ ctx, request, session, form: formOf(request), action })
  },
})

/** The company of the form, for which this person administers. */
export function forCompany(step: PageStep, act: (step: ApplicantStep) => Answer): Answer {
  const { ctx, session, form } = step
  const rut = joinRut(form.get('RUT_EMP'), form.get('DV_EMP'))
  const company = rut === null ? null : taxpayerOf(ctx, rut)
  if (rut === null || company === null) return refuse('El RUT de la empresa no es válido')
  if (!may(ctx, session.rut, 'administrador', rut)) return refuse(FOLIO_REFUSALS.option ?? '')
  const [RUT_EMP = '', DV_EMP = ''] = rut.split('-')
  return act({ ...step, company, fields: { RUT_EMP, DV_EMP } })
}

export function certifying(step: PageStep, act: (step: CertifyingStep) => Answer): Answer {
  return forCompany(step, (known) => {
    const certification = certificationOf(known.ctx, known.company.rut)
    if (certification === null) return refuse(`El contribuyente ${known.company.rut} no está inscrito en Postulación`)
    return act({ ...known, certification })
  })
}

export const say = (sentence: string) => html(messagePage('Postulación Factura Electrónica', sentence))

export const refuse = (sentence: string) => html(refusalPage(sentence))
