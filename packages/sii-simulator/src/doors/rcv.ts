import { CLAIM_TEXTS, CLAIM_TIPOS, type ClaimCode, EVENT_TEXTS } from '../claims/rules.ts'
import { dayFirstStamp } from '../clock.ts'
import { type Answer, type Door, type DoorRequest, html } from '../door.ts'
import { type FacadeCall, isCall, objectIn, rcvAnswer, readFacadeCall, textIn } from '../facade/call.ts'
import { loginBounce, messagePage } from '../portal/page.ts'
import { scripted } from '../portal/scripted.ts'
import { sessionOf } from '../portal/session.ts'
import { purchaseLines, saleLines } from '../rcv/csv.ts'
import { BOOK_STATES, type BookState, type Entry, SUMMED } from '../rcv/entries.ts'
import { detailRows, summaryRows } from '../rcv/json.ts'
import { claimEvents, findDocument, purchasesOf, salesOf } from '../register/documents.ts'
import { joinRut } from '../rut.ts'
import type { Simulator } from '../simulator.ts'
import { belongsTo } from '../taxpayers.ts'
import { claim } from './claims.ts'

const NAME = 'rcv'
const NAMESPACE = 'cl.sii.sdi.lob.diii.consdcv.data.api.interfaces.FacadeService/'
/** The application's own word instead of a captcha's answer. */
const RECAPTCHA = 't-o-k-e-n-web'
const CLAIMS_PER_CALL = 10

/** The register of purchases and sales, as its web application asks for it. */
export const RCV_DOORS: readonly Door[] = [
  {
    name: NAME,
    hosts: ['www4.sii.cl'],
    method: 'POST',
    path: /\/consdcvinternetui\/services\/data\/facadeService\/(?<method>\w+)/,
    handle: answer,
  },
  {
    name: NAME,
    hosts: ['www4.sii.cl'],
    method: 'GET',
    path: /\/consdcvinternetui\/.*/,
    handle: (ctx, request) =>
      sessionOf(ctx, request) === null
        ? html(loginBounce(`https://${request.host}${request.path}`))
        : html(messagePage('Registro de Compras y Ventas', 'Registro de Compras y Ventas')),
  },
]

interface Question {
  readonly ctx: Simulator
  readonly call: FacadeCall
  /** The company that the question is about. */
  readonly rut: string
}

const METHODS: ReadonlyMap<string, (question: Question) => Answer> = new Map(
  Object.entries({
    getDatosInicio: ({ call, rut }) => rcvAnswer(call, 0, { data: { rut: call.person, rutEmpresa: rut } }),
    getResumen: summary,
    getDetalleCompra: (question) => detail(question, 'COMPRA'),
    getDetalleVenta: (question) => detail(question, 'VENTA'),
    getDetalleCompraExport: (question) => exported(question, 'COMPRA'),
    getDetalleVentaExport: (question) => exported(question, 'VENTA'),
    getEventosDoc: events,
  }),
)

function answer(ctx: Simulator, request: DoorRequest): Answer {
  if (scripted(ctx, NAME, request, 'too_fast') !== null) return html('<html><body>Too Many Requests</body></html>', 429)
  const call = readFacadeCall(ctx, request, true)
  if (!isCall(call)) return call
  const method = request.params.method ?? ''
  if (call.namespace !== NAMESPACE + method) return rcvAnswer(call, 2, { data: null }, 'Namespace no corresponde')
  if (call.conversation !== request.cookies.TOKEN) return rcvAnswer(call, 98, { data: null }, 'Redireccionar')
  if (method === 'getDcvEmpresasAutorizadas') return companies(ctx, call)
  if (method === 'ingresarAceptacionReclamoDocs') return enterClaims(ctx, call)
  const rut =
    joinRut(textIn(call.data, 'rutEmisor'), textIn(call.data, 'dvEmisor')) ??
    (method === 'getDatosInicio' ? call.person : null)
  if (rut === null) return rcvAnswer(call, 2, { data: null }, 'RUT no es valido')
  if (!belongsTo(ctx, call.person, rut)) return rcvAnswer(call, 2, { data: null }, 'Usuario no autorizado')
  // The application has 21 methods; of those that are not here nothing but the name is known.
  return METHODS.get(method)?.({ ctx, call, rut }) ?? rcvAnswer(call, 2, { data: null }, `Metodo ${method} no simulado`)
}

type Operation = 'COMPRA' | 'VENTA'

function stateIn({ call }: Question): BookState {
  const asked = textIn(call.data, 'estadoContab')
  return BOOK_STATES.find((state) => state === asked) ?? 'REGISTRO'
}

function entriesFor(question: Question, operation: Operation): Entry[] {
  const { ctx, call, rut } = question
  const period = textIn(call.data, 'ptributario')
  const state = operation === 'VENTA' ? null : stateIn(question)
  const all = operation === 'VENTA' ? salesOf(ctx, rut) : purchasesOf(ctx, rut)
  return all
    .filter((entry) => entry.period === period && entry.state === state)
    .sort((a, b) => a.document.received_at - b.document.received_at)
}

/** Those that stand one by one, of one tipo or of all. */
function detailed(question: Question, operation: Operation): Entry[] {
  const tipo = Number(textIn(question.call.data, 'codTipoDoc') || 0)
  return entriesFor(question, operation).filter(
    ({ document: { facts } }) => !SUMMED.includes(facts.tipo) && (tipo === 0 || facts.tipo === tipo),
  )
}

const slashes = (instant: number) => dayFirstStamp(instant, '/')

function summary(question: Question): Answer {
  const { ctx, call } = question
  const operation = textIn(call.data, 'operacion')
  if (operation !== 'COMPRA' && operation !== 'VENTA')
    return rcvAnswer(call, 2, { data: null }, 'Operacion no es valida')
  const entries = entriesFor(question, operation)
  if (entries.length === 0) return rcvAnswer(call, 3, { data: [], dataCabecera: null, totDocRes: 0 })
  return rcvAnswer(call, 0, {
    data: summaryRows(entries),
    dataCabecera: { dcvFecModificacion: slashes(ctx.clock.now()) },
    totDocRes: entries.length,
    verF29: false,
  })
}

function detail(question: Question, operation: Operation): Answer {
  const { call } = question
  if (textIn(call.data, 'tokenRecaptcha') !== RECAPTCHA)
    return rcvAnswer(call, 2, { data: null }, 'Captcha no es valido')
  const rows = detailRows(detailed(question, operation), slashes)
  return rcvAnswer(call, rows.length === 0 ? 3 : 0, { data: rows })
}

function exported(question: Question, operation: Operation): Answer {
  const { call, rut } = question
  if (textIn(call.data, 'tokenRecaptcha') !== RECAPTCHA)
    return rcvAnswer(call, 2, { data: null }, 'Captcha no es valido')
  const entries = detailed(question, operation)
  const state = stateIn(question)
  const lines = operation === 'VENTA' ? saleLines(entries, slashes) : purchaseLines(entries, state, slashes)
  const name = operation === 'VENTA' ? 'VENTA' : `COMPRA_${state}`
  return rcvAnswer(call, entries.length === 0 ? 3 : 0, {
    data: entries.length === 0 ? [] : lines,
    nombreArchivo: `RCV_${name}_${rut}_${textIn(call.data, 'ptributario')}.csv`,
  })
}

function companies(ctx: Simulator, call: FacadeCall): Answer {
  const mine = ctx.state.taxpayers.values().filter(({ rut }) => belongsTo(ctx, call.person, rut))
  return rcvAnswer(call, mine.length === 0 ? 3 : 0, {
    data: mine.map(({ rut, name }) => ({ rut: rut.split('-')[0], dv: rut.split('-')[1], razonSocial: name })),
  })
}

function documentIn(ctx: Simulator, row: Readonly<Record<string, unknown>>) {
  const emisor = joinRut(textIn(row, 'detRutDoc'), textIn(row, 'detDvDoc'))
  return emisor === null
    ? null
    : findDocument(ctx, 'produccion', emisor, Number(textIn(row, 'detTipoDoc')), Number(textIn(row, 'detNroDoc')))
}

function events({ ctx, call }: Question): Answer {
  const document = documentIn(ctx, call.data)
  const rows = (document === null ? [] : claimEvents(ctx, document)).map(({ code, rut, at }) => ({
    codEvento: code,
    descEvento: EVENT_TEXTS[code],
    rutResponsable: rut,
    fechaEvento: slashes(at),
  }))
  return rcvAnswer(call, rows.length === 0 ? 3 : 0, { data: rows })
}

const CLAIM_FIELDS = ['dedCodEvento', 'detRutDoc', 'detDvDoc', 'detTipoDoc', 'detNroDoc']

/** Acts on up to ten documents. Only the request is known: the answer, row by row, is ours. */
function enterClaims(ctx: Simulator, call: FacadeCall): Answer {
  const rows = Array.isArray(call.data.dteAcuRe) ? call.data.dteAcuRe.map(objectIn) : []
  const person = joinRut(textIn(call.data, 'rutAutenticado'), textIn(call.data, 'dvAutenticado'))
  if (person !== call.person) return rcvAnswer(call, 2, { data: null }, 'RUT autenticado no corresponde')
  if (rows.length === 0 || rows.length > CLAIMS_PER_CALL)
    return rcvAnswer(call, 2, { data: null }, `Debe informar entre 1 y ${CLAIMS_PER_CALL} documentos`)
  const data = rows.map((row) => {
    const document = documentIn(ctx, row)
    const code: ClaimCode =
      document === null
        ? 18
        : CLAIM_TIPOS.includes(document.tipo)
          ? claim(ctx, document, textIn(row, 'dedCodEvento'), call.person)
          : 3
    const echo = CLAIM_FIELDS.map((name) => [name, textIn(row, name)])
    return { ...Object.fromEntries(echo), codResp: code, descResp: CLAIM_TEXTS[code] }
  })
  return rcvAnswer(call, 0, { data })
}
