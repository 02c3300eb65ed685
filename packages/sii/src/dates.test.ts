import { describe, expect, it } from 'vitest'
import { compactDate, dashedDate, readSiiInstant } from './dates.ts'

describe('a date of the SII', () => {
  it.each([
    ['05-10-2026 12:06:50', '2026-10-05T15:06:50Z'],
    ['2026-10-05 12:06:44', '2026-10-05T15:06:44Z'],
    ['30/07/2020 07:57:42', '2020-07-30T11:57:42Z'],
    ['2026/09/23 16:29:53', '2026-09-23T19:29:53Z'],
    ['2026-06-01T00:00:00', '2026-06-01T04:00:00Z'],
    ['01-06-2026', '2026-06-01T04:00:00Z'],
    // Evening in Santiago is tomorrow in UTC.
    ['31-12-2026 23:30:00', '2027-01-01T02:30:00Z'],
    // The hour that came twice, when the clock went back: the first time.
    ['04-04-2026 23:30:00', '2026-04-05T02:30:00Z'],
    // The hour that the clock skipped.
    ['06-09-2026 00:30:00', '2026-09-06T04:30:00Z'],
  ])('%s is the instant %s, whatever the clock of the machine', (text, instant) => {
    expect(readSiiInstant(text)).toEqual(new Date(instant))
  })

  it.each(['', 'ayer', '31-02-2026 10:00:00', '2026-13-01', '05-10-26', '10:00:00', '05-10-2026 25:00:00'])(
    '%j is none',
    (text) => {
      expect(readSiiInstant(text)).toBeNull()
    },
  )

  it('is written as each service reads it', () => {
    expect(compactDate('2026-10-05')).toBe('05102026')
    expect(dashedDate('2026-10-05')).toBe('05-10-2026')
  })
})
