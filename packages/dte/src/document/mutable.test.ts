import { expect, it } from 'vitest'
import { mutableCopy } from './mutable.ts'

it('a copy has what the value itself has, and no parent that came with it', () => {
  const hostile = JSON.parse('{"description":"x","__proto__":{"additional_tax":{},"description":"y"}}')
  const copy = mutableCopy(hostile)
  expect(copy).toEqual({ description: 'x' })
  expect(Object.getPrototypeOf(copy)).toBe(Object.prototype)
  expect('additional_tax' in copy).toBe(false)
})
