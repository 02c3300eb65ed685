import type { Facade, FacadeBody, FacadeCaller } from '../facade/facade.ts'
import { isRecord, type Json, type JsonRecord, numberIn, rowsOf, textIn } from '../facade/json.ts'
import { AnswerFault, drift, refused, SiiFailure } from '../failure.ts'
import { fold } from '../portal/fold.ts'
import type { PortalUser } from '../portal/log-in.ts'
import { UNVERIFIED } from '../unverified.ts'
import type { Read } from '../wire.ts'

/** The company is the session: unlike in the RCV, it must be the company's own (PROTOCOLS 14). */
export interface F29Question extends FacadeCaller {
  readonly user: PortalUser
  readonly rut: string
  /** `YYYY-MM` */
  readonly period: string
}

/** A declaration that the SII holds, and what became of it. */
export interface F29Declaration {
  readonly folio: string | null
  readonly estado_id: number
  readonly estado: string | null
  /** What its number means; null for one that is in no source. */
  readonly state: F29State | null
  readonly amount: number
  /** `DD/MM/AAAA HH:MM:SS`, as the SII writes it. */
  readonly created_at: string | null
}

/** A box of the form with its value, as text: rates are decimals. */
export interface F29Code {
  readonly code: string
  readonly value: string
}

export interface F29Proposal {
  readonly codes: readonly F29Code[]
  readonly kind: number | null
}

/** States of a declaration by their numbers (PROTOCOLS 14). */
const STATES = {
  1: 'in_force',
  12: 'payment_refused',
  40: 'saved',
  41: 'saved',
  42: 'payment_pec_under_way',
  43: 'payment_peel_under_way',
  48: 'without_movement',
  67: 'annulment_pending',
  70: 'payment_unfinished',
} as const
export type F29State = (typeof STATES)[keyof typeof STATES]

/** These file a declaration. Their names are known and their contracts are not: see UNVERIFIED. */
export const F29_WRITE_METHODS = [
  'guardarDeclaracion',
  'guardarPropuesta',
  'guardarBorradorIntentoPago',
  'declaracionSinPago',
  'crearPagoPec',
] as const
export type F29WriteMethod = (typeof F29_WRITE_METHODS)[number]

const FACADES = { facadeService: 'FacadeService', facadeAdapterService: 'FacadeAdapterService' } as const
/** The SII calls the F29 so. */
const FORM = '2'

export function f29Declarations(facade: Facade, question: F29Question): Promise<readonly F29Declaration[]> {
  const { rut, dv, mes, anno } = parts(question)
  const data = { rut, dv, formId: FORM, mes, anno }
  return ask(facade, question, 'facadeAdapterService', 'getDeclaracionConEstados', data, (rows) =>
    rowsOf(rows, 'data').map(readDeclaration),
  )
}

/** What the SII proposes for a period; null where it proposes nothing. */
export function f29Proposal(facade: Facade, question: F29Question): Promise<F29Proposal | null> {
  const { rut: rutContribuyente, dv, mes, anno } = parts(question)
  const data = { rutContribuyente, dv, formCodigo: FORM, mes, anno }
  return ask(facade, question, 'facadeAdapterService', 'getDeclaracionConCondicionesYTipoPropuesta', data, readProposal)
}

/** The boxes of PPM (563 the base, 115 the rate, …) by their names, as they came. */
export function f29PpmRate(facade: Facade, question: F29Question): Promise<JsonRecord> {
  const { rut: rutContribuyente, dv, mes, anno } = parts(question)
  const data = { rutContribuyente, dv, mes, anno, categoriaTributaria: 1 }
  return ask(facade, question, 'facadeAdapterService', 'getTasaPPMO', data, (answer) => {
    if (!isRecord(answer)) throw drift('data of getTasaPPMO')
    return answer
  })
}

export function f29Periods(facade: Facade, question: Omit<F29Question, 'rut' | 'period'>): Promise<unknown> {
  return ask(facade, question, 'facadeService', 'getPeriodosF29', {}, (data) => data)
}

export function f29InForce(facade: Facade, question: F29Question): Promise<unknown> {
  const data = { periodo: question.period.replace('-', '') }
  return ask(facade, question, 'facadeService', 'getDeclaracionVigente', data, (answer) => answer)
}

/** Never asks: filing by a guess would bind a taxpayer. */
export function f29Write(method: F29WriteMethod, { ambiente }: Pick<FacadeCaller, 'ambiente'>): never {
  throw new SiiFailure(
    { service: 'portal', operation: method, ambiente },
    { kind: 'refused', retry: 'never', reason: 'unverified', glosa: UNVERIFIED.f29_write, sent: false },
  )
}

function ask<T>(
  facade: Facade,
  caller: FacadeCaller,
  service: keyof typeof FACADES,
  method: string,
  data: Json,
  read: (data: unknown) => T,
): Promise<T> {
  const namespace = `cl.sii.sdi.lob.iva.propuestaf29.data.api.interfaces.${FACADES[service]}`
  return facade(caller, { app: 'propuestaf29ui', service, namespace, method, data }, readF29(read))
}

/** Failures come with HTTP 200, `metaData.errors` filled and `data` null. */
function readF29<T>(read: (data: unknown) => T) {
  return ({ body, data }: FacadeBody): Read<T> => {
    const meta = isRecord(body.metaData) ? body.metaData : null
    if (meta === null) throw drift('metaData')
    const [error] = rowsOf(meta.errors, 'metaData.errors')
    if (error !== undefined) throw refusal(error)
    if (data === undefined) throw drift('data')
    return { value: read(data) }
  }
}

function refusal(error: JsonRecord) {
  const glosa = textIn(error, 'descripcion')
  const reason = /no esta autorizado/.test(fold(glosa ?? '')) ? 'session_of_another_company' : null
  return new AnswerFault({ ...refused(textIn(error, 'id') ?? '', glosa).facts, reason })
}

function parts({ rut: whole, period }: F29Question) {
  const [rut = '', dv = ''] = whole.split('-')
  const [anno = '', mes = ''] = period.split('-')
  return { rut, dv, mes, anno }
}

function readDeclaration(row: JsonRecord): F29Declaration {
  const estado_id = numberIn(row, 'estadoDeclaracionId')
  const states: Readonly<Record<number, F29State>> = STATES
  return {
    folio: textIn(row, 'folio'),
    estado_id,
    estado: textIn(row, 'estado'),
    state: states[estado_id] ?? null,
    amount: numberIn(row, 'monto'),
    created_at: textIn(row, 'declFechaCreacion'),
  }
}

function readProposal(data: unknown): F29Proposal | null {
  if (data === null) return null
  if (!isRecord(data) || data.listCodPropuestos === undefined) throw drift('listCodPropuestos')
  const codes = rowsOf(data.listCodPropuestos, 'listCodPropuestos').flatMap((row) => {
    const code = textIn(row, 'codigo')
    const value = textIn(row, 'valor')
    return code === null || value === null ? [] : [{ code, value }]
  })
  return { codes, kind: typeof data.tipopropuesta === 'number' ? data.tipopropuesta : null }
}
