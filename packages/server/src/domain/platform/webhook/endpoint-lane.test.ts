import { expect, it } from 'vitest'
import { nextReadAhead } from './endpoint-lane.ts'

it('reads ever more ahead for an endpoint that takes it in no time, and the fewest for a slow one', () => {
  const quick = [64]
  for (let i = 0; i < 4; i++) quick.push(nextReadAhead(quick.at(-1) ?? 0, 20))
  expect(quick).toEqual([64, 128, 256, 256, 256])
  expect(nextReadAhead(256, 500)).toBe(64)
  // The first read of a lane has none before it.
  expect(nextReadAhead(64, Infinity)).toBe(64)
})
