import { describe, expect, it } from 'vitest'
import { Turns } from './turns.ts'

/** The order in which those who wait are served, by one thread. */
function served(waiting: readonly string[], turns = new Turns()): string {
  const queue = waiting.map((owner) => ({ owner }))
  let order = ''
  for (let place = turns.next(queue, new Set()); place >= 0; place = turns.next(queue, new Set())) {
    const [taken] = queue.splice(place, 1)
    if (!taken) break
    turns.took(taken)
    order += taken.owner
  }
  return order
}

describe('the turns of those who wait for a thread', () => {
  it('go round: who brought many waits between them for everybody else', () => {
    expect(served([...'aaaabbbbc'])).toBe('abcababab')
  })

  it('begin with whoever had none for longest, however long the line before', () => {
    const turns = new Turns()
    expect(served([...'ab'], turns)).toBe('ab')
    expect(served([...'abcba'], turns)).toBe('cabab')
  })

  it('pass over an owner who has an order in work, and are nobody’s when all have', () => {
    const queue = [{ owner: 'a' }, { owner: 'b' }]
    expect(new Turns().next(queue, new Set('a'))).toBe(1)
    expect(new Turns().next(queue, new Set('ab'))).toBe(-1)
  })

  it('are those of a plain line where nobody owns an order', () => {
    const turns = new Turns()
    const queue = [{ owner: undefined }, { owner: undefined }]
    turns.took({ owner: undefined })
    expect(turns.next(queue, new Set('a'))).toBe(0)
  })
})
