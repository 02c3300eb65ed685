import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type CursorOwner, decodeCursor, encodeCursor, pageById } from './cursor.ts'
import { openCursorSeal } from './cursor-seal.ts'
import { oneKey } from './vault.ts'

const [older, newer] = [new Uint8Array(32).fill(1), new Uint8Array(32).fill(2)]
const account = { account_id: 'acct_1', mode: 'test' } as const
const empresa = { ...account, empresa_id: 'emp_1', rut: '76192083-9' }
const owner: CursorOwner = { account, empresa, ports: { cursors: openCursorSeal(oneKey(older)) } }

describe('a cursor', () => {
  it('opens to its place on its own list under its own filters', () => {
    fc.assert(
      fc.property(
        fc.array(fc.oneof(fc.string(), fc.integer())),
        fc.dictionary(fc.string(), fc.string()),
        (place, filters) => {
          const cursor = encodeCursor(owner, 'things', filters, place)
          expect(cursor).toMatch(/^cur_[\w-]+$/)
          expect(decodeCursor(owner, 'things', filters, cursor)).toEqual(place)
        },
      ),
    )
  })

  it('opens whichever order its filters are written in', () => {
    const cursor = encodeCursor(owner, 'things', { status: 'a', kind: 'b' }, ['x'])
    expect(decodeCursor(owner, 'things', { kind: 'b', status: 'a' }, cursor)).toEqual(['x'])
  })

  it('opens nowhere else, and names the parameter it came in', () => {
    const cursor = encodeCursor(owner, 'things', { status: 'a' }, ['x'])
    const refused = expect.objectContaining({ code: 'invalid_cursor', facts: { param: 'after' } })
    for (const [list, filters] of [
      ['others', { status: 'a' }],
      ['things', { status: 'b' }],
      ['things', {}],
    ] as const) {
      expect(() => decodeCursor(owner, list, filters, cursor, 'after')).toThrow(refused)
    }
  })

  it('opens for nobody else: another account, mode or empresa, or the whole account', () => {
    const cursor = encodeCursor(owner, 'things', {}, ['x'])
    const foreign: Partial<CursorOwner>[] = [
      { account: { ...account, account_id: 'acct_2' } },
      { account: { ...account, mode: 'live' } },
      { empresa: { ...empresa, empresa_id: 'emp_2' } },
    ]
    const { empresa: _, ...whole } = owner
    for (const other of [...foreign.map((change) => ({ ...owner, ...change })), whole]) {
      expect(() => decodeCursor(other, 'things', {}, cursor)).toThrow(
        expect.objectContaining({ code: 'invalid_cursor' }),
      )
    }
  })

  it('is refused when it was made without our key, as anybody could make those of before', () => {
    const place = JSON.stringify(['x'])
    const hash = createHash('sha256')
      .update(JSON.stringify(['things', {}, place]))
      .digest('base64url')
    const forged = [10, 22].map((chars) => `cur_${hash.slice(0, chars)}${Buffer.from(place).toString('base64url')}`)
    const elsewhere = { ...owner, ports: { cursors: openCursorSeal(oneKey(newer)) } }
    for (const cursor of [...forged, encodeCursor(elsewhere, 'things', {}, ['x'])]) {
      expect(() => decodeCursor(owner, 'things', {}, cursor)).toThrow(
        expect.objectContaining({ code: 'invalid_cursor' }),
      )
    }
  })

  it('opens after the master key was changed, while the older one is still known', () => {
    const keys = new Map([
      [1, older],
      [2, newer],
    ])
    const both = { ...owner, ports: { cursors: openCursorSeal({ current: 2, keys }) } }
    expect(decodeCursor(both, 'things', {}, encodeCursor(owner, 'things', {}, ['x']))).toEqual(['x'])
    const cursor = encodeCursor(both, 'things', {}, ['x'])
    expect(() => decodeCursor(owner, 'things', {}, cursor)).toThrow()
  })

  it('is refused with any character changed, added or taken away', () => {
    const cursor = encodeCursor(owner, 'things', {}, ['evt_01', 42])
    fc.assert(
      fc.property(fc.nat({ max: cursor.length - 1 }), fc.constantFrom('', 'A', '_', '=', ' ', 'xx'), (at, instead) => {
        const changed = cursor.slice(0, at) + instead + cursor.slice(at + 1)
        if (changed !== cursor) expect(() => decodeCursor(owner, 'things', {}, changed)).toThrow()
        expect(() => decodeCursor(owner, 'things', {}, cursor + (instead || '='))).toThrow()
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
          expect(() => decodeCursor(owner, 'things', {}, text)).toThrow(
            expect.objectContaining({ code: 'invalid_cursor' }),
          )
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
        const page = await pageById(owner, 'x', {}, { limit, ...(cursor && { cursor }) }, fetch, ({ id }) => id)
        seen.push(...page.data)
        expect(page.has_more).toBe(page.next_cursor !== null)
        more = page.has_more
        cursor = page.next_cursor ?? undefined
      }
      expect(seen).toEqual(rows.map(({ id }) => id))
    }
  })
})
