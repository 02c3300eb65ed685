import type { Facade, FacadeCaller } from '../facade/facade.ts'
import { type JsonRecord, rowsOf } from '../facade/json.ts'
import { readRcv } from './answer.ts'
import { askRcv, type RcvQuestion } from './rcv.ts'

/** More than these the SII does not take in one call (PROTOCOLS 13). */
export const MAX_CLAIMS = 10

export interface RcvClaim {
  readonly action: 'ACD' | 'ERM' | 'RCD' | 'RFP' | 'RFT'
  readonly emisor_rut: string
  readonly tipo: number
  readonly folio: number
}

/** Accepts or claims up to ten received documents at once. Its data as it came: see UNVERIFIED. */
export function rcvClaims(facade: Facade, caller: FacadeCaller, claims: readonly RcvClaim[]): Promise<unknown> {
  if (claims.length === 0 || claims.length > MAX_CLAIMS) {
    throw new RangeError(`Between 1 and ${MAX_CLAIMS} documents fit in one call, not ${claims.length}`)
  }
  const person = caller.user.kind === 'clave' ? caller.user.rut : caller.user.identity.rut
  const [rutAutenticado = '', dvAutenticado = ''] = person.split('-')
  const dteAcuRe = claims.map(({ action, emisor_rut, tipo, folio }) => {
    const [detRutDoc = '', detDvDoc = ''] = emisor_rut.split('-')
    return { dedCodEvento: action, detRutDoc, detDvDoc, detTipoDoc: String(tipo), detNroDoc: String(folio) }
  })
  return askRcv(
    facade,
    caller,
    'ingresarAceptacionReclamoDocs',
    { dteAcuRe, rutAutenticado, dvAutenticado },
    readRcv((data) => data ?? null),
  )
}

export interface PurchaseTypeChange extends RcvQuestion {
  readonly tipo: number
  readonly folio: number
  /** Of the supplier. */
  readonly counterparty_rut: string
  /** 1 to 7; 7 takes the purchase out of what counts, any other brings it back. */
  readonly tipo_compra: number
}

export function changePurchaseType(facade: Facade, change: PurchaseTypeChange): Promise<void> {
  const [rut = '', dv = ''] = change.rut.split('-')
  const [rutContraparte = '', dvContraparte = ''] = change.counterparty_rut.split('-')
  return facade(
    change,
    {
      app: 'complementoscvui',
      service: 'facadeServiceCompCompraService',
      namespace: 'cl.sii.sdi.lob.diii.dcv.data.api.interfaces.compcompra.FacadeServiceCompCompra',
      method: 'cambiaTipoCompra',
      data: {
        rut,
        dv,
        operacion: 'COMPRA',
        tipoDocumento: String(change.tipo),
        numeroDocumento: String(change.folio),
        periodoTributario: change.period.replace('-', ''),
        tipoCompra: String(change.tipo_compra),
        rutContraparte,
        dvContraparte,
      },
    },
    readRcv(() => undefined),
  )
}

/** Boletas (39) or vouchers (48) of a month by day. The rows as they came: see UNVERIFIED. */
export function boletasByDay(facade: Facade, question: RcvQuestion, tipo: 39 | 48): Promise<readonly JsonRecord[]> {
  const [rut = '', dv = ''] = question.rut.split('-')
  return facade(
    question,
    {
      app: 'complementoscvui',
      service: 'facadeServiceBoletasDiarias',
      namespace: 'cl.sii.sdi.lob.diii.dcv.data.impl.boletasdiarias.FacadeSettingApplicationService',
      method: 'obtieneListaBoletasMes',
      data: { rut, dv, periodo: question.period.replace('-', ''), tipoDocumento: String(tipo) },
      page: { pageSize: 100, pageIndex: 1 },
    },
    readRcv((data) => rowsOf(data, 'data')),
  )
}
