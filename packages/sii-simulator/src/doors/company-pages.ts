import { callerOf } from '../auth/tokens.ts'
import { type Answer, type Door, type DoorRequest, html } from '../door.ts'
import { formOf } from '../form-body.ts'
import { authorisedPage, type CompanyFacts, companiesCsv, mailboxPage, softwarePage } from '../portal/company-pages.ts'
import { companyPage } from '../portal/folio-pages.ts'
import { loginBounce } from '../portal/page.ts'
import { sessionOf } from '../portal/session.ts'
import { joinRut } from '../rut.ts'
import type { Simulator } from '../simulator.ts'
import type { Taxpayer } from '../state/types.ts'
import { standingOf, taxpayerOf } from '../taxpayers.ts'
import { STAMPED } from '../tipos.ts'

/** Resolution 80 of 2014, by which most taxpayers emit. */
const MASS_RESOLUTION = { number: 80, date: '2014-08-22' }

const page = (
  name: string,
  method: 'GET' | 'POST',
  handle: (ctx: Simulator, request: DoorRequest) => Answer,
): Door => ({
  name: 'company_pages',
  hosts: ['maullin.sii.cl', 'palena.sii.cl'],
  method,
  path: `/cvc_cgi/dte/${name}`,
  handle,
})

export const COMPANY_DOORS: readonly Door[] = [
  page('ee_empresa_rut', 'POST', (ctx, request) => {
    const company = companyOf(ctx, request)
    return html(authorisedPage(company, rutIn(request) ?? ''))
  }),
  page('ad_empresa1', 'GET', (ctx, request) =>
    inSession(ctx, request, () => html(companyPage('Datos de la empresa', 'ad_empresa2', (cgi) => cgi))),
  ),
  page('ad_empresa2', 'POST', (ctx, request) =>
    inSession(ctx, request, () => {
      const company = companyOf(ctx, request)
      return html(company === null ? authorisedPage(null, rutIn(request) ?? '') : softwarePage(company))
    }),
  ),
  page('ce_consulta_e', 'POST', (ctx, request) =>
    inSession(ctx, request, () => {
      const company = companyOf(ctx, request)
      return html(company === null ? authorisedPage(null, rutIn(request) ?? '') : mailboxPage(company))
    }),
  ),
  page('ce_empresas_dwnld', 'GET', (ctx, request) =>
    inSession(ctx, request, () => ({
      type: 'text/csv',
      body: companiesCsv(ctx.state.taxpayers.values().flatMap((taxpayer) => factsOf(taxpayer, request) ?? [])),
    })),
  ),
]

/** A session, or the token of the web services, which works here too. */
function inSession(ctx: Simulator, request: DoorRequest, act: () => Answer): Answer {
  const known =
    sessionOf(ctx, request) !== null || callerOf(ctx, request.cookies.TOKEN ?? '', 'dte', request.ambiente).ok
  return known ? act() : html(loginBounce(`https://${request.host}${request.path}`))
}

function rutIn(request: DoorRequest): string | null {
  const form = formOf(request)
  return joinRut(form.get('RUT_EMP'), form.get('DV_EMP'))
}

function companyOf(ctx: Simulator, request: DoorRequest): CompanyFacts | null {
  const rut = rutIn(request)
  const taxpayer = rut === null ? null : taxpayerOf(ctx, rut)
  return taxpayer === null ? null : factsOf(taxpayer, request)
}

/** Null where it may not emit. Without a resolution on record it shows the common one; in certificación, number 0. */
function factsOf(taxpayer: Taxpayer, { ambiente }: DoorRequest): CompanyFacts | null {
  const { authorised, tipos } = standingOf(taxpayer, ambiente)
  if (!authorised) return null
  const resolution = taxpayer.resolutions[ambiente]
  return {
    rut: taxpayer.rut,
    name: taxpayer.name,
    resolution_number: resolution?.number ?? (ambiente === 'produccion' ? MASS_RESOLUTION.number : 0),
    resolution_date: resolution?.date ?? MASS_RESOLUTION.date,
    tipos: tipos ?? STAMPED,
    mailbox: taxpayer.exchange_mailbox ?? '',
    contact: taxpayer.sii_mailbox ?? '',
    software: taxpayer.sfg ? 'SII' : 'PROPIO',
  }
}
