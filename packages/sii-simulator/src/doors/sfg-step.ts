import type { Answer, Door, DoorRequest } from '../door.ts'
import { html } from '../door.ts'
import { formOf } from '../form-body.ts'
import { loginBounce } from '../portal/page.ts'
import { type PortalSession, sessionOf } from '../portal/session.ts'
import { companiesFor } from '../sfg/desk.ts'
import { refusedFormPage } from '../sfg/pages.ts'
import type { Simulator } from '../simulator.ts'
import type { Taxpayer } from '../state/types.ts'

const FOLDER = '/cgi-bin/Portal001'

/** One request of the free portal, in a session. */
export interface SfgStep {
  readonly ctx: Simulator
  readonly request: DoorRequest
  readonly session: PortalSession
  readonly form: URLSearchParams
  readonly action: (cgi: string) => string
}

export interface SfgCompanyStep extends SfgStep {
  readonly company: Taxpayer
}

export const sfgCgi = (
  name: string,
  method: Door['method'],
  handle: (step: SfgStep) => Answer | Promise<Answer>,
): Door => ({
  name: 'sfg',
  hosts: ['www1.sii.cl'],
  method,
  path: `${FOLDER}/${name}`,
  handle(ctx, request) {
    const session = sessionOf(ctx, request)
    if (session === null) return html(loginBounce(`https://${request.host}${request.path}`))
    const action = (cgi: string) => `${request.base}${FOLDER}/${cgi}`
    return handle({ ctx, request, session, form: formOf(request), action })
  },
})

/** The working company is the session's: whoever has chosen none is told so, as any refusal, in an alert. */
export function inChosenCompany(
  step: SfgStep,
  act: (step: SfgCompanyStep) => Answer | Promise<Answer>,
): Answer | Promise<Answer> {
  const company = companiesFor(step.ctx, step.session.rut).find(({ rut }) => rut === step.session.company)
  return company === undefined ? refuseForm('Debe seleccionar una empresa') : act({ ...step, company })
}

export function refuseForm(reason: string): Answer {
  return html(refusedFormPage(reason))
}
