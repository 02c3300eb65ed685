import { printedRut } from '@timbre/dte/values'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { restOfPost } from '../../../../test/support/mailbox.ts'
import { waitAt } from '../../../../test/support/onboarding.ts'
import { openWorld, randomRut, type World } from '../../../../test/support/world.ts'
import { SCOPE_NAMES, type Scope } from '../../../catalog/scopes.ts'
import { daysFrom } from '../../../kernel/clock.ts'
import { endPending } from '../account/recover.ts'
import { forgetLetterCounts } from '../onboarding/letter-caps.ts'

let world: World
let account: string
let key: string
beforeAll(async () => {
  world = await openWorld()
  account = await world.account({ plan: 'house' })
  key = await world.key(account, { mode: 'live', scopes: SCOPE_NAMES })
})
afterAll(() => world.close())

async function made(more: object = {}, as = key) {
  const body = { rut: randomRut(), legal_name: 'Viña Maule S.A.', origen: 'mercado', doc_types: [33], ...more }
  const { id } = (await world.post('/v1/empresas', { key: as, body })).body
  const base = `/v1/empresas/${id}`
  return {
    id,
    mandato: `${base}/mandato`,
    links: `${base}/onboarding/links`,
    acts: async () =>
      (await world.get(`${base}/onboarding/evidence`, { key })).body.data.map(({ act }: { act: string }) => act),
    /** Nothing about it waits in the queue. */
    async rest() {
      const waiting = async () =>
        (
          await world.db.sql`select 1 from job where name = 'onboarding.write' and status in ('queued', 'running')
          and run_at <= now() and empresa_id = ${id}`
        ).length
      await expect.poll(waiting).toBe(0)
      await restOfPost(world)
    },
    letters: () => world.letters.filter(({ text }) => text.includes(printedRut(body.rut))),
    async sign() {
      const { version } = (await world.get('/v1/mandato_terms', {})).body
      const signer = { rut: '12345678-5', name: 'Rosa Pérez', role: 'representante_legal' }
      await world.post(`${base}/mandato`, { key: as, body: { terms_version: version, signer } })
    },
  }
}

const refusal = ({ status, body }: { status: number; body: { error: { code: string } } }) => [status, body.error.code]

describe('POST /v1/empresas/{empresa_id}/onboarding/links', () => {
  it('is ended, where a session minted it, by whatever ends the sessions of the account but that one', async () => {
    const it = await made()
    const [key_of, other] = [await world.session(account), await world.session(account)]
    const mint = (session: string) =>
      world.post(`/dashboard${it.links.slice(3)}`, {
        key: session,
        headers: { 'svc-mode': 'live' },
        body: { step: 'mandato' },
      })
    const living = async () =>
      (
        await world.db.sql<{ made_by: string }>`
          select made_by from onboarding_link where empresa_id = ${it.id} and revoked_at is null`
      ).map(({ made_by }) => made_by)
    expect((await mint(key_of)).status).toBe(201)
    const [session = ''] = await living()
    const ctx = { sql: world.db.sql, now: () => new Date() }
    await endPending(ctx, account, { but_session: session })
    expect(await living()).toEqual([session])
    await endPending(ctx, account)
    expect(await living()).toEqual([])
    expect((await mint(other)).status).toBe(401)
    await world.post(it.links, { key, body: { step: 'mandato' } })
    await endPending(ctx, account)
    expect(await living()).toHaveLength(1)
  })

  it('201 tells the address once, keeps its digest alone, and ends the one before it', async () => {
    const it = await made()
    const first = await world.post(it.links, { key, body: { step: 'mandato' } })
    expect([first.status, first.body.object, first.body.step]).toEqual([201, 'onboarding_link', 'mandato'])
    expect(first.body.url).toMatch(/^http:\/\/timbre\.test\/puesta-en-marcha\/\w{43}$/)
    const hours = (Date.parse(first.body.expires_at) - Date.now()) / 3_600_000
    expect(Math.round(hours)).toBe(72)
    await world.post(it.links, { key, body: { step: 'mandato', expires_in_hours: 1 } })
    const rows = await world.db.sql<{
      revoked_at: Date | null
    }>`select * from onboarding_link where empresa_id = ${it.id} order by id`
    expect(rows.map(({ revoked_at }) => revoked_at !== null)).toEqual([true, false])
    expect(JSON.stringify(rows)).not.toContain(first.body.url.split('/').at(-1))
    expect((await world.get(it.mandato, { key })).body.status).toBe('pending')
    expect(await it.acts()).toEqual(['link_minted', 'link_minted'])
    for (const expires_in_hours of [0, 721])
      expect((await world.post(it.links, { key, body: { step: 'mandato', expires_in_hours } })).status).toBe(400)
  })

  it('404 for a step of another lane, 409 for one that waits for nobody', async () => {
    const it = await made()
    const mint = async (step: string) => refusal(await world.post(it.links, { key, body: { step } }))
    expect(await mint('credential')).toEqual([404, 'onboarding_step_not_found'])
    expect(await mint('certificate')).toEqual([409, 'step_not_open'])
    expect(await mint('resolucion')).toEqual([409, 'step_not_open'])
    await it.sign()
    expect(await mint('mandato')).toEqual([409, 'step_not_open'])
    expect((await world.post(it.links, { key, body: { step: 'certificate' } })).status).toBe(201)
  })

  it('403 for the mandato without mandato:write, and to suspended empresas for all but it', async () => {
    const it = await made()
    const scopes: Scope[] = ['onboarding:write', 'empresas:read']
    const lesser = await world.key(account, { mode: 'live', scopes })
    const sent = await world.post(it.links, { key: lesser, body: { step: 'mandato' } })
    expect([...refusal(sent), sent.body.error.details]).toEqual([403, 'insufficient_scope', { scope: 'mandato:write' }])
    await it.sign()
    await world.delete(it.mandato, { key })
    expect(refusal(await world.post(it.links, { key, body: { step: 'certificate' } }))).toEqual([
      403,
      'empresa_inactive',
    ])
    expect((await world.post(it.links, { key, body: { step: 'mandato' } })).status).toBe(201)
  })
})

describe('DELETE /v1/empresas/{empresa_id}/onboarding/links/{step}', () => {
  it('204 ends it, and again where there is none; 404 for what is no page', async () => {
    const it = await made()
    await world.post(it.links, { key, body: { step: 'mandato' } })
    for (let times = 0; times < 2; times++)
      expect((await world.delete(`${it.links}/mandato`, { key })).status).toBe(204)
    expect(await it.acts()).toEqual(['link_revoked', 'link_minted'])
    expect(refusal(await world.delete(`${it.links}/nada`, { key }))).toEqual([404, 'onboarding_step_not_found'])
  })
})

describe('POST /v1/empresas/{empresa_id}/mandato/revocation_link', () => {
  it('201 where a mandato stands, else 404', async () => {
    const it = await made()
    const path = `${it.mandato}/revocation_link`
    expect(refusal(await world.post(path, { key, body: {} }))).toEqual([404, 'mandato_not_found'])
    await it.sign()
    const sent = await world.post(path, { key, body: {} })
    expect([sent.status, sent.body.step]).toEqual([201, 'mandato_revocation'])
  })
})

describe('a letter to the person whom a step waits for', () => {
  it('goes to the contact of the empresa with a page that leaves the links of credentials alone, once for its news', async () => {
    const it = await made({ contact_email: 'rosa@vina.example' })
    await it.sign()
    const minted = await world.post(it.links, { key, body: { step: 'certificate' } })
    await it.rest()
    for (const giro of ['Viñas', 'Vinos']) await world.patch(`/v1/empresas/${it.id}`, { key, body: { giro } })
    await it.rest()
    const [letter, ...more] = it.letters()
    expect(more).toEqual([])
    expect([letter?.to, letter?.subject]).toEqual([
      'rosa@vina.example',
      'Subir el certificado digital: falta este paso en Timbre',
    ])
    expect(letter?.text).toMatch(/http:\/\/timbre\.test\/puesta-en-marcha\/\w{43}/)
    const alive = await world.db.sql<{ road: string }>`
      select road from onboarding_link where empresa_id = ${it.id} and page = 'certificate' and revoked_at is null order by road`
    expect([minted.status, alive.map(({ road }) => road)]).toEqual([201, ['api', 'letter']])
  })

  it('waits a day where the step begins again', async () => {
    const it = await made()
    await it.sign()
    await it.rest()
    await world.db.sql`update onboarding_step set opened_at = now() where empresa_id = ${it.id} and key = 'certificate'`
    await world.patch(`/v1/empresas/${it.id}`, { key, body: { giro: 'Viñas' } })
    await it.rest()
    expect(it.letters()).toHaveLength(1)
    const due = async () => {
      const [job] = await world.db.sql<{ hours: number }>`
        select round(extract(epoch from run_at - now()) / 3600)::int as hours from job
        where name = 'onboarding.write' and empresa_id = ${it.id}`
      return job?.hours
    }
    await expect.poll(due).toBe(24)
  })

  it('names the account that asks with its whole address, and carries no message that was typed as a name', async () => {
    const it = await made({ contact_email: 'rosa@vina.example', legal_name: 'GANE $1.000.000 EN www.estafa.example' })
    await it.sign()
    await it.rest()
    const [letter] = it.letters()
    const [asking] = await world.db.sql<{ email: string }>`select email from account where id = ${account}`
    expect(letter?.text).toContain(`Lo pide: Prueba (${asking?.email})`)
    expect(letter?.text).toContain('Sigue solo si la conoces')
    expect(JSON.stringify(letter)).not.toMatch(/estafa|GANE/)
  })

  /** Hours until the letter about an empresa is tried again. */
  const hoursLeft = async ({ id }: { id: string }) => {
    const [job] = await world.db.sql<{ hours: number }>`
      select round(extract(epoch from run_at - now()) / 3600)::int as hours from job
      where name = 'onboarding.write' and empresa_id = ${id} and run_at > now()`
    return job?.hours
  }

  it('comes five times a day to one mailbox, over all accounts and however it is written; the sixth waits', async () => {
    const other = await world.key(await world.account(), { mode: 'live', scopes: SCOPE_NAMES })
    const written = ['tia.eli@vina.example', 'TIA.ELI@vina.example', 'tia.eli+sii@vina.example', 'tiaeli@VINA.example']
    const sent = []
    for (const [place, contact_email] of [...written, ...written].slice(0, 6).entries()) {
      const it = await made({ contact_email }, place % 2 === 0 ? key : other)
      await it.sign()
      await it.rest()
      sent.push({ it, letters: it.letters().length })
    }
    expect(sent.map(({ letters }) => letters)).toEqual([1, 1, 1, 1, 1, 0])
    expect(await hoursLeft((sent.at(-1) as (typeof sent)[0]).it)).toBe(24)
    const rows = await world.db.sql`select * from onboarding_letter_count`
    expect(JSON.stringify(rows)).not.toMatch(/vina|tia/i)
    await forgetLetterCounts(world.db.sql, daysFrom(new Date(), 2))
    expect(await world.db.sql`select 1 from onboarding_letter_count`).toEqual([])
  })

  it('goes thirty times a day from one account to mailboxes of others; its own is not counted', async () => {
    const busy = await world.account()
    const as = await world.key(busy, { mode: 'live', scopes: SCOPE_NAMES })
    await world.db.sql`
      insert into onboarding_letter_count (account_id, mailbox, written_at)
      select ${busy}, 'mailbox ' || n, now() - interval '1 hour' from generate_series(1, 30) n`
    const [others, own] = [await made({ contact_email: 'ana@otra.example' }, as), await made({}, as)]
    for (const it of [others, own]) {
      await it.sign()
      await it.rest()
    }
    expect([others.letters().length, own.letters().length]).toEqual([0, 1])
    expect(await hoursLeft(others)).toBe(23)
  })

  it('goes to the next contact too, and the pages that the former one was mailed end', async () => {
    const it = await made({ contact_email: 'antes@vina.example' })
    await it.sign()
    await world.post(it.links, { key, body: { step: 'certificate' } })
    await it.rest()
    const patch = (contact_email: string) => world.patch(`/v1/empresas/${it.id}`, { key, body: { contact_email } })
    await patch('despues@vina.example')
    await it.rest()
    const alive = await world.db.sql<{ road: string }>`
      select road from onboarding_link where empresa_id = ${it.id} and revoked_at is null`
    expect(alive).toEqual([{ road: 'api' }])
    expect([it.letters().length, await hoursLeft(it)]).toEqual([1, 24])
    await world.db.sql`update job set run_at = now() where name = 'onboarding.write' and empresa_id = ${it.id}`
    await world.db.sql`update onboarding_letter set written_at = now() - interval '2 days' where empresa_id = ${it.id}`
    await patch('al-fin@vina.example')
    await expect.poll(() => it.letters().map(({ to }) => to)).toEqual(['antes@vina.example', 'al-fin@vina.example'])
  })
})

describe('POST /v1/empresas/{empresa_id}/onboarding/go_live', () => {
  it('202 asks the titular by one letter a day, and 403 records no decision without onboarding:attest', async () => {
    const it = await made()
    await it.sign()
    await it.rest()
    await waitAt(world, it.id, 'mercado', 'emitting')
    const path = `/v1/empresas/${it.id}/onboarding/go_live`
    for (let times = 0; times < 2; times++) expect((await world.post(path, { key, body: {} })).status).toBe(202)
    await it.rest()
    const asked = it.letters().filter(({ subject }) => subject.startsWith('Aprobar el inicio de la emisión'))
    const [account_row] = await world.db.sql<{ email: string }>`select email from account where id = ${account}`
    expect(asked.map(({ to }) => to)).toEqual([account_row?.email])
    expect((await it.acts()).slice(0, 2)).toEqual(['go_live_requested', 'go_live_requested'])
    const lesser = await world.key(account, { mode: 'live', scopes: ['onboarding:write'] })
    const approved_by = { rut: '12345678-5', name: 'Rosa Pérez', role: 'titular_cuenta' }
    const sent = await world.post(path, { key: lesser, body: { decision: 'approve', approved_by } })
    expect([...refusal(sent), sent.body.error.details]).toEqual([
      403,
      'insufficient_scope',
      { scope: 'onboarding:attest' },
    ])
  })
})
