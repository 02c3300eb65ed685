import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { documentKey, openState, type State, uploadKey } from './state.ts'

describe('the state', () => {
  const folder = mkdtempSync(join(tmpdir(), 'simulator-state-'))
  let state: State
  beforeAll(() => {
    state = openState(folder)
  })
  afterAll(async () => {
    await state.close()
    rmSync(folder, { recursive: true, force: true })
  })

  it('keeps what was written for whoever opens it next, and forgets all of it on reset', async () => {
    state.store<number>('own').put('a', 1)
    expect(state.next('folios', 7)).toBe(7)
    await state.close()
    state = openState(folder)
    expect(state.next('folios', 7)).toBe(8)
    // The table was not opened here yet, and is emptied all the same.
    state.reset()
    expect(state.store<number>('own').get('a')).toBeUndefined()
    expect(state.next('folios', 7)).toBe(7)
  })

  it('keeps all that one act writes, or nothing', () => {
    const table = state.store<number>('acts')
    expect(() =>
      state.atomically(() => {
        table.put('half', 1)
        throw new Error('in the middle')
      }),
    ).toThrow('in the middle')
    expect(table.get('half')).toBeUndefined()
  })

  it('reads by prefix in the order of numbers, both ways', () => {
    const table = state.store<number>('ordered')
    for (const folio of [10, 9, 100]) table.put(documentKey('produccion', '1-9', 33, folio), folio)
    table.put(documentKey('produccion', '1-9', 34, 1), 1)
    const prefix = 'produccion:1-9:033:'
    expect(table.values(prefix)).toEqual([9, 10, 100])
    expect(Array.from(table.entries(prefix, { reverse: true, limit: 2 }), ([, folio]) => folio)).toEqual([100, 10])
    const after = documentKey('produccion', '1-9', 33, 10)
    const going = (reverse: boolean) => Array.from(table.entries(prefix, { reverse, after }), ([, folio]) => folio)
    expect([going(false), going(true)]).toEqual([[100], [9]])
    // A key of another part of the table goes on nowhere.
    const other = documentKey('produccion', '1-9', 34, 1)
    expect([...table.entries(prefix, { reverse: true, after: other })]).toEqual([])
    expect(table.count(prefix)).toBe(3)
    expect(table.get('x'.repeat(5000))).toBeUndefined()
  })

  it('takes a track id with its leading zeros or without', () => {
    expect(uploadKey('produccion', '0000000012')).toBe(uploadKey('produccion', '12'))
  })
})
