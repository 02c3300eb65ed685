import { describe, expect, it } from 'vitest'
import { tellJobEnd, until } from './support/until.ts'

describe('a test that waits', () => {
  it('looks once for all the jobs that ended since it looked', async () => {
    let looks = 0
    let done = false
    const seen = until('the jobs', () => {
      looks += 1
      return done && 'what they did'
    })
    done = true
    for (let jobs = 0; jobs < 100; jobs++) tellJobEnd()
    expect(await seen).toBe('what they did')
    expect(looks).toBe(2)
  })

  it('looks again though no job of this process ends', async () => {
    let looks = 0
    expect(await until('a third look', () => ++looks === 3 && looks)).toBe(3)
  })

  it('hears of a look that fails', async () => {
    const failing = until('nothing', () => Promise.reject(new Error('the look failed')))
    await expect(failing).rejects.toThrow('the look failed')
  })
})
