import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { issue, journal, settled, told, types } from '../../../../test/support/document-emission.ts'
import { gate } from '../../../../test/support/gate.ts'
import { FACTURA, type Issuer, openIssuer } from '../../../../test/support/issuer.ts'
import { storedXml } from '../../../../test/support/stored-xml.ts'
import { until } from '../../../../test/support/until.ts'
import { openWorld, type World } from '../../../../test/support/world.ts'

let world: World
let issuer: Issuer
/** What happens once when a worker is about to sign, or has sent. */
const once: Partial<Record<'signing' | 'sending', () => Promise<void>>> = {}
async function reach(place: keyof typeof once): Promise<void> {
  const happen = once[place]
  delete once[place]
  await happen?.()
}
beforeAll(async () => {
  world = await openWorld({
    quick: true,
    test_sii: (sandbox) => ({
      ...sandbox,
      async signerFor(empresa) {
        await reach('signing')
        return sandbox.signerFor(empresa)
      },
      async submit(submission) {
        const received = await sandbox.submit(submission)
        await reach('sending')
        return received
      },
      // As an SII that is asked over a network: what is signed is kept before it is sent.
      submitsWithoutTrace: () => false,
    }),
  })
  issuer = await openIssuer(world)
})
afterAll(() => world.close())

const STORY = ['document.folio_allocated', 'document.signed', 'document.submitted', 'document.accepted']
const TOLD = ['document.created', 'document.sent', 'document.accepted']
const folioIn = (xml: Buffer | undefined) => /<Folio>(\d+)<\/Folio>/.exec(xml?.toString('latin1') ?? '')?.[1]

/** Issues a document, and has something happen to it while a worker stands at `place`. */
async function issueWhile(place: keyof typeof once, happen: (id: string) => Promise<unknown>) {
  const held = gate()
  once[place] = held.stand
  const { body } = await issuer.create(FACTURA)
  await until(`the worker to be ${place}`, held.reached)
  await happen(body.id)
  held.open()
  return (await settled(issuer, body.id, ['accepted'])).body
}

describe('a document that is numbered, signed and stored in one statement', () => {
  it('gets the folio after one that somebody else drew while it was signed, and its XML says so', async () => {
    // The first of the day computes the line that the others are compared with.
    const first = await issue(issuer, FACTURA)
    const taken = await issueWhile('signing', (id) => {
      return world.db.sql`update caf set next_folio = next_folio + 1 from document d
        where d.id = ${id} and caf.empresa_id = d.empresa_id and caf.tipo_dte = d.tipo_dte`
    })
    expect(taken.folio).toBe(first.body.folio + 2)
    expect(folioIn(await storedXml(world, taken.id))).toBe(String(taken.folio))
    expect(types(await journal(issuer, taken.id))).toEqual(STORY)
    expect(types(await told(world, taken.id))).toEqual(TOLD)
  })

  it('is numbered and signed once where somebody touched its row meanwhile', async () => {
    const before = await issue(issuer, FACTURA)
    const touched = await issueWhile(
      'signing',
      (id) => world.db.sql`update document set metadata = '{"order":"7"}' where id = ${id}`,
    )
    expect(touched).toMatchObject({ folio: before.body.folio + 1, metadata: { order: '7' } })
    expect(types(await journal(issuer, touched.id))).toEqual(STORY)
  })
})

describe('that a document was sent', () => {
  it('is told with what somebody changed between its sending and its record', async () => {
    const changed = await issueWhile(
      'sending',
      (id) => world.db.sql`update document set metadata = '{"order":"8"}' where id = ${id}`,
    )
    const events = await told(world, changed.id)
    expect(types(events)).toEqual(TOLD)
    expect(events.map(({ data }) => data.object.metadata)).toEqual([{}, { order: '8' }, { order: '8' }])
    expect(types(await journal(issuer, changed.id))).toEqual(STORY)
  })

  it('ends the job that sent it, counts the document once and polls once', async () => {
    const { body } = await issue(issuer, FACTURA)
    const jobs = await world.db.sql`select name from job where payload ->> 'document_id' = ${body.id}`
    expect(jobs).toEqual([])
    const used = await world.db.sql<{ n: number }>`
      select count(*) as n from usage_record where subject_id = ${body.id}`
    expect(used).toEqual([{ n: 1 }])
  })
})
