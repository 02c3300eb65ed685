import { expect, it } from 'vitest'
import { once } from './kept.ts'

it('what could not be made for a page is made anew for the next who asks, and what was made is kept', async () => {
  let tries = 0
  const page = once(() => {
    tries++
    if (tries === 1) throw new Error('no file handle is free')
    return `made ${tries}`
  })
  await expect(page()).rejects.toThrow('no file handle')
  expect([await page(), await page()]).toEqual(['made 2', 'made 2'])
})
