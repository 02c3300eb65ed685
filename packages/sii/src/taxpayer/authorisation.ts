import { drift } from '../failure.ts'
import type { Ambiente } from '../hosts.ts'
import { encodeForm, formType } from '../portal/form-body.ts'
import { judge } from '../portal/judge.ts'
import { PORTAL_AGENT } from '../portal/log-in.ts'
import type { Page } from '../portal/page.ts'
import type { Wire } from '../wire.ts'
import { civilDate, valueAfter } from './labels.ts'

export interface AuthorisedTipo {
  readonly tipo: number
  readonly name: string
  /** `YYYY-MM-DD` */
  readonly since: string
  /** From when it is authorised no longer; null while it is. */
  readonly until: string | null
}

/** What the SII says in public about a taxpayer that issues electronic documents. */
export interface EmitterAuthorisation {
  readonly name: string
  /** The pair that every envelope carries: a wrong one is refused as CRT-3-19. */
  readonly resolucion: { readonly numero: number; readonly fecha: string }
  readonly tipos: readonly AuthorisedTipo[]
}

const PATH = '/cvc_cgi/dte/ee_empresa_rut'

/** Asks the public page, without a login (PROTOCOLS 16). Null where the taxpayer may issue nothing. */
export function emitterAuthorisation(
  wire: Wire,
  { rut, ambiente }: { readonly rut: string; readonly ambiente: Ambiente },
): Promise<EmitterAuthorisation | null> {
  const [number = '', dv = ''] = rut.split('-')
  const fields = [
    ['CNSLT', 'R'],
    ['RUT_EMP', number],
    ['DV_EMP', dv],
    ['ACEPTAR', 'Consultar'],
  ] as const
  return wire.call(
    {
      service: 'dte',
      ambiente,
      operation: 'ee_empresa_rut',
      method: 'POST',
      path: PATH,
      headers: { 'user-agent': PORTAL_AGENT, 'content-type': formType('windows-1252') },
      body: encodeForm(fields, 'windows-1252'),
    },
    (answer) => judge(answer, ({ page }) => ({ value: readAuthorisation(page) })),
  )
}

function readAuthorisation(page: Page): EmitterAuthorisation | null {
  const numero = /\d{1,6}/.exec(valueAfter(page, /^(n[°ºo.]*|numero)( de)? resolucion/) ?? '')?.[0]
  const fecha = civilDate(valueAfter(page, /^fecha( de)? resolucion/))
  const name = valueAfter(page, /^(nombres?( o razon social)?|razon social)/)
  if (numero !== undefined && fecha !== null && name !== null) {
    return { name, resolucion: { numero: Number(numero), fecha }, tipos: readTipos(page) }
  }
  if (
    /no (esta|se encuentra|ha sido|registra|figura|existe)[^.]{0,60}(autoriza|contribuyente|emisor)/.test(page.folded)
  )
    return null
  throw drift(name === null ? 'name' : fecha === null ? 'fecha of the resolucion' : 'numero of the resolucion')
}

function readTipos(page: Page): AuthorisedTipo[] {
  return page.rows.flatMap((row) => {
    const at = row.findIndex((cell) => /^\d{2,3}$/.test(cell))
    const [tipo = '', name = '', from = '', to = ''] = at === -1 ? [] : row.slice(at)
    const since = civilDate(from)
    return since === null ? [] : [{ tipo: Number(tipo), name, since, until: civilDate(to) }]
  })
}
