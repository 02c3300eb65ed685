import { CERTIFICATION_DOOR } from '../certification/declare.ts'
import { type Certification, certificationOf } from '../certification/register.ts'
import { type Answer, type Door, html } from '../door.ts'
import { messagePage, refusalPage } from '../portal/page.ts'
import { may } from '../taxpayers.ts'
import { refusedAct } from './certification-script.ts'
import { type CgiStep, type CompanyStep, cgiOf, companyNamed, NOT_FOR_YOU } from './cgi.ts'

export interface CertifyingStep extends CompanyStep {
  readonly certification: Certification
}

/** A CGI of the certification, which only maullin has. */
export const page = cgiOf(CERTIFICATION_DOOR, ['maullin.sii.cl'])

/** One that does something. */
export const act = (name: string, handle: (step: CgiStep) => Answer): Door =>
  page(name, 'POST', (step) => refusedAct(step.ctx, CERTIFICATION_DOOR, step.request) ?? handle(step))

/** The company of the form, for which this person administers. */
export function forCompany(step: CgiStep, handle: (step: CompanyStep) => Answer): Answer {
  const named = companyNamed(step)
  if (named === null) return refuse('El RUT de la empresa no es válido')
  if (!may(step.ctx, step.session.rut, 'administrador', named.company.rut)) return refuse(NOT_FOR_YOU)
  return handle({ ...step, ...named })
}

export function certifying(step: CgiStep, handle: (step: CertifyingStep) => Answer): Answer {
  return forCompany(step, (known) => {
    const certification = certificationOf(known.ctx, known.company.rut)
    if (certification === null) return refuse(`El contribuyente ${known.company.rut} no está inscrito en Postulación`)
    return handle({ ...known, certification })
  })
}

export const say = (sentence: string) => html(messagePage('Postulación Factura Electrónica', sentence))

export const refuse = (sentence: string) => html(refusalPage(sentence))
