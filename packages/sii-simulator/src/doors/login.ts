import { rutOf } from '../authority/trust.ts'
import { type Answer, type Door, type DoorRequest, html, json } from '../door.ts'
import { formOf } from '../form-body.ts'
import { escapeMarkup } from '../markup.ts'
import { latin1Page, messagePage, portalPage } from '../portal/page.ts'
import { scripted } from '../portal/scripted.ts'
import { closeSession, openSession, type PortalSession, sessionCookies, sessionOf } from '../portal/session.ts'
import { joinRut } from '../rut.ts'
import type { Simulator } from '../simulator.ts'

const LOGIN = 'portal_login'
const CGI = '/cgi_AUT2000'

/**
 * The portal's log-in: with a certificate in the TLS handshake (herculesr) or with RUT and clave (zeusr). It answers 200
 * to everybody; a log-in that went well is told by its cookies alone.
 */
export const LOGIN_DOORS: readonly Door[] = [
  {
    name: LOGIN,
    hosts: ['zeusr.sii.cl'],
    method: 'GET',
    path: /\/(?:cgi_AUT2000|AUT2000\/InicioAutenticacion)\/Ingreso(?:Certificado|RutClave)\.html/,
    handle: () => ({
      ...html(portalPage('Autenticación', '<p>Ingrese con su certificado digital o su clave tributaria</p>')),
      headers: { 'Set-Cookie': ['s_cc=true; Path=/', 'dtCookie=simulador; Path=/'] },
    }),
  },
  { name: LOGIN, hosts: ['herculesr.sii.cl'], method: 'POST', path: `${CGI}/CAutInicio.cgi`, handle: byCertificate },
  { name: LOGIN, hosts: ['zeusr.sii.cl'], method: 'POST', path: `${CGI}/CAutInicio.cgi`, handle: byClave },
  {
    name: 'portal_logout',
    hosts: ['herculesr.sii.cl', 'zeusr.sii.cl'],
    method: 'GET',
    path: `${CGI}/autTermino.cgi`,
    handle(ctx, request) {
      if (request.cookies.TOKEN) closeSession(ctx, request.cookies.TOKEN)
      return html(messagePage('Sesión cerrada', 'Su sesión ha sido cerrada'))
    },
  },
  {
    name: 'portal_session',
    hosts: ['herculesr.sii.cl', 'zeusr.sii.cl', 'www4.sii.cl'],
    method: 'GET',
    path: `${CGI}/AutTknData.cgi`,
    handle(ctx, request) {
      const session = sessionOf(ctx, request)
      return json(session === null ? {} : { rut: session.rut, token: session.token })
    },
  },
]

function byCertificate(ctx: Simulator, request: DoorRequest): Answer {
  const certificate = request.client_certificate
  const rut = certificate === null ? null : rutOf(certificate)
  if (certificate === null || rut === null)
    return refused('Su certificado digital no es válido o no fue presentado', '01.01.190.500.702')
  const issued = ctx.state.certificates.get(certificate.serialNumber.toLowerCase())
  if (issued?.revoked) return refused('Su certificado digital se encuentra revocado', '01.01.190.500.703')
  return enter(ctx, request, rut, 'certificate')
}

function byClave(ctx: Simulator, request: DoorRequest): Answer {
  const form = formOf(request)
  const [number, digit] = (form.get('rutcntr') ?? '').replaceAll('.', '').split('-')
  const rut = joinRut(form.get('rut') || number, form.get('dv') || digit)
  const clave = rut === null ? null : ctx.state.taxpayers.get(rut)?.clave
  if (rut === null || !clave || form.get('clave') !== clave)
    return refused('La Clave Tributaria ingresada no es correcta', '01.01.203.500.709')
  return enter(ctx, request, rut, 'clave')
}

function enter(ctx: Simulator, request: DoorRequest, rut: string, by: PortalSession['by']): Answer {
  const capped = scripted(ctx, LOGIN, request, 'session_cap') !== null
  const session = capped ? null : openSession(ctx, rut, by)
  if (session === null)
    return refused('Usted ha superado el máximo de sesiones autenticadas permitidas', '01.01.215.500.709')
  const target = formOf(request).get('referencia') || targetIn(request.raw_query)
  const page = `<html><head><title>Autenticación</title></head><body><form name="frmRedir" action="${escapeMarkup(target)}"></form></body></html>\n`
  return { ...html(latin1Page(page)), headers: { 'Set-Cookie': sessionCookies(session) } }
}

/** The whole query is the address that the person comes from, escaped or not. */
function targetIn(query: string): string {
  try {
    return decodeURIComponent(query)
  } catch {
    return query
  }
}

function refused(sentence: string, code: string): Answer {
  return html(portalPage('Error de Autenticación', `<p>${sentence}.</p>\n<p>Código: ${code}</p>`))
}
