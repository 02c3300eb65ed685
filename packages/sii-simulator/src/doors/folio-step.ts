import type { Series } from '../caf/register.ts'
import { type Answer, html } from '../door.ts'
import type { Ambiente } from '../hosts.ts'
import { refusalPage } from '../portal/page.ts'
import { scripted } from '../portal/scripted.ts'
import type { Permission, Taxpayer } from '../state/types.ts'
import { may, standingOf } from '../taxpayers.ts'
import { STAMPED } from '../tipos.ts'
import { type CgiStep, type CompanyStep, cgiOf, companyNamed, NOT_FOR_YOU } from './cgi.ts'

const DOOR = 'folios'

/** The sentences by which clients classify a refusal. A script `no_folios` names one by its `finding.code`. */
const FOLIO_REFUSALS: Readonly<Record<string, string>> = {
  rationing:
    'NO SE AUTORIZA TIMBRAJE ELECTRONICO. El contribuyente mantiene folios sin utilizar o situaciones tributarias pendientes',
  activity: 'El contribuyente no registra Verificación de Actividades',
  company: 'La empresa no está autorizada para operar en este ambiente',
  option: NOT_FOR_YOU,
  permission: 'Usuario no tiene permiso para solicitar folios en la empresa (106)',
  visit: 'Para obtener folios deberá presentarse en la oficina del SII correspondiente a su domicilio',
}

export interface SeriesStep extends CompanyStep {
  readonly series: Series
}

export const cgi = cgiOf(DOOR, ['maullin.sii.cl', 'palena.sii.cl'])

export function inCompany(step: CgiStep, permission: Permission, act: (step: CompanyStep) => Answer | Promise<Answer>) {
  const { ctx, request, session } = step
  const script = scripted(ctx, DOOR, request, 'no_folios')
  if (script !== null) return refuse(script.finding?.code ?? 'rationing', script.finding?.glosa)
  const named = companyNamed(step)
  if (named === null || !standingOf(named.company, request.ambiente).authorised) return refuse('company')
  const { rut, users } = named.company
  if (users !== null && session.rut !== rut && !users.some((user) => user.rut === session.rut)) return refuse('option')
  if (!may(ctx, session.rut, permission, rut)) return refuse('permission')
  return act({ ...step, ...named })
}

export function inSeries(step: CgiStep, permission: Permission, act: (step: SeriesStep) => Answer | Promise<Answer>) {
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
