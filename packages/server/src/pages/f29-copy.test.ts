import { describe, expect, it } from 'vitest'
import { WARNING_TEXTS } from './f29-copy.ts'

const told = (count: number) =>
  Object.values(WARNING_TEXTS).map((text) => text({ count, amount: '$1.190', concerns: ['999'] }))

describe('a warning of a proposal', () => {
  it('speaks of one thing as of one, and of several as of several', () => {
    const counting = (texts: readonly string[]) =>
      texts.filter((text) => /\b(1|un|una) (documento|línea|compra)/.test(text))
    expect(counting(told(1))).toHaveLength(4)
    expect(told(1).filter((text) => /\b1 \p{L}/u.test(text))).toEqual([])
    expect(told(3).filter((text) => /\b3 (documentos|líneas|compras)\b/.test(text))).toHaveLength(4)
  })
})
