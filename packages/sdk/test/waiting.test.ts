import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { Timbre, TimeoutError } from '../src/index.ts'
import { broken, type Fake, fake, refusal } from './fake-fetch.ts'

const client = ({ fetch }: Fake) => new Timbre({ key: 'sk_test_x', empresa: '76192083-9', fetch, maxRetries: 0 })
const boleta = { tipo_dte: 39, items: [] } as never
const document = (status: string, poll?: number) => ({
  status: 200,
  body: { object: 'document', id: 'doc_1', status },
  headers: poll === undefined ? {} : { 'svc-poll-after': String(poll) },
})
const job = (status: string, poll?: number) => ({
  ...document(status, poll),
  body: { object: 'job', id: 'job_1', status },
})

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())
async function over<T>(call: Promise<T>): Promise<T> {
  const settled = call.then(
    (value) => ({ value }),
    (error: unknown) => ({ error }),
  )
  await vi.runAllTimersAsync()
  const end = await settled
  if ('error' in end) throw end.error
  return end.value
}

describe('waiting for a document', () => {
  it('issues it once and looks as often as it is told, until the SII has spoken', async () => {
    const service = fake(document('queued', 1), document('queued', 30), document('sent', 5), document('accepted'))
    const started = Date.now()
    const made = await over(client(service).documents.createAndWait(boleta, { idempotencyKey: 'venta-1' }))
    expect(made.status).toBe('accepted')
    expect(service.asked.map(({ method }) => method)).toEqual(['POST', 'GET', 'GET', 'GET'])
    expect(service.asked[0]?.headers['Idempotency-Key']).toBe('venta-1')
    expect(service.asked.every(({ headers }) => headers['Svc-Empresa'] === '76192083-9')).toBe(true)
    expect(Date.now() - started).toBe(36_000)
  })

  it.each(['accepted', 'reparo', 'rejected', 'annulled', 'failed'])(
    'ends with %s, also while it says when to look again',
    async (status) => {
      const service = fake(document(status, 60))
      expect((await over(client(service).documents.wait('doc_1'))).status).toBe(status)
      expect(service.asked).toHaveLength(1)
    },
  )

  it('goes on where a proxy strips the header, every ten seconds', async () => {
    const service = fake(document('queued'), document('queued'), document('accepted'))
    const started = Date.now()
    await over(client(service).documents.wait('doc_1'))
    expect(Date.now() - started).toBe(20_000)
  })

  it('waits an outage out once it was seen', async () => {
    const service = fake(
      document('queued', 1),
      broken('ECONNREFUSED'),
      refusal(503, 'service_unavailable', { retry_after_seconds: 2 }),
      document('accepted'),
    )
    expect((await over(client(service).documents.createAndWait(boleta))).status).toBe('accepted')
  })

  it('ends in time, and says how it was seen last', async () => {
    const service = fake(document('queued', 10))
    const error = await over(client(service).documents.createAndWait(boleta, { waitAtMost: 35_000 })).catch(
      (end) => end,
    )
    expect(error).toBeInstanceOf(TimeoutError)
    expect(error).toMatchObject({ code: 'wait_ended', details: { last: { id: 'doc_1', status: 'queued' } } })
    expect(error.message).toContain('doc_1')
    expect(service.asked).toHaveLength(4)
  })

  it('ends at once for a refusal, and when the caller aborts', async () => {
    const gone = fake(document('queued', 1), refusal(404, 'document_not_found'))
    await expect(over(client(gone).documents.createAndWait(boleta))).rejects.toMatchObject({
      code: 'document_not_found',
    })
    const stop = new AbortController()
    setTimeout(() => stop.abort(), 3_000)
    const service = fake(document('queued', 2))
    const call = over(client(service).documents.wait('doc_1', { signal: stop.signal }))
    await expect(call).rejects.toMatchObject({ code: 'aborted' })
    expect(service.asked).toHaveLength(2)
  })
})

describe('waiting for a job', () => {
  it.each(['succeeded', 'failed'])('gives it when it has %s, and sends no empresa', async (status) => {
    const service = fake(job('queued', 1), job('running', 1), job(status))
    expect((await over(client(service).jobs.wait('job_1'))).status).toBe(status)
    expect(service.asked).toHaveLength(3)
    expect(service.asked.some(({ headers }) => 'Svc-Empresa' in headers)).toBe(false)
  })

  it('fails at once where the very first look finds nobody', async () => {
    const service = fake(broken('ECONNREFUSED'))
    await expect(over(client(service).jobs.wait('job_1'))).rejects.toMatchObject({ code: 'connection_failed' })
  })
})
