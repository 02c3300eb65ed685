import type { FacadeBody } from '../facade/facade.ts'
import { isRecord } from '../facade/json.ts'
import { drift, refused, refusedToken, unavailable } from '../failure.ts'
import type { Read } from '../wire.ts'

/** codRespuesta of the RCV (PROTOCOLS 13): 3 is a valid question about nothing, and no failure. */
const OK = 0
const EMPTY = 3
const FAILED = 2
const REDIRECT = 98

/** Reads what every answer of the RCV says of itself; `value` makes the answer of it, or of nothing. */
export function readRcv<T>(value: (data: unknown, empty: boolean) => T) {
  return ({ body, data }: FacadeBody): Read<T> => {
    const said = isRecord(body.respEstado) ? body.respEstado : null
    const code = Number(said?.codRespuesta ?? Number.NaN)
    const glosa = typeof said?.msgeRespuesta === 'string' ? said.msgeRespuesta : null
    if (said === null || !Number.isInteger(code)) throw drift('respEstado.codRespuesta')
    if (code === REDIRECT) throw refusedToken('98', glosa)
    if (code === FAILED) throw unavailable('2', glosa)
    if (code !== OK && code !== EMPTY) throw refused(String(code), glosa)
    return { value: value(data, code === EMPTY), estado: String(code) }
  }
}
