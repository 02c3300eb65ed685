import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { credit } from '../../../../test/support/credit-note.ts'
import { issue, journal, settled, told, types } from '../../../../test/support/document-emission.ts'
import { gate } from '../../../../test/support/gate.ts'
import { FACTURA, type Issuer, openIssuer } from '../../../../test/support/issuer.ts'
import { until } from '../../../../test/support/until.ts'
import { openWorld, type World } from '../../../../test/support/world.ts'

let world: World
let issuer: Issuer
/** By tipo, what happens once between the SII's answer and its record; `not_yet`: as if it had not answered. */
const once = new Map<number, () => Promise<unknown>>()
beforeAll(async () => {
  world = await openWorld({
    quick: true,
    test_sii: (sandbox) => ({
      ...sandbox,
      async statusOf(question) {
        const status = await sandbox.statusOf(question)
        const tipo_dte = question.documents[0]?.tipo_dte ?? 0
        const happen = once.get(tipo_dte)
        if (status.verdicts.size > 0 && happen) {
          once.delete(tipo_dte)
          if ((await happen()) === 'not_yet') return { verdicts: new Map(), ask_at: new Date() }
        }
        return status
      },
    }),
  })
  issuer = await openIssuer(world)
})
afterAll(() => world.close())

/** Issues a factura, and has something happen to it while the SII's verdict is known and not recorded. */
async function issueWhile(happen: (id: string) => Promise<unknown>) {
  const held = gate()
  once.set(33, held.stand)
  const { body } = await issuer.create(FACTURA)
  await until('the verdict', held.reached)
  await happen(body.id)
  held.open()
  return body.id
}

const END = ['document.submitted', 'document.accepted']

describe('a verdict that lands in one statement', () => {
  it('ends the job that asked, and has the receptor watched and the due dates looked at once', async () => {
    const { body } = await issue(issuer, FACTURA)
    const jobs = await world.db.sql<{ name: string }>`
      select j.name from job j join document d on d.empresa_id = j.empresa_id where d.id = ${body.id} order by 1`
    expect(jobs.map(({ name }) => name)).toEqual([
      'document.watch_receptors',
      'folio.watch_expiry',
      'payment.watch_due_dates',
    ])
  })

  it('tells of what somebody changed between the answer and its record, and tells of it once', async () => {
    const id = await issueWhile((one) => world.db.sql`update document set metadata = '{"order":"9"}' where id = ${one}`)
    await settled(issuer, id, ['accepted'])
    const events = await told(world, id)
    expect(types(events)).toEqual(['document.created', 'document.sent', 'document.accepted'])
    expect(events.at(-1)?.data.object.metadata).toEqual({ order: '9' })
    expect(types(await journal(issuer, id)).slice(-2)).toEqual(END)
  })

  it('leaves a document whose nota the SII took first to a transaction, which annuls it', async () => {
    const done = gate()
    once.set(33, async () => {
      await done.stand()
      return 'not_yet'
    })
    const { body } = await issuer.create(FACTURA)
    await until('the verdict', done.reached)
    // The API takes a nota once its original was taken; the SII may still answer about the nota first.
    await world.db.sql`update document set status = 'accepted' where id = ${body.id}`
    const nota = await credit(issuer, body)
    await world.db.sql`update document set status = 'sent' where id = ${body.id}`
    await settled(issuer, nota.body.id, ['accepted'])
    done.open()
    await settled(issuer, body.id, ['annulled'])
    expect(types(await journal(issuer, body.id)).slice(-2)).toEqual(['document.accepted', 'document.annulled'])
  })
})
