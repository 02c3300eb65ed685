import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { issue, journal, settled, told, types } from '../../../../test/support/document-emission.ts'
import { gate } from '../../../../test/support/gate.ts'
import { BOLETA, type Issuer, openIssuer } from '../../../../test/support/issuer.ts'
import { storedXml } from '../../../../test/support/stored-xml.ts'
import { until } from '../../../../test/support/until.ts'
import { openWorld, type World } from '../../../../test/support/world.ts'
import type { Sii, Submission } from '../../../ports/sii.ts'

let world: World
let issuer: Issuer
const workers: World[] = []
beforeAll(async () => {
  world = await openWorld({ runs_jobs: false })
  issuer = await openIssuer(world)
})
afterAll(() => Promise.all([...workers, world].map((one) => one.close())))

async function openWorker(test_sii: (sandbox: Sii) => Sii): Promise<void> {
  workers.push(await openWorld({ beside: world, test_sii }))
}
/** From here on whoever holds a job is thought dead, although it goes on with what it has in hand. */
async function doubtWorkers(): Promise<void> {
  for (const worker of workers) void worker.app.worker.stop()
  await world.db.sql`update job set lease_until = now() - interval '1 second' where status = 'running'`
}

const STORY = ['document.folio_allocated', 'document.signed', 'document.submitted', 'document.accepted']

describe('a worker that was thought dead and was not', () => {
  it('draws no second folio, signs no second XML and sends no second event for what another took over', async () => {
    const [slow, slower] = [gate(), gate()]
    await openWorker((sandbox) => ({
      ...sandbox,
      requestCaf: async (request) => {
        await slow.stand()
        return sandbox.requestCaf(request)
      },
    }))
    const { body } = await issuer.create(BOLETA)
    await until('the first worker to hold it without a folio', slow.reached)
    await doubtWorkers()
    await openWorker((sandbox) => ({
      ...sandbox,
      submit: async (submission) => {
        await slower.stand()
        return sandbox.submit(submission)
      },
    }))
    await until('the second worker to have signed it', slower.reached)
    slow.open()
    await settled(issuer, body.id, ['accepted'])
    slower.open()
    const next = await issue(issuer, BOLETA)
    expect(next.body.folio).toBe(2)
    expect(types(await journal(issuer, body.id))).toEqual(STORY)
    expect(types(await told(world, body.id))).toEqual(['document.created', 'document.sent', 'document.accepted'])
  })

  it('leaves the XML of whoever signed first, and that one is sent', async () => {
    // As an SII that is asked over a network: what is signed is kept before it is sent.
    const submitsWithoutTrace = () => false
    const [late, sent] = [gate(), [] as string[]]
    await doubtWorkers()
    const envelope = ({ envelope: file }: Submission) => sent.push(Buffer.from(file).toString('latin1'))
    await openWorker((sandbox) => ({
      ...sandbox,
      signerFor: async (empresa) => {
        await late.stand()
        return sandbox.signerFor(empresa)
      },
      submit: (submission) => {
        envelope(submission)
        return sandbox.submit(submission)
      },
      submitsWithoutTrace,
    }))
    const { body } = await issuer.create(BOLETA)
    await until('the first worker to be about to sign', late.reached)
    await doubtWorkers()
    const hold = gate()
    await openWorker((sandbox) => ({
      ...sandbox,
      submit: async (submission) => {
        envelope(submission)
        await hold.stand()
        return sandbox.submit(submission)
      },
      submitsWithoutTrace,
    }))
    await until('the second worker to have signed it', hold.reached)
    const kept = () => storedXml(world, body.id)
    const first = await kept()
    late.open()
    await settled(issuer, body.id, ['accepted'])
    hold.open()
    expect(await kept()).toEqual(first)
    expect(sent).toHaveLength(2)
    for (const file of sent) expect(file).toContain(first?.toString('latin1').split('?>\n')[1])
    expect(types(await journal(issuer, body.id))).toEqual(STORY)
  })

  it('forgets what it handed over without a trace, where another sent the document meanwhile', async () => {
    const [late, sent] = [gate(), [] as string[]]
    await doubtWorkers()
    await openWorker((sandbox) => ({
      ...sandbox,
      submit: async (submission) => {
        const received = await sandbox.submit(submission)
        await late.stand()
        return received
      },
    }))
    const { body } = await issuer.create(BOLETA)
    await until('the first worker to have handed it over', late.reached)
    expect(await storedXml(world, body.id)).toBeUndefined()
    const first = workers.at(-1)
    await doubtWorkers()
    await openWorker((sandbox) => ({
      ...sandbox,
      submit: (submission) => {
        sent.push(...submission.documents.map(({ id }) => id))
        return sandbox.submit(submission)
      },
    }))
    const { body: ended } = await settled(issuer, body.id, ['accepted'])
    const kept = await storedXml(world, body.id)
    late.open()
    await first?.app.worker.stop()
    const next = await issue(issuer, BOLETA)
    expect(next.body.folio).toBe(ended.folio + 1)
    expect(sent).toEqual([body.id, next.body.id])
    expect(await storedXml(world, body.id)).toEqual(kept)
    expect((await issuer.get(`/v1/documents/${body.id}`)).body).toEqual(ended)
    expect(types(await journal(issuer, body.id))).toEqual(STORY)
    expect(types(await told(world, body.id))).toEqual(['document.created', 'document.sent', 'document.accepted'])
    const used = await world.db.sql`select from usage_record where subject_id = ${body.id}`
    expect(used).toHaveLength(1)
  })
})
