import { expect, it } from 'vitest'
import { openEventShelf } from './event-shelf.ts'

/** A ledger of events of ten bytes each, that counts what it is asked for. */
function ledger(known: readonly string[]) {
  const asked: (readonly string[])[] = []
  const read = async (ids: readonly string[]) => {
    asked.push(ids)
    return new Map(ids.filter((id) => known.includes(id)).map((id) => [id, Buffer.from(id.padEnd(10))]))
  }
  return { asked, read }
}

it('reads an event once for all endpoints that it goes to, and again where it was not kept any more', async () => {
  const { asked, read } = ledger(['a', 'b'])
  const readEvents = openEventShelf(read)
  expect(await readEvents(['a'])).toEqual(new Map([['a', Buffer.from('a         ')]]))
  expect([...(await readEvents(['a', 'b', 'gone'])).keys()]).toEqual(['a', 'b'])
  expect([...(await readEvents(['b', 'a'])).keys()]).toEqual(['b', 'a'])
  expect([...(await readEvents(['gone'])).keys()]).toEqual([])
  expect(asked).toEqual([['a'], ['b', 'gone'], ['gone']])
})

it('keeps so many bytes and lets go of the oldest', async () => {
  const { asked, read } = ledger(['a', 'b', 'c'])
  const readEvents = openEventShelf(read, 20)
  for (const id of ['a', 'b', 'c', 'b', 'c', 'a']) await readEvents([id])
  expect(asked).toEqual([['a'], ['b'], ['c'], ['a']])
})
