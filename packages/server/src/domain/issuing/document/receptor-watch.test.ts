import { describe, expect, it } from 'vitest'
import { askedNow, nextLook, settledIn, stretchesOf } from './receptor-watch.ts'
import type { DocumentRow } from './show.ts'

const row = (id: string, sent: string, more: Partial<DocumentRow> = {}) =>
  ({
    id,
    tipo_dte: 33,
    folio: 1,
    status: 'accepted',
    created_at: new Date(sent),
    sent_at: new Date(sent),
    settled_at: new Date(sent),
    ...more,
  }) as DocumentRow

const byRegister = (action: 'accepted' | 'claimed') =>
  ({ source: 'sii', action, code: null, reason: null, signature: null, signer_rut: null, at: '' }) as const
const ids = (rows: readonly DocumentRow[]) => rows.map(({ id }) => id)

const MORNING = row('morning', '2027-03-01T12:20:00Z')
const NOON = row('noon', '2027-03-01T15:40:00Z')
const NIGHT = row('night', '2027-03-01T22:00:00Z')
const DAY = [MORNING, NOON, NIGHT]
const at = (text: string) => new Date(text)
const look = (text: string, told = true) => nextLook(DAY, at(text), told)?.toISOString() ?? null

describe('documents that one job watches', () => {
  it('are those of an empresa that the SII took on one day, of one tipo and of one stretch of folios', () => {
    const rows = [
      row('a', '2027-03-01T23:59:59Z', { folio: 499 }),
      row('b', '2027-03-01T10:00:00Z', { folio: 3 }),
      row('c', '2027-03-01T10:00:00Z', { folio: 500 }),
      row('d', '2027-03-02T00:00:00Z', { folio: 4 }),
      row('e', '2027-03-01T10:00:00Z', { folio: 4, tipo_dte: 34 }),
    ]
    expect([...stretchesOf(rows).keys()]).toEqual([
      '2027-03-01:33:0',
      '2027-03-01:33:500',
      '2027-03-02:33:0',
      '2027-03-01:34:0',
    ])
  })

  it('are none that a receptor cannot answer at the SII', () => {
    expect(stretchesOf([row('boleta', '2027-03-01T10:00:00Z', { tipo_dte: 39 })]).size).toBe(0)
  })

  it('are read back by the same bounds: every folio and instant belongs to exactly one job', () => {
    const [stretch] = [...stretchesOf([row('last', '2027-03-01T23:59:59.999Z', { folio: 999 })]).values()]
    expect(stretch && settledIn(stretch)).toEqual({
      tipo_dte: 33,
      from_folio: 500,
      folios: 500,
      from: at('2027-03-01T00:00:00Z'),
      until: at('2027-03-02T00:00:00Z'),
    })
  })
})

describe('the register', () => {
  it('is asked about all of them day by day while the eight days of none are over', () => {
    expect(ids(askedNow(DAY, at('2027-03-04T12:00:00Z')))).toEqual(['morning', 'noon', 'night'])
    expect(look('2027-03-04T12:00:00Z')).toBe('2027-03-05T12:00:00.000Z')
  })

  it('is asked about each once more within two hours of its end, and about no other then', () => {
    expect(look('2027-03-09T00:00:00Z')).toBe('2027-03-09T14:00:00.000Z')
    expect(ids(askedNow(DAY, at('2027-03-09T14:00:03Z')))).toEqual(['morning'])
    expect(look('2027-03-09T14:00:03Z')).toBe('2027-03-09T17:00:00.000Z')
    expect(
      ids(
        askedNow(
          [row('morning', '2027-03-01T12:20:00Z', { receptor_response: [byRegister('accepted')] }), NOON, NIGHT],
          at('2027-03-09T17:00:03Z'),
        ),
      ),
    ).toEqual(['noon'])
    expect(look('2027-03-09T17:00:03Z')).toBe('2027-03-09T23:00:00.000Z')
    expect(look('2027-03-09T23:00:03Z')).toBeNull()
  })

  it('is asked every day about each, also beside one that was over long before the others', () => {
    const late = row('late', '2027-02-21T12:20:00Z', { receptor_response: [byRegister('accepted')] })
    const rows = [late, ...DAY]
    expect(ids(askedNow(rows, at('2027-03-02T12:00:00Z')))).toEqual(['morning', 'noon', 'night'])
    expect(nextLook(rows, at('2027-03-02T12:00:00Z'), true)).toEqual(at('2027-03-03T12:00:00Z'))
    const earlier = row('earlier', '2027-02-25T12:20:00Z')
    const with_earlier = [earlier, ...DAY]
    expect(ids(askedNow(with_earlier, at('2027-03-05T14:00:03Z')))).toEqual(['earlier', 'morning', 'noon', 'night'])
    expect(nextLook(with_earlier, at('2027-03-05T14:00:03Z'), true)).toEqual(at('2027-03-06T14:00:03Z'))
  })

  it('is asked at its end about what it had decided before too: goods may have been acknowledged since', () => {
    const decided = row('morning', '2027-03-01T12:20:00Z', { receptor_response: [byRegister('accepted')] })
    expect(ids(askedNow([decided, NIGHT], at('2027-03-09T14:00:03Z')))).toEqual(['morning'])
  })

  it('is asked after a day without a worker about what is open still, and not about what was decided or annulled', () => {
    const claimed = row('claimed', '2027-03-01T12:00:00Z', { receptor_response: [byRegister('claimed')] })
    const annulled = row('annulled', '2027-03-01T12:00:00Z', { status: 'annulled' })
    expect(ids(askedNow([claimed, annulled, ...DAY], at('2027-03-10T20:00:00Z')))).toEqual(['morning', 'noon', 'night'])
  })

  it('is asked for thirty days more where it does not answer, and then no more', () => {
    expect(look('2027-03-10T00:00:00Z', false)).toBe('2027-03-11T00:00:00.000Z')
    expect(look('2027-04-08T22:00:00Z', false)).toBe('2027-04-09T22:00:00.000Z')
    expect(look('2027-04-08T23:00:00Z', false)).toBeNull()
  })
})
