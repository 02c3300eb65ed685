import { describe, expect, it, vi } from 'vitest'
import { ID_PREFIXES } from '../catalog/ids.ts'
import { idFloor, isId, newId, randomSecret } from './id.ts'

describe('an id', () => {
  it('is unique and grows without end in one process, within a millisecond too', () => {
    const ids = Array.from({ length: 50_000 }, () => newId('event'))
    expect(new Set(ids).size).toBe(ids.length)
    expect(ids.findIndex((id, i) => i > 0 && id <= (ids[i - 1] as string))).toBe(-1)
  })

  const back = (ms: number) => {
    const before = newId('event')
    vi.spyOn(Date, 'now').mockReturnValue(Date.now() - ms)
    const after = newId('event')
    vi.restoreAllMocks()
    return after > before
  }

  it('does not go backwards when the clock does for a moment', () => {
    expect(back(50_000)).toBe(true)
  })

  it('goes back with a clock that was an hour ahead: it would lie for an hour', () => {
    expect(back(3_600_000)).toBe(false)
  })

  it('sorts by the time it was made, with every id of an instant above the floor of it', () => {
    const at = new Date(Date.now())
    const id = newId('document')
    expect(id >= idFloor('document', at)).toBe(true)
    expect(id < idFloor('document', new Date(Date.now() + 1000))).toBe(true)
    expect(idFloor('event', new Date('2026-01-01')) < idFloor('event', new Date('2026-01-02'))).toBe(true)
  })

  it('carries its kind, and is recognised as that kind only', () => {
    for (const kind of Object.keys(ID_PREFIXES) as (keyof typeof ID_PREFIXES)[]) {
      const id = newId(kind)
      expect(id).toMatch(new RegExp(`^${ID_PREFIXES[kind]}[0-9a-hjkmnp-tv-z]{26}$`))
      expect(isId(kind, id)).toBe(true)
      expect(isId(kind === 'event' ? 'document' : 'event', id)).toBe(false)
    }
    for (const wrong of ['', 'evt_', `evt_${'0'.repeat(25)}`, `evt_${'u'.repeat(26)}`, `${newId('event')}0`]) {
      expect(isId('event', wrong)).toBe(false)
    }
  })
})

describe('a random secret', () => {
  it('is 43 letters and digits, each about equally often, never twice the same', () => {
    const secrets = Array.from({ length: 5_000 }, randomSecret)
    expect(new Set(secrets).size).toBe(5_000)
    const counts = new Map<string, number>()
    for (const secret of secrets) {
      expect(secret).toMatch(/^[0-9A-Za-z]{43}$/)
      for (const letter of secret) counts.set(letter, (counts.get(letter) ?? 0) + 1)
    }
    const expected = (5_000 * 43) / 62
    expect(counts.size).toBe(62)
    for (const count of counts.values()) expect(Math.abs(count - expected) / expected).toBeLessThan(0.12)
  })
})
