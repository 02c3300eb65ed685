import { describe, expect, it } from 'vitest'
import { JOBS } from '../jobs.ts'
import { roomFor, SLOTS } from './slots.ts'

describe('the slots of heavy jobs', () => {
  it('are two, of which an account has one, whatever it has waiting, and the next account has the other', () => {
    expect(roomFor(0, SLOTS.heavy)).toBe(1)
    expect(roomFor(1, SLOTS.heavy - 1)).toBe(0)
    expect(roomFor(0, SLOTS.heavy - 1)).toBe(1)
  })

  it('are for the jobs that write thousands of rows', () => {
    const heavy = JOBS.filter(({ pool }) => pool === 'heavy').map(({ name }) => name)
    expect(heavy.sort()).toEqual(['sandbox.seed', 'statement.import', 'statement.undo'])
  })
})
