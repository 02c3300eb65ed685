import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { decodeCursor, encodeCursor, pageById } from './cursor.ts'

describe('a cursor', () => {
  it('opens to its place on its own list under its own filters', () => {
    fc.assert(
      fc.property(
        fc.array(fc.oneof(fc.string(), fc.integer())),
        fc.dictionary(fc.string(), fc.string()),
        (place, filters) => {
          const cursor = encodeCursor('things', filters, place)
          expect(cursor).toMatch(/^cur_[\w-]+$/)
          expect(decodeCursor('things', filters, cursor)).toEqual(place)
        },
      ),
    )
  })

  it('opens whichever order its filters are written in', () => {
    const cursor = encodeCursor('things', { status: 'a', kind: 'b' }, ['x'])
    expect(decodeCursor('things', { kind: 'b', status: 'a' }, cursor)).toEqual(['x'])
  })

  it('opens nowhere else, and names the parameter it came in', () => {
    const cursor = encodeCursor('things', { status: 'a' }, ['x'])
    const refused = expect.objectContaining({ code: 'invalid_cursor', facts: { param: 'after' } })
    for (const [list, filters] of [
      ['others', { status: 'a' }],
      ['things', { status: 'b' }],
      ['things', {}],
    ] as const) {
      expect(() => decodeCursor(list, filters, cursor, 'after')).toThrow(refused)
    }
  })

  it('is refused with any character changed, added or taken away', () => {
    const cursor = encodeCursor('things', {}, ['evt_01', 42])
    fc.assert(
      fc.property(fc.nat({ max: cursor.length - 1 }), fc.constantFrom('', 'A', '_', '=', ' ', 'xx'), (at, instead) => {
        const changed = cursor.slice(0, at) + instead + cursor.slice(at + 1)
        if (changed !== cursor) expect(() => decodeCursor('things', {}, changed)).toThrow()
        expect(() => decodeCursor('things', {}, cursor + (instead || '='))).toThrow()
      }),
    )
  })

  it('is refused whatever nonsense it is, as a refusal and never as a defect', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.string().map((text) => `cur_${text}`),
        ),
        (text) => {
          expect(() => decodeCursor('things', {}, text)).toThrow(expect.objectContaining({ code: 'invalid_cursor' }))
        },
      ),
    )
  })
})

describe('a page by id', () => {
  const rows = Array.from({ length: 9 }, (_, i) => ({ id: `x_${9 - i}` }))
  const fetch = async ({ before, take }: { before: string | null; take: number }) =>
    rows.filter(({ id }) => before === null || id < before).slice(0, take)

  it('walks every row once whatever the size of the page, and ends without a cursor', async () => {
    for (let limit = 1; limit <= 10; limit++) {
      const seen: string[] = []
      let cursor: string | undefined
      for (let more = true; more; ) {
        const page = await pageById('x', {}, { limit, ...(cursor && { cursor }) }, fetch, ({ id }) => id)
        seen.push(...page.data)
        expect(page.has_more).toBe(page.next_cursor !== null)
        more = page.has_more
        cursor = page.next_cursor ?? undefined
      }
      expect(seen).toEqual(rows.map(({ id }) => id))
    }
  })
})
