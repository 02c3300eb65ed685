import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { issue, journal, settled, told, types } from '../../../../test/support/document-emission.ts'
import { FACTURA, type Issuer, openIssuer, RECEPTOR } from '../../../../test/support/issuer.ts'
import { until } from '../../../../test/support/until.ts'
import { openWorld, randomRut, type World } from '../../../../test/support/world.ts'

let world: World
let issuer: Issuer
/** How often the sandbox was handed an envelope, and what happens once when it was. */
const handed = { envelopes: 0, next: async (): Promise<unknown> => undefined }
beforeAll(async () => {
  world = await openWorld({
    quick: true,
    test_sii: (sandbox) => ({
      ...sandbox,
      async submit(submission) {
        const received = await sandbox.submit(submission)
        handed.envelopes++
        const { next } = handed
        handed.next = async () => undefined
        await next()
        return received
      },
    }),
  })
  issuer = await openIssuer(world)
  // The first of the day, and the first to its receptor.
  await issue(issuer, FACTURA)
})
afterAll(() => world.close())

const STORY = ['document.folio_allocated', 'document.signed', 'document.submitted', 'document.accepted']
const TOLD = ['document.created', 'document.sent', 'document.accepted']

/** Whether one transaction kept the XML of a document and counted it as sent. Neither row is written again. */
async function wasAtOnce(id: string): Promise<boolean> {
  const [row] = await world.db.sql<{ at_once: boolean }>`
    select x.xmin::text = u.xmin::text as at_once from document_xml x, usage_record u
    where x.document_id = ${id} and u.subject_id = ${id}`
  return row?.at_once === true
}

const keptAddress = async (rut: string) => {
  const [row] = await world.db.sql<{ legal_name: string }>`
    select legal_name from counterparty where empresa_id = ${issuer.empresa_id} and rut = ${rut}`
  return row?.legal_name
}

describe('where handing over leaves nothing behind', () => {
  it('a document is numbered, signed and sent in one statement, and tells the same story', async () => {
    const { body } = await issue(issuer, FACTURA)
    expect(body.status).toBe('accepted')
    expect(await wasAtOnce(body.id)).toBe(true)
    const lines = await journal(issuer, body.id)
    expect(types(lines)).toEqual(STORY)
    expect(lines[0]?.detail.folio).toBe(body.folio)
    const events = await told(world, body.id)
    expect(types(events)).toEqual(TOLD)
    expect(events[1]?.data.object).toMatchObject({ status: 'sent', folio: body.folio })
    // Its folio came before it was sent, as where the two are apart.
    expect(Object.keys(events[1]?.data.previous_attributes).sort()).toEqual(['sent_at', 'sii', 'status'])
  })

  it('one that somebody touched after it was handed over is handed over again, with its folio, and sent once', async () => {
    const before = await issue(issuer, FACTURA)
    handed.envelopes = 0
    let touched = ''
    handed.next = async () => {
      const [row] = await world.db.sql<{ id: string }>`
        update document set metadata = '{"order":"9"}' where empresa_id = ${issuer.empresa_id} and status = 'queued' returning id`
      touched = row?.id ?? ''
    }
    const { body } = await issue(issuer, FACTURA)
    expect(touched).toBe(body.id)
    expect(handed.envelopes).toBe(2)
    expect(body).toMatchObject({ status: 'accepted', folio: before.body.folio + 1, metadata: { order: '9' } })
    expect(types(await journal(issuer, body.id))).toEqual(STORY)
    expect(types(await told(world, body.id))).toEqual(TOLD)
    const used = await world.db.sql`select from usage_record where subject_id = ${body.id}`
    expect(used).toHaveLength(1)
  })

  it('one whose job somebody else took up meanwhile is sent by that one alone', async () => {
    const { body } = await issuer.create(FACTURA)
    handed.next = () => world.db.sql`
      update job set status = 'running', worker = 'another', attempts = 1, lease_until = now() + interval '2 seconds'
      where name = 'document.emit' and payload ->> 'document_id' = ${body.id} and status = 'queued'`
    const { body: ended } = await settled(issuer, body.id, ['accepted'])
    expect(ended.folio).not.toBeNull()
    expect(types(await journal(issuer, body.id))).toEqual(STORY)
    expect(types(await told(world, body.id))).toEqual(TOLD)
  })
})

describe('what is numbered and signed is kept before it is sent', () => {
  it('where its receptor is not in the address book, which then holds it', async () => {
    const rut = randomRut()
    const { body } = await issue(issuer, { ...FACTURA, receptor: { ...RECEPTOR, rut, legal_name: 'Nueva SpA' } })
    expect(await wasAtOnce(body.id)).toBe(false)
    expect(await keptAddress(rut)).toBe('Nueva SpA')
    // From then on it is known.
    const again = await issue(issuer, { ...FACTURA, receptor: { ...RECEPTOR, rut, legal_name: 'Nueva SpA' } })
    expect(await wasAtOnce(again.body.id)).toBe(true)
    // And one that names it otherwise is not.
    const renamed = await issue(issuer, { ...FACTURA, receptor: { ...RECEPTOR, rut, legal_name: 'Novísima SpA' } })
    expect(await wasAtOnce(renamed.body.id)).toBe(false)
    expect(await keptAddress(rut)).toBe('Novísima SpA')
  })

  it.each([
    ['does not take the document at first', '77111113-0', ['failed']],
    ['is away', '77111116-5', ['accepted']],
  ])('where the sandbox plays an SII that %s', async (_, rut, ends) => {
    const order = { ...FACTURA, receptor: { ...RECEPTOR, rut } }
    const { body: created } = await issuer.create(order)
    const numbered = await until('its folio', async () => {
      await issuer.hasten()
      const { body } = await issuer.get(`/v1/documents/${created.id}`)
      return body.folio !== null && body
    })
    expect(['queued', 'failed', 'sent', 'accepted']).toContain(numbered.status)
    const { body } = await settled(issuer, created.id, ends)
    expect(body.folio).toBe(numbered.folio)
    expect(types(await journal(issuer, created.id)).slice(0, 2)).toEqual(STORY.slice(0, 2))
  })
})
