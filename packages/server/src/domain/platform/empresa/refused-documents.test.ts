import { describe, expect, it } from 'vitest'
import { beingTriedAgain, type DocumentRefusal, holdOf, isWorthATry, refusedOnceMore } from './refused-documents.ts'

const NOON = new Date('2026-11-17T15:00:00Z')
const MINUTE = 60_000
const EMISOR = {
  legal_name: 'Comercial Quillay SpA',
  giro: 'Comercio',
  acteco: [471_100],
  street: 'Av. Los Boldos 1200',
  comuna: 'Talca',
  city: 'Talca',
  codigo_sucursal: null,
  resolucion_numero: 80,
  resolucion_fecha: '2014-08-22',
  resolucion_boletas_fecha: null,
  certificate_until: null,
}
const CORRECTED = { ...EMISOR, resolucion_numero: 99 }
const after = (minutes: number) => new Date(NOON.getTime() + minutes * MINUTE)
const minutesTo = ({ retry_at }: DocumentRefusal, from: Date) => (Date.parse(retry_at) - from.getTime()) / MINUTE

/** Refused once more, as many as are told, for the resolución. */
function refuse(
  before: DocumentRefusal | null,
  count: number,
  at: Date,
  emisor = EMISOR,
  code: DocumentRefusal['code'] = 'resolucion_mismatch',
): DocumentRefusal {
  const row = { ...emisor, documents_refused: before ? { 33: before } : {} }
  return refusedOnceMore(row, 33, { code, sentence: 'no', count }, at)
}
const held = (refusal: DocumentRefusal) => holdOf({ documents_refused: { 33: refusal } }, 33) !== null
const tried = (refusal: DocumentRefusal, at: Date, emisor = EMISOR) =>
  beingTriedAgain({ ...emisor, documents_refused: { 33: refusal } }, refusal, at)

describe('documents that are held for the data of their empresa', () => {
  it('wait as long after an envelope of a hundred as after three of one each', () => {
    const one_by_one = refuse(refuse(refuse(null, 1, NOON), 1, NOON), 1, NOON)
    const at_once = refuse(null, 100, NOON)
    expect([held(one_by_one), held(at_once)]).toEqual([true, true])
    expect([minutesTo(one_by_one, NOON), minutesTo(at_once, NOON)]).toEqual([15, 15])
  })

  it('wait longer after each one that was let through in vain, and no longer for what had left before', () => {
    const first = refuse(null, 3, NOON)
    expect(refuse(first, 50, after(5)).retry_at).toBe(first.retry_at)
    const second = refuse(tried(first, after(15)), 1, after(16))
    const third = refuse(tried(second, after(90)), 1, after(91))
    expect([minutesTo(second, after(16)), minutesTo(third, after(91))]).toEqual([60, 360])
  })

  it('are tried at once with other data, and stay held where those are refused too', () => {
    const hold = refuse(null, 3, NOON)
    expect(isWorthATry({ ...EMISOR, documents_refused: {} }, hold, after(1))).toBe(false)
    expect(isWorthATry({ ...CORRECTED, documents_refused: {} }, hold, after(1))).toBe(true)
    const again = refuse(tried(hold, after(1), CORRECTED), 1, after(2), CORRECTED)
    expect([held(again), isWorthATry({ ...CORRECTED, documents_refused: {} }, again, after(3))]).toEqual([true, false])
  })

  it('stay held where the one that was let through meets another reason of the empresa: all of them would', () => {
    const hold = tried(refuse(null, 3, NOON), after(15), CORRECTED)
    const other = refuse(hold, 1, after(16), CORRECTED, 'acteco_not_registered')
    expect([held(other), other.code, minutesTo(other, after(16))]).toEqual([true, 'acteco_not_registered', 60])
    expect(held(refuse(refuse(null, 2, NOON), 1, NOON, EMISOR, 'acteco_not_registered'))).toBe(false)
  })

  it('begin anew with other data where fewer than three were refused', () => {
    expect(held(refuse(refuse(null, 2, NOON), 1, NOON))).toBe(true)
    expect(held(refuse(refuse(null, 2, NOON), 1, NOON, CORRECTED))).toBe(false)
  })
})
