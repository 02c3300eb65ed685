import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { issue, told, types } from '../../../../test/support/document-emission.ts'
import { FACTURA, type Issuer, openIssuer } from '../../../../test/support/issuer.ts'
import { until } from '../../../../test/support/until.ts'
import { openWorld, type World } from '../../../../test/support/world.ts'
import { SiiUnreachable } from '../../../ports/sii.ts'
import type { CesionOrder, SiiRegister } from '../../../ports/sii-cesion.ts'
import { CEDE_ATTEMPTS } from './jobs.ts'

/** What the register does instead of its duty, one part at a time. */
let faults: Partial<SiiRegister>
/** What reached it. */
let handed: CesionOrder[]
/** How many jobs that cede have ended. */
let runs = 0
let world: World
let issuer: Issuer
beforeAll(async () => {
  world = await openWorld({
    quick: true,
    onRun: ({ job }) => {
      if (job === 'document.cede') runs++
    },
    test_sii: (sandbox) => {
      const register = (part: keyof SiiRegister) => (question: never) =>
        ((faults[part] ?? sandbox[part]) as (question: never) => Promise<never>)(question)
      const cede: SiiRegister['cede'] = async (order) => {
        const answer = await (faults.cede ?? sandbox.cede)(order)
        handed.push(order)
        return answer
      }
      const cedibilityOf = register('cedibilityOf')
      return {
        ...sandbox,
        cede,
        cedibilityOf,
        cesionStateOf: register('cesionStateOf'),
        findCesion: register('findCesion'),
      }
    },
  })
  issuer = await openIssuer(world, { empresa: { contact_email: 'cobranza@example.cl' } })
})
afterAll(() => world.close())
beforeEach(() => {
  faults = {}
  handed = []
})

const away = async () => {
  throw new SiiUnreachable('away')
}
const CESIONARIO = {
  rut: '78901234-2',
  legal_name: 'Factoring del Sur S.A.',
  address: { street: 'Huérfanos 1055' },
  email: 'operaciones@factoring.cl',
}

interface JobRow {
  readonly status: string
  readonly attempts: number
  readonly error: { code: string } | null
  readonly wait: number
}

async function ceded(by = issuer) {
  const { body } = await issue(by, FACTURA)
  const sent = await by.post(`/v1/documents/${body.id}/cede`, { cesionario: CESIONARIO })
  expect(sent.status).toBe(202)
  const job_id = sent.body.id
  const job = async (): Promise<JobRow> => {
    const [row] = await world.db.sql<JobRow>`
      select status, attempts, error, extract(epoch from run_at - now())::integer as wait from job where id = ${job_id}`
    return row as JobRow
  }
  return {
    id: body.id,
    job,
    tried: (times: number) =>
      until(`${times} tries`, async () => {
        const row = await job()
        return row.status !== 'running' && row.attempts >= times && row
      }),
    /** Runs it again now, as time would; `attempts` says how often it was tried before. */
    async again(attempts?: number) {
      await world.db.sql`
        update job set run_at = now() - interval '1 second', due_at = now(), parked = false,
          attempts = coalesce(${attempts ?? null}::integer, attempts)
        where id = ${job_id}`
      world.app.worker.wake()
    },
    becomes: (status: string) =>
      until(`the cesión to be ${status}`, async () => {
        const sent = await by.get(`/v1/documents/${body.id}`)
        return sent.body.cesion.status === status && sent.body.cesion
      }),
    events: async () => types(await told(world, body.id)).filter((type) => type.startsWith('document.cesion')),
  }
}

describe('a register that is away', () => {
  it('is tried again with the very same AEC, and told of once', async () => {
    const seen: Buffer[] = []
    faults.cede = async ({ aec }) => {
      seen.push(Buffer.from(aec))
      throw new SiiUnreachable('away')
    }
    const cesion = await ceded()
    expect((await cesion.tried(1)).error).toEqual({ code: 'sii_unreachable', message: expect.any(String) })
    // An AEC says to the second when it was signed: one that is signed anew would differ.
    await new Promise((resolve) => setTimeout(resolve, 1_100))
    await cesion.again()
    await cesion.tried(2)
    faults = {}
    await cesion.again()
    await cesion.becomes('confirmed')
    const sent = [...seen, ...handed.map(({ aec }) => Buffer.from(aec))]
    expect(sent).toHaveLength(3)
    expect(sent.every((aec) => aec.equals(sent[0] ?? Buffer.alloc(0)))).toBe(true)
    expect(await cesion.events()).toEqual(['document.cesion_submitted', 'document.cesion_confirmed'])
  })

  it('is handed a cesión once, although we died before writing down that it has it', async () => {
    const at_register = new Map<string, string>()
    faults.cede = async ({ document }) => {
      at_register.set(document.id, '1234567890')
      throw new Error('the process dies')
    }
    faults.findCesion = async ({ document }) => {
      const track_id = at_register.get(document.id)
      return track_id === undefined ? null : { track_id }
    }
    faults.cesionStateOf = async () => ({ estado: 'EOK', glosa: 'Envio Aceptado', ask_at: null })
    const cesion = await ceded()
    await cesion.tried(1)
    await cesion.again()
    expect(await cesion.becomes('confirmed')).toMatchObject({ track_id: '1234567890' })
    expect(at_register.size).toBe(1)
    expect(await cesion.events()).toEqual(['document.cesion_submitted', 'document.cesion_confirmed'])
  })

  it('that refuses the file fails the cesión at once, with its words', async () => {
    faults.cede = async () => ({ refused: { code: 'sender_not_authorized', message: 'Sin permiso' } })
    const cesion = await ceded()
    expect(await cesion.becomes('failed')).toMatchObject({
      failure: { code: 'sender_not_authorized', message: 'Sin permiso' },
    })
    expect(await cesion.tried(1)).toMatchObject({ status: 'failed', error: { code: 'sender_not_authorized' } })
    expect(await cesion.events()).toEqual(['document.cesion_failed'])
  })

  it('that refuses the second copy of a file is asked for the first one, ever later, before the cesión fails', async () => {
    faults.cede = away
    const cesion = await ceded()
    await cesion.tried(1)
    faults.cede = async () => ({ refused: { code: 'sender_not_authorized', message: 'Ya está aquí' } })
    await cesion.again()
    await until('it to wait', async () => (await cesion.job()).wait > 3_000)
    await cesion.again()
    await until('it to wait', async () => (await cesion.job()).wait > 3_000)
    expect(handed).toHaveLength(1)
    expect(await cesion.events()).toEqual([])
    faults.findCesion = async () => ({ track_id: null })
    faults.cesionStateOf = async () => ({ estado: 'EOK', glosa: 'Envio Aceptado', ask_at: null })
    await cesion.again()
    await cesion.becomes('confirmed')
  })

  it('that has two copies and refuses the one it is asked about is asked again, and fails the cesión a day later', async () => {
    faults.cede = away
    const cesion = await ceded()
    await cesion.tried(1)
    faults = { cesionStateOf: async () => ({ estado: 'RSC', glosa: 'Rechazado', ask_at: null }) }
    await cesion.again()
    await until('it to wait', async () => (await cesion.job()).wait > 3_000)
    expect(await cesion.events()).toEqual(['document.cesion_submitted'])
    await world.db
      .sql`update cesion set refused_since = refused_since - interval '1 day' where document_id = ${cesion.id}`
    await cesion.again()
    expect(await cesion.becomes('failed')).toMatchObject({ estado: 'RSC' })
  })

  it('that took a cesión and no longer knows it is asked for another day; then it fails, and may be asked for again', async () => {
    const lost = { estado: '2', glosa: 'Documento No Cedido', ask_at: null, is_unknown: true } as const
    faults.cesionStateOf = async () => lost
    const cesion = await ceded()
    await cesion.becomes('submitted')
    await until('it to wait', async () => (await cesion.job()).wait > 3_000)
    expect(await cesion.events()).toEqual(['document.cesion_submitted'])
    await world.db
      .sql`update cesion set refused_since = refused_since - interval '1 day' where document_id = ${cesion.id}`
    await cesion.again()
    const message = expect.stringContaining('Documento No Cedido')
    expect(await cesion.becomes('failed')).toMatchObject({
      estado: '2',
      failure: { code: 'cesion_not_found', message },
    })
    faults = {}
    const sent = await issuer.post(`/v1/documents/${cesion.id}/cede`, { cesionario: CESIONARIO })
    expect(sent.status).toBe(202)
    await cesion.becomes('confirmed')
  })

  it('fails the cesión after the last try while nothing left us, and it may be asked for again', async () => {
    faults.cedibilityOf = away
    const cesion = await ceded()
    await cesion.tried(1)
    await cesion.again(CEDE_ATTEMPTS - 1)
    expect(await cesion.becomes('failed')).toMatchObject({ failure: { code: 'sii_unreachable' }, submitted_at: null })
    const row = await until('the job to fail', async () => {
      const now = await cesion.job()
      return now.status === 'failed' && now
    })
    expect(row.error).toMatchObject({ code: 'sii_unreachable' })
    expect(await cesion.events()).toEqual(['document.cesion_failed'])
    faults = {}
    const sent = await issuer.post(`/v1/documents/${cesion.id}/cede`, { cesionario: CESIONARIO })
    expect(sent.status).toBe(202)
    await cesion.becomes('confirmed')
  })

  it('is asked for as long as it takes about a cesión that may have reached it', async () => {
    faults.cede = away
    const cesion = await ceded()
    await cesion.tried(1)
    await cesion.again(CEDE_ATTEMPTS - 1)
    const waiting = await until('it to wait', async () => {
      const now = await cesion.job()
      return now.status === 'queued' && now.wait > 3_000 && now
    })
    expect(waiting.attempts).toBe(CEDE_ATTEMPTS - 1)
    expect(await cesion.events()).toEqual([])
    faults = {}
    await cesion.again()
    await cesion.becomes('confirmed')
  })

  it('is asked for as long as it takes about a cesión that it has', async () => {
    faults.cesionStateOf = away
    const cesion = await ceded()
    await cesion.becomes('submitted')
    await until('it to wait', async () => (await cesion.job()).wait > 3_000)
    faults.cesionStateOf = async () => {
      throw new Error('an answer nobody understands')
    }
    await cesion.again(CEDE_ATTEMPTS - 1)
    await until('it to wait', async () => (await cesion.job()).wait > 3_000)
    faults.cesionStateOf = async () => ({ estado: 'VDC', glosa: 'Validando Documento', ask_at: null })
    await cesion.again()
    await until('it to wait less', async () => {
      const { wait } = await cesion.job()
      return wait > 5 && wait <= 10
    })
    faults = {}
    await cesion.again()
    await cesion.becomes('confirmed')
  })
})

describe('what happens between the asking and the sending', () => {
  /** A cesión that waits: the SII is away until it is let go. */
  async function waiting(by = issuer) {
    faults.cedibilityOf = away
    const cesion = await ceded(by)
    await cesion.tried(1)
    faults = {}
    return cesion
  }

  it('fails it when the receptor claimed the document', async () => {
    const cesion = await waiting()
    faults.cedibilityOf = async () => ({ code: '24', glosa: 'Reclamado' })
    await cesion.again()
    expect(await cesion.becomes('failed')).toMatchObject({ failure: { code: 'document_not_cedible' } })
    expect(handed).toEqual([])
  })

  it('fails it when a nota de crédito annulled the document by the other door', async () => {
    const cesion = await waiting()
    const references = [{ document_id: cesion.id, code: 1 }]
    expect((await issuer.create({ ...FACTURA, tipo_dte: 61, references })).status).toBe(201)
    await cesion.again()
    expect(await cesion.becomes('failed')).toMatchObject({ failure: { code: 'document_not_cedible' } })
  })

  it('fails it when the empresa was archived', async () => {
    const by = await openIssuer(world, { empresa: { contact_email: 'a@example.cl' } })
    const cesion = await waiting(by)
    await world.patch(`/v1/empresas/${by.empresa_id}`, { key: by.key, body: { status: 'archived' } })
    await cesion.again()
    expect(await cesion.becomes('failed')).toMatchObject({ failure: { code: 'empresa_inactive' } })
  })

  it('does nothing when the empresa was deleted', async () => {
    const by = await openIssuer(world, { empresa: { contact_email: 'a@example.cl' } })
    let release: () => void = () => undefined
    const asked = new Promise<void>((tell) => {
      let first = true
      faults.cedibilityOf = async () => {
        // The first to ask is the request itself; the second one is the job, which is held.
        if (first) first = false
        else {
          tell()
          await new Promise<void>((go) => {
            release = go
          })
        }
        return { code: '23', glosa: 'Cedible' }
      }
    })
    const cesion = await ceded(by)
    await asked
    const deleted = await world.delete(`/v1/empresas/${by.empresa_id}`, { key: by.key })
    expect([deleted.status, await cesion.job()]).toEqual([204, undefined])
    const before = runs
    release()
    await until('the job that was held to end', async () => runs > before)
    expect(handed).toEqual([])
  })
})
