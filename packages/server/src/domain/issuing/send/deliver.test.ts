import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openPost, type Post, readLetter } from '../../../../test/support/document-mailer.ts'
import { issue } from '../../../../test/support/insert-document.ts'
import type { Issuer } from '../../../../test/support/issuer.ts'

let post: Post
let live: Issuer
beforeAll(async () => {
  post = await openPost()
  live = await post.issuer()
})
afterAll(() => post.close())

describe('letters that are not taken', () => {
  it('one of two is refused for good: the other arrives once, and both are told', async () => {
    const { id } = await issue(post.world, live)
    post.smtp.refuse('mala@cliente.cl', 550)
    const told = await post.sendToTheEnd(live, id, { to: ['mala@cliente.cl', 'buena@cliente.cl'] })
    expect(told).toMatchObject({
      status: 'succeeded',
      result: {
        recipients: [
          { to: 'mala@cliente.cl', sent: false, reason: 'refused' },
          { to: 'buena@cliente.cl', sent: true, reason: null },
        ],
      },
    })
    const events = await post.told(live, id)
    expect(events.map(({ type, detail }) => [type, detail])).toMatchObject([
      ['document.email_failed', { to: 'mala@cliente.cl', reason: 'refused' }],
      ['document.emailed', { to: 'buena@cliente.cl' }],
    ])
  })

  it('nobody takes it: the job fails and says so', async () => {
    const { id } = await issue(post.world, live)
    post.smtp.refuse('nadie@cliente.cl', 550)
    expect(await post.sendToTheEnd(live, id, { to: 'nadie@cliente.cl' })).toMatchObject({
      status: 'failed',
      attempts: 1,
      error: { code: 'recipients_refused' },
    })
  })

  it('one of two is away: it is tried again, as the same letter, and the one that was taken is not', async () => {
    const { id } = await issue(post.world, live)
    post.smtp.refuse('lenta@cliente.cl', 451)
    const sent = await post.send(live, id, { to: ['lenta@cliente.cl', 'pronta@cliente.cl'] })
    expect(await post.rested(live, sent.body.id)).toMatchObject({ status: 'queued', attempts: 1 })
    expect((await post.told(live, id)).map(({ type }) => type)).toEqual(['document.emailed'])
    post.smtp.take('lenta@cliente.cl')
    expect(await post.tryAgain(live, sent.body.id)).toMatchObject({ status: 'succeeded', attempts: 2 })
    expect([post.lettersTo('lenta@cliente.cl').length, post.lettersTo('pronta@cliente.cl').length]).toEqual([1, 1])
    const ids = await Promise.all(
      [...post.lettersTo('lenta@cliente.cl'), ...post.lettersTo('pronta@cliente.cl')].map(readLetter),
    )
    const [row] = await post.world.db.sql<{ payload: { letters: { id: string }[] } }>`
      select payload from job where id = ${sent.body.id}`
    expect(ids.map(({ messageId }) => messageId)).toEqual(row?.payload.letters.map((one) => `<${one.id}@timbre.cl>`))
  })

  it('nobody took it to the last: it is given up, and the webhook tells', async () => {
    const { id } = await issue(post.world, live)
    post.smtp.refuse('jamas@cliente.cl', 451)
    const sent = await post.send(live, id, { to: 'jamas@cliente.cl' })
    await post.rested(live, sent.body.id)
    const told = await post.tryAgain(live, sent.body.id, { last: true })
    expect(told).toMatchObject({ status: 'failed', error: { code: 'recipients_refused' } })
    expect(await post.told(live, id)).toMatchObject([
      { type: 'document.email_failed', detail: { reason: 'undeliverable' } },
    ])
  })

  it('whoever opts out, and whatever is annulled, while a letter waits is not mailed', async () => {
    const issuer = await post.issuer()
    for (const [address, change, reason] of [
      [
        'arrepentida@cliente.cl',
        () => post.addContact(issuer, { email: 'arrepentida@cliente.cl', opted_out: true }),
        'opted_out',
      ],
      [
        'tarde@cliente.cl',
        (id: string) => post.world.db.sql`update document set status = 'annulled' where id = ${id}`,
        'document_not_sendable',
      ],
    ] as const) {
      const { id } = await issue(post.world, issuer)
      post.smtp.refuse(address, 451)
      const sent = await post.send(issuer, id, { to: address })
      await post.rested(issuer, sent.body.id)
      // Refused until it changed: a slow machine may try again by itself before.
      await change(id)
      post.smtp.take(address)
      await post.tryAgain(issuer, sent.body.id)
      expect(post.lettersTo(address)).toEqual([])
      expect(await post.told(issuer, id)).toMatchObject([{ type: 'document.email_failed', detail: { reason } }])
    }
  })
})
