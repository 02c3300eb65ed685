import { expect, it } from 'vitest'
import { lazily } from './lazily.ts'

it('loads when first asked, once for all who ask, and again after a failure', async () => {
  let asked = 0
  const load = lazily(async () => {
    if (++asked === 1) throw new Error('not there yet')
    return asked
  })
  expect(asked).toBe(0)
  await expect(load()).rejects.toThrow('not there yet')
  expect(await Promise.all([load(), load()])).toEqual([2, 2])
  expect(await load()).toBe(2)
})
