import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { MASTER_KEY } from '../../../../test/support/master-key.ts'
import { compileProgram } from '../../../../test/support/program.ts'
import { eventually, type Hook, openHook } from '../../../../test/support/webhook-endpoint.ts'
import { openWorld, type World } from '../../../../test/support/world.ts'

/** Takes requests and runs no job: what runs them is opened when a test wants it. */
let front: World
const hooks: Hook[] = []
beforeAll(async () => {
  front = await openWorld({ runs_jobs: false })
})
afterAll(async () => {
  for (const hook of hooks) await hook.close()
  await front.close()
})

async function hooked(answers: number): Promise<Hook> {
  const hook = await openHook(front, { answers })
  hooks.push(hook)
  return hook
}

async function openWorker(): Promise<World> {
  const worker = await openWorld({ beside: front })
  onTestFinished(() => worker.close())
  return worker
}

interface Job {
  readonly status: string
  readonly due_at: Date
}

const jobOf = async (hook: Hook) =>
  (
    await front.db
      .sql<Job>`select status, due_at from job where account_id = ${hook.account} and name = 'webhook.deliver'`
  )[0]

describe('a worker that dies', () => {
  it('after the request and before it is written down makes it happen again, and lose nothing', async () => {
    const hook = await hooked(200)
    const program = await compileProgram(new URL('../../../../test/support/webhook-process.ts', import.meta.url))
    const args = [program, front.url, MASTER_KEY.toString('hex')]
    const courier = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
    onTestFinished(() => void courier.kill('SIGKILL'))
    await hook.happen()
    const [line] = (await once(courier.stdout, 'data')) as [Buffer]
    expect(line.toString().trim()).toBe('200')
    courier.kill('SIGKILL')
    await once(courier, 'exit')
    expect(await hook.deliveries()).toMatchObject([{ status: 'pending', attempts: 0 }])
    expect((await jobOf(hook))?.status).toBe('running')

    await front.db.sql`update job set lease_until = now() - interval '1 second' where account_id = ${hook.account}`
    await openWorker()
    const received = await hook.receiver.atLeast(2)
    expect(await hook.settled()).toMatchObject([{ status: 'succeeded', attempts: 1 }])
    expect(new Set(received.map(({ headers }) => headers['svc-delivery-id'])).size).toBe(1)
  })

  it('after a failure was written down and before the job was put off does not make it come early', async () => {
    const hook = await hooked(500)
    // The clock stands still: nothing is tried again by itself, however slow this machine is.
    await front.db.sql`insert into test_clock (account_id, frozen_at) values (${hook.account}, now())`
    await hook.happen()
    const worker = await openWorker()
    await eventually(async () => (await hook.deliveries())[0]?.attempts).toBe(1)
    await eventually(async () => (await jobOf(hook))?.status).toBe('queued')
    await front.db.sql`
      update job set status = 'running', worker = 'w_dead', due_at = now() - interval '1 minute',
        lease_until = now() - interval '1 second' where account_id = ${hook.account}`
    worker.app.worker.wake()
    const [delivery] = await hook.deliveries()
    await eventually(async () => (await jobOf(hook))?.due_at.toISOString()).toBe(delivery?.next_attempt_at)
    expect((await jobOf(hook))?.status).toBe('queued')
    expect(hook.receiver.received).toHaveLength(1)
  })

  it('after a success was written down and before the job ended does not make it happen again', async () => {
    const hook = await hooked(200)
    await hook.happen()
    const [job] = await front.db.sql<Record<string, unknown>>`select * from job where account_id = ${hook.account}`
    const worker = await openWorker()
    await hook.settled()
    await eventually(() => jobOf(hook)).toBeUndefined()
    await front.db.sql`
      insert into job (id, name, account_id, mode, pool, lane, payload, due_at, run_at, max_attempts, created_at)
      values (${job?.id}, ${job?.name}, ${job?.account_id}, ${job?.mode}, ${job?.pool}, ${job?.lane},
        ${JSON.stringify(job?.payload)}::json, now(), now(), 10, now())`
    worker.app.worker.wake()
    await eventually(() => jobOf(hook)).toBeUndefined()
    await sleep(50)
    expect(hook.receiver.received).toHaveLength(1)
    expect(await hook.settled()).toMatchObject([{ status: 'succeeded', attempts: 1 }])
  })
})
