import { drift } from '../failure.ts'
import type { Ambiente } from '../hosts.ts'
import { loneAlert } from '../portal/alerts.ts'
import { missing } from '../portal/judge.ts'
import type { PortalUser } from '../portal/log-in.ts'
import type { Page } from '../portal/page.ts'
import type { Sessions } from '../portal/sessions.ts'
import type { Wire } from '../wire.ts'
import { civilDate, valueAfter } from './labels.ts'

export interface TaxpayerQuestion {
  readonly user: PortalUser
  readonly ambiente: Ambiente
  /** Of the taxpayer. */
  readonly rut: string
}

/** How a company issues, as its registration at the SII says (`ad_empresa2`). */
export interface EmitterRegistration {
  /** `SII` is the free system. */
  readonly software: string | null
  /** 0 while the certification has not ended. */
  readonly resolucion_numero: number | null
  readonly resolucion_fecha: string | null
  readonly contact_mail: string | null
}

export function emitterRegistration(
  wire: Wire,
  sessions: Sessions,
  question: TaxpayerQuestion,
): Promise<EmitterRegistration> {
  return askPage(wire, sessions, question, 'ad_empresa2', readRegistration)
}

/** Where documents for a taxpayer are sent (MAIL INTERCAMBIO, `ce_consulta_e`); null where it has registered none. */
export function exchangeMailbox(wire: Wire, sessions: Sessions, question: TaxpayerQuestion): Promise<string | null> {
  return askPage(wire, sessions, question, 'ce_consulta_e', readMailbox)
}

function askPage<T>(
  wire: Wire,
  sessions: Sessions,
  { user, ambiente, rut }: TaxpayerQuestion,
  program: string,
  read: (page: Page) => T,
): Promise<T> {
  const path = `/cvc_cgi/dte/${program}`
  const [number = '', dv = ''] = rut.split('-')
  const form = [
    ['RUT_EMP', number],
    ['DV_EMP', dv],
    ['ACEPTAR', 'Consultar'],
  ] as const
  const target = `${wire.hosts[ambiente].dte}${path}`
  return sessions.use({ user, ambiente, target, alone: false }, (session) =>
    session.ask({ service: 'dte', operation: program, path, form }, ({ page }) => ({ value: read(page) })),
  )
}

function readRegistration(page: Page): EmitterRegistration {
  const software = valueAfter(page, /^nombre del software/)
  const numero = valueAfter(page, /^(n[°ºo.]*|numero)?( de)? ?resolucion/)
  if (software === null && numero === null) throw missing(page, 'Nombre del Software')
  return {
    software,
    resolucion_numero: /^\d{1,6}/.test(numero ?? '') ? Number.parseInt(numero ?? '', 10) : null,
    resolucion_fecha: civilDate(valueAfter(page, /^fecha( de)? resolucion/)),
    contact_mail: mailIn(valueAfter(page, /^(mail|correo)( de)? contacto( (sii|empresa|administrador|empresas))?/)),
  }
}

function readMailbox(page: Page): string | null {
  const named = page.folded.match(/(mail|correo)[^@]{0,40}intercambio/) !== null
  if (!named) {
    if (/no (registra|existe|tiene|se encuentra|figura)/.test(page.folded)) return null
    throw loneAlert(page.alerts) === null ? drift('Mail Intercambio') : missing(page, 'Mail Intercambio')
  }
  const column = page.rows.findIndex((row) => row.some((cell) => /intercambio/i.test(cell)))
  const after = valueAfter(page, /^(mail|correo)( electronico)?( de)? intercambio/)
  return mailIn(after) ?? (column === -1 ? null : mailIn(page.rows.slice(column).flat().join(' ')))
}

function mailIn(text: string | null): string | null {
  return /[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,5}/.exec(text ?? '')?.[0].toLowerCase() ?? null
}
