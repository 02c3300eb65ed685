import { randomUUID } from 'node:crypto'
import { readCaBundle } from '@timbre/dte/emission'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { letterTo, restOfPost } from '../../../../test/support/mailbox.ts'
import { accreditedPfx, HOLDER_RUT, personPfx } from '../../../../test/support/person-pfx.ts'
import { unconnectedSii } from '../../../../test/support/unconnected-sii.ts'
import { openWorld, randomRut, type World } from '../../../../test/support/world.ts'
import { SCOPE_NAMES } from '../../../catalog/scopes.ts'
import { REAL_TIME } from '../../../kernel/clock.ts'
import { SiiUnreachable } from '../../../ports/sii.ts'
import { REACTIONS } from '../../../reactions.ts'
import { signMandato } from '../mandato/sign.ts'
import { currentTerms } from '../mandato/terms.ts'
import { outweighs, proofBy, recordRutProof } from './proof.ts'

let world: World
/** What the SII says of whoever holds a certificate. */
let recognises: () => Promise<boolean | null>
const away = async (): Promise<never> => {
  throw new SiiUnreachable('down')
}
beforeAll(async () => {
  const read = readCaBundle(accreditedPfx().ca)
  const taxpayer = { authorisationOf: away, worksOnPortal: away, recognises: () => recognises() }
  world = await openWorld({ live_sii: { ...unconnectedSii(read.ok ? read.value : undefined), taxpayer } })
})
beforeEach(() => {
  recognises = async () => null
})
afterAll(() => world.close())

async function hold() {
  const account_id = await world.account()
  const email = `${randomUUID()}@example.cl`
  await world.db.sql`update account set email = ${email} where id = ${account_id}`
  const key = await world.key(account_id, { mode: 'live', scopes: SCOPE_NAMES })
  const rut = randomRut()
  const { id } = (await world.post('/v1/empresas', { key, body: { rut, legal_name: 'Uno SpA', origen: 'ninguno' } }))
    .body
  return {
    account_id,
    email,
    key,
    rut,
    id,
    scope: { account_id, mode: 'live' as const, empresa_id: id as string, rut },
  }
}
type Held = Awaited<ReturnType<typeof hold>>

/** As if so many days had passed since it was created or told, and its job came round. */
async function passes({ id }: Held, days: number): Promise<{ status: string; due_in_days: number }[]> {
  await world.db.sql`
    update empresa set created_at = created_at - ${days} * interval '1 day', rut_warned_at = rut_warned_at - ${days} * interval '1 day'
    where id = ${id}`
  await world.db.sql`
    update job set run_at = now(), due_at = now(), parked = false where empresa_id = ${id} and name = 'empresa.watch_proof'`
  world.app.worker.wake()
  const rows = () => world.db.sql<{ status: string; due: boolean; due_in_days: number }>`
    select status, status = 'running' or run_at <= now() as due,
      round(extract(epoch from due_at - now()) / 86400)::int as due_in_days
    from job where empresa_id = ${id} and name = 'empresa.watch_proof'`
  await expect.poll(async () => (await rows()).every(({ due }) => !due)).toBe(true)
  return (await rows()).map(({ status, due_in_days }) => ({ status, due_in_days }))
}

/** As the page does, or the operation. */
function signAs({ scope }: Held, via: 'hosted_page' | 'api') {
  const { account_id, mode, empresa_id, rut } = scope
  const signer = { rut: HOLDER_RUT, name: 'Ana Soto', role: 'representante_legal' as const }
  return world.app.transactor.transact({ account_id, mode, empresa_id, clock: REAL_TIME }, (sql, unit) =>
    signMandato(
      {
        sql,
        now: () => new Date(),
        ports: { sii: { live: {} } } as never,
        addresses: {} as never,
        reactions: REACTIONS,
        emit: (event) => unit.emit({ empresa: { id: empresa_id, rut }, ...event }),
        enqueue: unit.enqueue.bind(unit, sql),
        invalidate: unit.invalidate.bind(unit),
      },
      scope,
      { via, ip: null, user_agent: null, terms_version: currentTerms().version, signer },
    ),
  )
}

const statusOf = async ({ id, key }: Held) => (await world.get(`/v1/empresas/${id}`, { key })).body.status
const lettersTo = async ({ email }: Held) => {
  await restOfPost(world)
  return world.letters.filter(({ to }) => to === email).map(({ subject }) => subject)
}

describe('a live empresa whose RUT nothing proves', () => {
  it('is told of 11 days after it was created, archived after 14, and its RUT is free at once', async () => {
    const held = await hold()
    expect(await passes(held, 10)).toEqual([{ status: 'queued', due_in_days: 1 }])
    expect(await lettersTo(held)).toEqual([])
    expect(await passes(held, 1)).toEqual([{ status: 'queued', due_in_days: 3 }])
    const warned = await letterTo(world, held.email, /Falta probar el RUT/)
    expect(warned.text).toContain('certificado digital del propio RUT')
    expect(await passes(held, 2)).toEqual([{ status: 'queued', due_in_days: 1 }])
    expect([await statusOf(held), await lettersTo(held)]).toEqual(['active', [warned.subject]])
    expect(await passes(held, 1)).toEqual([])
    expect(await statusOf(held)).toBe('archived')
    await letterTo(world, held.email, /Archivamos la empresa/)
    const { data } = (await world.get('/v1/events?type=empresa.archived', { key: held.key })).body
    expect(data).toMatchObject([{ data: { object: { id: held.id }, detail: { reason: 'rut_not_proven' } } }])
    const other = await world.key(await world.account(), { mode: 'live' })
    const body = { rut: held.rut, legal_name: 'Dueña SpA', origen: 'ninguno' }
    expect((await world.post('/v1/empresas', { key: other, body })).status).toBe(201)
  })

  it('has three days from its letter, however late that came, and is archived though it is suspended', async () => {
    const held = await hold()
    await world.db.sql`update empresa set status = 'suspended' where id = ${held.id}`
    expect(await passes(held, 90)).toEqual([{ status: 'queued', due_in_days: 3 }])
    expect(await statusOf(held)).toBe('suspended')
    await passes(held, 3)
    expect(await statusOf(held)).toBe('archived')
  })

  for (const [name, prove] of [
    ['emits', ({ id }) => world.db.sql`update empresa set emitting_since = now() where id = ${id}`],
    [
      'has a verified resolución',
      ({ id }) => world.db.sql`update empresa set resolucion_status = 'verified' where id = ${id}`,
    ],
    ['was confirmed by the SII', ({ scope }) => recordRutProof(world.db.sql, scope, 'sii', new Date())],
    [
      'had an accredited certificate of its RUT, though it left custody since',
      async ({ id, key, rut }) => {
        const body = { file: personPfx({ rut }), password: '' }
        await world.post(`/v1/empresas/${id}/certificate`, { key, body })
        await world.delete(`/v1/empresas/${id}/certificate`, { key })
      },
    ],
  ] as [string, (held: Held) => Promise<unknown>][]) {
    it(`stays where it ${name}`, async () => {
      const held = await hold()
      await prove(held)
      expect(await passes(held, 15)).toEqual([])
      expect([await statusOf(held), await lettersTo(held)]).toEqual(['active', []])
    })
  }

  it('is proven by the certificate of who signed its mandato on a page of ours, whichever comes first, and by nobody the API named', async () => {
    const file = personPfx()
    for (const [via, first, left] of [
      ['hosted_page', 'mandato', 0],
      ['hosted_page', 'certificate', 0],
      ['api', 'certificate', 1],
    ] as const) {
      const held = await hold()
      const upload = () =>
        world.post(`/v1/empresas/${held.id}/certificate`, { key: held.key, body: { file, password: '' } })
      if (first === 'certificate') await upload()
      await signAs(held, via)
      if (first === 'mandato') await upload()
      expect([via, first, await passes(held, 15)]).toEqual([via, first, Array(left).fill(expect.anything())])
    }
  })

  it('is not proven by whoever signed for five others, of any account, unless something better shows those since', async () => {
    const others: string[] = []
    for (let i = 0; i < 5; i++) others.push((await hold()).id)
    const signs = async (proof: string) => {
      await world.db.sql`
        update empresa set rut_proof = ${proof}, rut_proof_by = ${HOLDER_RUT} where id = any(${others}::text[])`
      const held = await hold()
      await signAs(held, 'hosted_page')
      const body = { file: personPfx(), password: '' }
      expect((await world.post(`/v1/empresas/${held.id}/certificate`, { key: held.key, body })).status).toBe(201)
      const [row] = await world.db.sql<{ rut_proof: string | null }>`
        select rut_proof from empresa where id = ${held.id}`
      return row?.rut_proof
    }
    expect(await signs('signer')).toBeNull()
    await world.db
      .sql`update empresa set status = 'archived' where rut_proof = 'signer' and not id = any(${others}::text[])`
    expect(await signs('sii')).toBe('signer')
  })

  it('is proven by the SII, where it lets the holder of the certificate act for it: at once, and asked again before the end', async () => {
    const proofOf = async ({ id }: Held) =>
      (await world.db.sql<{ rut_proof: string | null }>`select rut_proof from empresa where id = ${id}`)[0]?.rut_proof
    const upload = ({ id, key }: Held) =>
      world.post(`/v1/empresas/${id}/certificate`, { key, body: { file: personPfx(), password: '' } })
    const [at_once, later, never] = [await hold(), await hold(), await hold()]
    recognises = async () => true
    await upload(at_once)
    await expect.poll(() => proofOf(at_once)).toBe('sii')
    expect(await passes(at_once, 15)).toEqual([])

    const asked = new Promise<void>((heard) => {
      recognises = async () => {
        heard()
        return false
      }
    })
    await upload(later)
    await asked
    await passes(later, 11)
    expect(await proofOf(later)).toBeNull()
    recognises = async () => true
    expect(await passes(later, 4)).toEqual([])
    expect([await proofOf(later), await statusOf(later)]).toEqual(['sii', 'active'])

    // An SII that is away holds no RUT for anybody.
    recognises = away
    await upload(never)
    await passes(never, 11)
    await passes(never, 4)
    expect(await statusOf(never)).toBe('archived')
  })

  it('is not proven by the certificate of somebody else', async () => {
    const held = await hold()
    await world.post(`/v1/empresas/${held.id}/certificate`, {
      key: held.key,
      body: { file: personPfx(), password: '' },
    })
    expect(await passes(held, 15)).toEqual([{ status: 'queued', due_in_days: 3 }])
  })
})

describe('what proves a RUT', () => {
  const facts = { rut: '76192083-9', signer_rut: '11111111-1' }

  it('is a certificate that an accredited CA vouches for, of the RUT or of who signed its mandato', () => {
    expect(proofBy({ holder_rut: '76192083-9', chain: 'accredited' }, facts)).toBe('taxpayer')
    expect(proofBy({ holder_rut: '11111111-1', chain: 'accredited' }, facts)).toBe('signer')
    expect(proofBy({ holder_rut: '22222222-2', chain: 'accredited' }, facts)).toBeNull()
    for (const chain of ['unknown', 'self_signed']) expect(proofBy({ holder_rut: facts.rut, chain }, facts)).toBeNull()
  })

  it('takes a RUT over where it is stronger than what its holder showed, and an archived one keeps history alone', () => {
    const holder = (more: object) => ({
      status: 'active' as const,
      emitting_since: null,
      resolucion_status: null,
      boleta_emission_enabled_at: null,
      rut_proof: null,
      ...more,
    })
    const emits = { emitting_since: new Date(0) }
    for (const [more, signer, taxpayer] of [
      [{}, true, true],
      [{ rut_proof: 'signer' }, false, true],
      [{ rut_proof: 'published' }, false, true],
      [{ resolucion_status: 'verified' }, false, true],
      [{ rut_proof: 'taxpayer' }, false, false],
      [{ rut_proof: 'sii' }, false, false],
      [emits, false, false],
      [{ status: 'archived', rut_proof: 'taxpayer' }, true, true],
      [{ status: 'archived', ...emits }, false, true],
    ] as const) {
      const found = [outweighs('signer', holder(more)), outweighs('taxpayer', holder(more))]
      expect([more, found]).toEqual([more, [signer, taxpayer]])
    }
  })
})
