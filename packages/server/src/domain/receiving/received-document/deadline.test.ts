import { describe, expect, it } from 'vitest'
import { deadlineOf, firstCheck, nextCheck, siiReceivedAt, warningDue } from './deadline.ts'

const at = (text: string) => new Date(text)
const arrived = at('2026-11-15T12:00:00Z')

describe('the clock of a document that came by mail', () => {
  it('starts when it was signed, in the time of Santiago, in summer and in winter', () => {
    expect(siiReceivedAt('2026-11-14T12:00:00', arrived)).toEqual(at('2026-11-14T15:00:00Z'))
    expect(siiReceivedAt('2026-07-14T12:00:00', at('2026-07-15T12:00:00Z'))).toEqual(at('2026-07-14T16:00:00Z'))
  })

  it('starts when it came where the date is missing, no date, or yet to come', () => {
    for (const signed of [null, '', 'ayer', '2026-02-31', '2026-11-16T00:00:00', '9999-99-99T99:99:99']) {
      expect(siiReceivedAt(signed, arrived)).toEqual(arrived)
    }
  })

  it('leaves a day to answer, however long ago its supplier says to have signed', () => {
    const start = siiReceivedAt('2003-01-01T00:00:00', arrived)
    expect(deadlineOf(33, start)).toEqual(at('2026-11-16T12:00:00Z'))
  })
})

describe('the looks at it', () => {
  const deadline = at('2026-11-23T12:00:00Z')

  it('come three days and one day before the end, and at the end', () => {
    expect(nextCheck(deadline, arrived)).toEqual(at('2026-11-20T12:00:00Z'))
    expect(nextCheck(deadline, at('2026-11-20T12:00:00Z'))).toEqual(at('2026-11-22T12:00:00Z'))
    expect(nextCheck(deadline, at('2026-11-22T12:00:00Z'))).toEqual(deadline)
    expect(nextCheck(deadline, deadline)).toBeNull()
  })

  it('begin at once for what comes with three days left or fewer', () => {
    expect(firstCheck(deadline, arrived)).toEqual(at('2026-11-20T12:00:00Z'))
    for (const late of ['2026-11-20T12:00:00Z', '2026-11-22T12:00:01Z', '2026-11-24T00:00:00Z']) {
      expect(firstCheck(deadline, at(late))).toEqual(at(late))
    }
  })

  it('warn of the fewest days that are still left, also when a look came late', () => {
    const due = (now: string) => warningDue(deadline, at(now))
    expect([due('2026-11-20T11:59:59Z'), due('2026-11-20T12:00:00Z'), due('2026-11-22T13:00:00Z')]).toEqual([
      null,
      3,
      1,
    ])
  })

  it('are not for tipos that take no answer', () => {
    expect([33, 34, 43, 46, 52, 56, 61].filter((tipo) => deadlineOf(tipo, arrived) !== null)).toEqual([33, 34, 43])
  })
})
