import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { issue, journal, settled, told, types } from '../../../../test/support/document-emission.ts'
import { BOLETA, FACTURA, type Issuer, openIssuer } from '../../../../test/support/issuer.ts'
import { storedXml } from '../../../../test/support/stored-xml.ts'
import { until } from '../../../../test/support/until.ts'
import { openWorld, type World } from '../../../../test/support/world.ts'
import { type Sii, SiiUnreachable, type Submission } from '../../../ports/sii.ts'

/** What goes wrong next, by the question that is asked; each fault is used up. */
const faults: { [Name in keyof Sii]?: ((sandbox: Sii, question: never) => Promise<never>)[] } = {}
const sent: Submission[] = []
/** What this SII holds: unlike the sandbox it remembers, and can be asked. */
const held = new Map<string, string>()
/** Whether handing over leaves something behind, as at an SII that is asked over a network. */
let leaves_trace = true

function faltering(sandbox: Sii): Sii {
  const fault = (name: keyof Sii, question: unknown) => faults[name]?.shift()?.(sandbox, question as never)
  return {
    ...sandbox,
    signerFor: async (empresa) => (await fault('signerFor', empresa)) ?? sandbox.signerFor(empresa),
    statusOf: async (question) => (await fault('statusOf', question)) ?? sandbox.statusOf(question),
    async submit(submission) {
      const failed = await fault('submit', submission)
      if (failed) return failed
      sent.push(submission)
      return sandbox.submit(submission)
    },
    submitsWithoutTrace: () => !leaves_trace,
    async findByNaturalKey({ document }) {
      const track_id = held.get(document.id)
      return track_id === undefined ? null : { envelope_key: track_id, track_id, document_ids: [document.id] }
    },
  }
}

let world: World
let issuer: Issuer
beforeAll(async () => {
  world = await openWorld({ test_sii: faltering })
  issuer = await openIssuer(world)
  await issue(issuer, FACTURA)
})
afterAll(() => world.close())
beforeEach(() => {
  sent.length = 0
  leaves_trace = true
})

/** What is kept of documents that are to be sent. */
async function unsent() {
  return world.db.sql<{ id: string; folio: number | null; xmls: number }>`
    select id, folio, (select count(*)::int from document_xml where document_id = d.id) as xmls
    from document d where empresa_id = ${issuer.empresa_id} and status = 'queued'`
}

async function crash(): Promise<never> {
  throw new Error('the worker went away here')
}
const STORY = ['document.folio_allocated', 'document.signed', 'document.submitted', 'document.accepted']

/** One of everything, whatever happened on the way. */
async function expectOnce(id: string): Promise<void> {
  expect(types(await journal(issuer, id))).toEqual(STORY)
  expect(types(await told(world, id))).toEqual(['document.created', 'document.sent', 'document.accepted'])
  const [row] = await world.db.sql<{ xmls: number; used: number }>`
    select (select count(*)::int from document_xml where document_id = ${id}) as xmls,
      (select count(*)::int from usage_record where subject_id = ${id}) as used`
  expect(row).toEqual({ xmls: 1, used: 1 })
}

describe('a crash', () => {
  it('after the folio was drawn: it is signed with that folio, and no other is spent', async () => {
    faults.signerFor = [crash]
    const { body } = await issue(issuer, FACTURA)
    const next = await issue(issuer, FACTURA)
    expect(next.body.folio).toBe(body.folio + 1)
    await expectOnce(body.id)
  })

  it('after it was signed: the XML that was kept is the one that is sent', async () => {
    faults.submit = [crash]
    const { body } = await issue(issuer, FACTURA)
    const xml = await storedXml(world, body.id)
    const element = xml?.toString('latin1').split('?>\n')[1] ?? 'none'
    expect(sent).toHaveLength(1)
    expect(Buffer.from(sent[0]?.envelope ?? []).toString('latin1')).toContain(element)
    await expectOnce(body.id)
  })

  it('after the SII took it: it is asked first, and the document is not sent twice', async () => {
    faults.submit = [
      async (sandbox, submission: Submission) => {
        sent.push(submission)
        const { envelope_key } = await sandbox.submit(submission)
        for (const { id } of submission.documents) held.set(id, envelope_key)
        return crash()
      },
    ]
    const { body } = await issue(issuer, FACTURA)
    expect(sent).toHaveLength(1)
    expect(body.sii.track_id).toBe(held.get(body.id))
    await expectOnce(body.id)
  })

  it('after it was handed over without a trace: no folio was spent, no XML was kept, and it is handed over anew', async () => {
    leaves_trace = false
    const before = await issue(issuer, FACTURA)
    sent.length = 0
    const left: object[] = []
    faults.submit = [
      async (sandbox, submission: Submission) => {
        await sandbox.submit(submission)
        return crash()
      },
      async () => {
        left.push(...(await unsent()))
        return undefined as never
      },
    ]
    const { body } = await issue(issuer, FACTURA)
    expect(left).toEqual([{ id: body.id, folio: null, xmls: 0 }])
    expect(sent).toHaveLength(1)
    expect(body.folio).toBe(before.body.folio + 1)
    await expectOnce(body.id)
  })

  it.each([
    ['it was sent', true],
    ['it was numbered, signed and sent', false],
  ])('while it was written down that %s: all of it is rolled back, and written once', async (_, trace) => {
    leaves_trace = trace
    faults.submit = [
      async (sandbox, submission: Submission) =>
        ({ ...(await sandbox.submit(submission)), ask_at: 'no instant' }) as never,
    ]
    const { body } = await issue(issuer, FACTURA)
    await expectOnce(body.id)
  })

  it('while it was followed: it is settled once', async () => {
    faults.statusOf = [crash]
    const { body } = await settledAfter(await issuer.create(FACTURA))
    await expectOnce(body.id)
  })
})

/** A follow-up that failed waits five seconds for its next try. */
async function settledAfter({ body }: { body: { id: string } }) {
  await until('the follow-up to have failed', async () => {
    const rows = await world.db.sql`
      update job set run_at = now() where name = 'document.follow' and status = 'queued' and attempts > 0 returning id`
    return rows.length > 0
  })
  return settled(issuer, body.id, ['accepted'])
}

describe('an outage', () => {
  const away = async () => {
    throw new SiiUnreachable('away')
  }

  it('that loses an envelope for good leaves the document sent with the cause, and it ends where the SII says', async () => {
    const told = { estado: 'VOF', glosa: 'El Archivo XML no Fue Encontrado' }
    faults.statusOf = [
      async () => ({ verdicts: new Map(), track_id: '8', told, given_up: true, ask_at: null }) as never,
    ]
    const { body } = await issuer.create(FACTURA)
    const read = async () => (await issuer.get(`/v1/documents/${body.id}`)).body
    await until('it to be given up', async () => (await read()).failure !== null)
    expect(await read()).toMatchObject({
      status: 'sent',
      failure: { code: 'sii_lost_envelope' },
      sii: { track_id: '8', ...told },
    })
    await world.db
      .sql`update job set run_at = now(), parked = false where name = 'document.follow' and status = 'queued'`
    const { body: ended } = await settled(issuer, body.id, ['accepted'])
    expect([ended.failure, ended.sii.estado]).toEqual([null, 'DOK'])
  })

  it('of our own question, to which the SII answers that the data differ, is no verdict: somebody is told to look', async () => {
    const doubted = { estado: 'DNK', glosa: 'Documento Recibido pero Datos NO Coinciden' }
    faults.statusOf = [
      async (_: Sii, { documents: [one] }: Parameters<Sii['statusOf']>[0]) =>
        ({ verdicts: new Map(), doubted: new Map([[one?.id, doubted]]), ask_at: null }) as never,
    ] as never
    const { body } = await issuer.create(FACTURA)
    const read = async () => (await issuer.get(`/v1/documents/${body.id}`)).body
    await until('it to be doubted', async () => (await read()).failure !== null)
    expect(await read()).toMatchObject({ status: 'sent', failure: { code: 'sii_data_differ' } })
    await world.db
      .sql`update job set run_at = now(), parked = false where name = 'document.follow' and status = 'queued'`
    const { body: ended } = await settled(issuer, body.id, ['accepted'])
    expect(ended.failure).toBeNull()
  })

  it('leaves documents queued, keeps their folios, and ends by itself', async () => {
    faults.submit = [away, away]
    const { body } = await issue(issuer, FACTURA)
    await expectOnce(body.id)
  })

  it('leaves a sent document sent: it is asked about later, and is no failure of ours', async () => {
    faults.statusOf = [away]
    const { body } = await issuer.create(FACTURA)
    await until('the follow-up to be put off', async () => {
      const [row] = await world.db.sql<{ attempts: number; looks: number }>`
        update job set run_at = now(), parked = false
        where name = 'document.follow' and status = 'queued' and looks > 0 returning attempts, looks`
      return row && row.attempts === 0
    })
    await settled(issuer, body.id, ['accepted'])
    await expectOnce(body.id)
  })

  it('of more than a day fails the document as sii_unreachable, and a retry sends it with the folio it had', async () => {
    faults.submit = [away, away]
    const made = await issuer.create(BOLETA)
    await until('the last try to be near', async () => {
      const rows = await world.db.sql`
        update job set looks = 101 where name = 'document.emit' and looks > 0
          and payload ->> 'document_id' = ${made.body.id} returning id`
      return rows.length > 0
    })
    const failed = await settled(issuer, made.body.id, ['failed'])
    expect(failed.body.failure.code).toBe('sii_unreachable')
    faults.submit = []
    await issuer.post(`/v1/documents/${made.body.id}/retry`)
    const { body } = await settled(issuer, made.body.id, ['accepted'])
    expect(body.folio).toBe(failed.body.folio)
  })
})
