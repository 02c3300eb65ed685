import { type Answer, type Door, type DoorRequest, html } from '../door.ts'
import { filingOf } from '../f29/filings.ts'
import { type FacadeCall, isCall, rcvAnswer, readFacadeCall, textIn } from '../facade/call.ts'
import { scripted } from '../portal/scripted.ts'
import { PURCHASE_KINDS, SUMMED } from '../rcv/entries.ts'
import { choosePurchaseKind, findDocument, purchasesOf, salesOf } from '../register/documents.ts'
import { joinRut } from '../rut.ts'
import type { Simulator } from '../simulator.ts'
import { belongsTo } from '../taxpayers.ts'

const NAME = 'rcv_complements'
const BASE = '/complementoscvui/services/data'
const NAMESPACE = 'cl.sii.sdi.lob.diii.dcv.data.api.interfaces.compcompra.FacadeServiceCompCompra/cambiaTipoCompra'

/** The register's second application: the kind of a purchase, and boletas day by day. */
export const RCV_COMPLEMENT_DOORS: readonly Door[] = [
  {
    name: NAME,
    hosts: ['www4.sii.cl'],
    method: 'POST',
    path: `${BASE}/facadeServiceCompCompraService/cambiaTipoCompra`,
    handle: (ctx, request) =>
      called(ctx, request, (call, rut) =>
        call.namespace === NAMESPACE
          ? changeKind(ctx, call, rut)
          : rcvAnswer(call, 2, { data: null }, 'Namespace no corresponde'),
      ),
  },
  {
    name: NAME,
    hosts: ['www4.sii.cl'],
    method: 'POST',
    path: `${BASE}/facadeServiceBoletasDiarias/obtieneListaBoletasMes`,
    handle: (ctx, request) => called(ctx, request, (call, rut) => boletasByDay(ctx, call, rut)),
  },
]

function called(ctx: Simulator, request: DoorRequest, act: (call: FacadeCall, rut: string) => Answer): Answer {
  if (scripted(ctx, NAME, request, 'too_fast') !== null) return html('<html><body>Too Many Requests</body></html>', 429)
  const call = readFacadeCall(ctx, request, true)
  if (!isCall(call)) return call
  const rut = joinRut(textIn(call.data, 'rut'), textIn(call.data, 'dv'))
  if (rut === null) return rcvAnswer(call, 2, { data: null }, 'RUT no es valido')
  if (!belongsTo(ctx, call.person, rut)) return rcvAnswer(call, 2, { data: null }, 'Usuario no autorizado')
  return act(call, rut)
}

/** Kind 7 takes a purchase out of the register and another one brings it back. A filed month is closed. */
function changeKind(ctx: Simulator, call: FacadeCall, rut: string): Answer {
  const { data } = call
  const refuse = (message: string) => rcvAnswer(call, 2, { data: null }, message)
  const emisor = joinRut(textIn(data, 'rutContraparte'), textIn(data, 'dvContraparte'))
  const kind = Number(textIn(data, 'tipoCompra'))
  if (textIn(data, 'operacion') !== 'COMPRA' || emisor === null || PURCHASE_KINDS[kind] === undefined)
    return refuse('Datos no son validos')
  const tipo = Number(textIn(data, 'tipoDocumento'))
  const document = findDocument(ctx, 'produccion', emisor, tipo, Number(textIn(data, 'numeroDocumento')))
  const period = textIn(data, 'periodoTributario')
  const entry = purchasesOf(ctx, rut).find(
    ({ document: { facts } }) => facts.emisor === emisor && facts.tipo === tipo && facts.folio === document?.folio,
  )
  if (document === null || entry === undefined || entry.period !== period) return refuse('Documento no encontrado')
  if (entry.state === 'RECLAMADO') return refuse('Documento reclamado no puede modificarse')
  if (filingOf(ctx, rut, period) !== null) return refuse('El periodo ya fue declarado')
  choosePurchaseKind(ctx, document, kind)
  return rcvAnswer(call, 0, { data: null })
}

/** What a row is called is ours: only the address is known. */
function boletasByDay(ctx: Simulator, call: FacadeCall, rut: string): Answer {
  const period = textIn(call.data, 'periodoTributario') || textIn(call.data, 'ptributario')
  const days = new Map<
    string,
    { fecha: string; tipoDoc: number; cantidad: number; neto: number; exento: number; iva: number; total: number }
  >()
  for (const { document, period: own } of salesOf(ctx, rut)) {
    const { tipo, issued_on, net, exempt, iva, total } = document.facts
    if (own !== period || !SUMMED.includes(tipo)) continue
    const key = `${issued_on}:${tipo}`
    const row = days.get(key) ?? { fecha: issued_on, tipoDoc: tipo, cantidad: 0, neto: 0, exento: 0, iva: 0, total: 0 }
    days.set(key, {
      ...row,
      cantidad: row.cantidad + 1,
      neto: row.neto + net,
      exento: row.exento + exempt,
      iva: row.iva + iva,
      total: row.total + total,
    })
  }
  const data = [...days].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, row]) => row)
  return rcvAnswer(call, data.length === 0 ? 3 : 0, { data })
}
