import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openBuyer } from '../../../../test/support/buyer.ts'
import { openWorld, type World } from '../../../../test/support/world.ts'

let world: World
beforeAll(async () => {
  world = await openWorld()
})
afterAll(() => world.close())

const story = (events: { type: string; data: { detail?: object } }[]) =>
  events
    .filter(({ type }) => /^received_document\.(accepted|deadline|receipt)/.test(type))
    .map(({ type, data }) => [type.split('.')[1], data.detail ?? null])

describe('the eight days', () => {
  it('warn three days and one day before the end, then silence accepts, in order, however far the clock goes', async () => {
    const buyer = await openBuyer(world)
    const { body } = await buyer.receive()
    await buyer.advance('P20D')
    expect(story(await buyer.events())).toEqual([
      ['deadline_approaching', { days_left: 3 }],
      ['deadline_approaching', { days_left: 1 }],
      ['accepted', { tacit: true }],
    ])
    const after = (await buyer.get(`/v1/received_documents/${body.id}`)).body
    expect(after).toMatchObject({ status: 'accepted_tacitly', receipt: { status: 'presumed', acknowledged_at: null } })
    expect(after.answered_at).toBe(body.deadline_at)
    const [tacit] = await buyer.events('received_document.accepted')
    expect(tacit.data.object).toEqual(after)
    expect(tacit.data.previous_attributes).toEqual({
      status: 'pending',
      receipt: { status: 'pending', acknowledged_at: null },
      answered_at: null,
    })
  })

  it('are told one by one as the clock passes them', async () => {
    const buyer = await openBuyer(world)
    await buyer.receive()
    await buyer.advance('P4D')
    expect(story(await buyer.events())).toEqual([])
    await buyer.advance('P1DT1H')
    expect(story(await buyer.events())).toEqual([['deadline_approaching', { days_left: 3 }]])
    await buyer.advance('P2D')
    expect(story(await buyer.events())).toHaveLength(2)
    await buyer.advance('P1D')
    expect(story(await buyer.events()).at(-1)).toEqual(['accepted', { tacit: true }])
  })

  it('409 received_document_deadline_passed for every answer once they are over', async () => {
    const buyer = await openBuyer(world)
    const { body } = await buyer.receive()
    await buyer.advance('P9D')
    for (const [verb, said] of [
      ['accept', {}],
      ['reject', { code: 'RCD' }],
      ['acknowledge_receipt', {}],
    ] as const) {
      const late = await buyer.act(body.id, verb, said)
      expect([late.status, late.body.error.code, late.body.error.sii.code]).toEqual([
        409,
        'received_document_deadline_passed',
        8,
      ])
    }
  })

  it('say nothing more about what was claimed, and presume the goods of what was accepted', async () => {
    const buyer = await openBuyer(world)
    const claimed = await buyer.receive()
    const accepted = await buyer.receive()
    await buyer.act(claimed.body.id, 'reject', { code: 'RCD' })
    await buyer.act(accepted.body.id, 'accept')
    await buyer.advance('P9D')
    expect(story(await buyer.events())).toEqual([
      ['accepted', null],
      ['receipt_acknowledged', { tacit: true }],
    ])
    expect((await buyer.get(`/v1/received_documents/${claimed.body.id}`)).body.status).toBe('rejected')
    expect((await buyer.get(`/v1/received_documents/${accepted.body.id}`)).body.receipt.status).toBe('presumed')
  })
})
