import { describe, expect, it } from 'vitest'
import { Timbre } from '../src/index.ts'
import { type Asked, type Fake, fake, refusal } from './fake-fetch.ts'

const client = ({ fetch }: Fake) => new Timbre({ key: 'sk_test_x', fetch, maxRetries: 0 })
const queryOf = ({ url }: Asked) => Object.fromEntries(new URL(url).searchParams)

/** Six items on three pages, by `cursor` or by `after`. */
const shelves = ({ url }: Asked) => {
  const query = new URL(url).searchParams
  const at = Number(/^cur_(\d)$/.exec(query.get('cursor') ?? query.get('after') ?? '')?.[1] ?? 0)
  const data = [{ id: `n${at}` }, { id: `n${at + 1}` }]
  const has_more = at < 4
  return { body: { object: 'list', data, has_more, next_cursor: has_more ? `cur_${at + 2}` : null } }
}
const ALL = ['n0', 'n1', 'n2', 'n3', 'n4', 'n5']

describe('a list', () => {
  it('is its first page when awaited, as the contract has it', async () => {
    const service = fake(shelves)
    const page = await client(service).documents.list({ limit: 2 })
    expect(JSON.parse(JSON.stringify(page))).toEqual({
      object: 'list',
      data: [{ id: 'n0' }, { id: 'n1' }],
      has_more: true,
      next_cursor: 'cur_2',
    })
    expect(service.asked).toHaveLength(1)
  })

  it('goes on page by page with next(), under the same filters, and ends with null', async () => {
    const service = fake(shelves)
    const first = await client(service).documents.list({ limit: 2, status: 'accepted' })
    const second = await first.next()
    const third = await second?.next()
    expect(third?.data.map(({ id }) => id)).toEqual(['n4', 'n5'])
    expect(third?.next()).toBeNull()
    expect(service.asked.map(queryOf)).toEqual([
      { limit: '2', status: 'accepted' },
      { limit: '2', status: 'accepted', cursor: 'cur_2' },
      { limit: '2', status: 'accepted', cursor: 'cur_4' },
    ])
  })

  it('gives every item of every page to a loop, from the list and from a page', async () => {
    const timbre = client(fake(shelves))
    const seen: string[] = []
    for await (const { id } of timbre.documents.list()) seen.push(id)
    expect(seen).toEqual(ALL)
    const again: string[] = []
    for await (const { id } of await timbre.documents.list()) again.push(id)
    expect(again).toEqual(ALL)
  })

  it('asks for no page that nobody needs', async () => {
    const service = fake(shelves)
    const list = client(service).documents.list()
    await Promise.resolve()
    expect(service.asked).toHaveLength(0)
    for await (const { id } of list) if (id === 'n2') break
    expect(service.asked).toHaveLength(2)
  })

  it('reads the ledger forward by `after`, never by both', async () => {
    const service = fake(shelves)
    const seen: string[] = []
    for await (const { id } of client(service).events.list({ after: 'evt_1' })) seen.push(id)
    expect(seen).toEqual(ALL)
    expect(service.asked.map(queryOf)).toEqual([{ after: 'evt_1' }, { after: 'cur_2' }, { after: 'cur_4' }])
  })

  it('fails as any call does, awaited or in a loop', async () => {
    const timbre = client(fake(refusal(400, 'invalid_cursor')))
    await expect(timbre.documents.list()).rejects.toMatchObject({ code: 'invalid_cursor' })
    await expect(timbre.documents.list().catch((error) => error.code)).resolves.toBe('invalid_cursor')
    const loop = async () => {
      for await (const _ of timbre.documents.list()) expect.unreachable()
    }
    await expect(loop()).rejects.toMatchObject({ code: 'invalid_cursor' })
  })
})
