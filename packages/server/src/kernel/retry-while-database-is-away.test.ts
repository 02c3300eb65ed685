import { describe, expect, it } from 'vitest'
import { retryWhileDatabaseIsAway } from './retry-while-database-is-away.ts'

/** Fails with each of these, one after another, and then goes through. */
function failing(...errors: Error[]) {
  let calls = 0
  const write = async () => {
    const error = errors[calls++]
    if (error) throw error
    return calls
  }
  return { write, calls: () => calls }
}

const away = () => Object.assign(new Error('terminating connection'), { code: '57P01' })

describe('what must not be lost', () => {
  it('is written again while the database is away', async () => {
    const { write } = failing(away(), away())
    expect(await retryWhileDatabaseIsAway(write, 10_000)).toBe(3)
  })

  it('is given up after a while, with what the database said last', async () => {
    const { write, calls } = failing(away(), away(), away())
    await expect(retryWhileDatabaseIsAway(write, 300)).rejects.toMatchObject({ code: '57P01' })
    expect(calls()).toBe(2)
  })

  it('is not repeated when the database is there and refuses it', async () => {
    const { write, calls } = failing(new Error('our own mistake'))
    await expect(retryWhileDatabaseIsAway(write, 10_000)).rejects.toThrow('our own mistake')
    expect(calls()).toBe(1)
  })
})
