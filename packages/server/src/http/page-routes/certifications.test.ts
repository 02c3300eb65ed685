import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { insertCertificate } from '../../../test/support/insert-certificate.ts'
import { waitAt } from '../../../test/support/onboarding.ts'
import { unconnectedSii } from '../../../test/support/unconnected-sii.ts'
import {
  OPERATOR_EMAIL,
  OPERATOR_SECRET,
  openWorld,
  randomRut,
  type Sent,
  type World,
} from '../../../test/support/world.ts'
import { SCOPE_NAMES } from '../../catalog/scopes.ts'
import { applyOutcome } from '../../domain/issuing/certification/outcome.ts'
import { findEmisor } from '../../domain/platform/empresa/emisor.ts'
import type { EmpresaRow } from '../../domain/platform/empresa/row.ts'
import type { StepKey } from '../../domain/platform/onboarding/lanes.ts'
import { findStep, type StepRow } from '../../domain/platform/onboarding/open-step.ts'
import { certificationsRoutes } from './certifications.ts'
import { operatorSessionRoutes } from './operator-session.ts'

const addresses = { public_url: 'http://timbre.test', operator_email: OPERATOR_EMAIL } as never
const FORM = { 'content-type': 'application/x-www-form-urlencoded', 'sec-fetch-site': 'same-origin' }
const PAGE = '/operador/certificaciones'
const operator = { 'svc-operator-secret': OPERATOR_SECRET }

/** `certifies`: live mode is connected to the SII for certifications, and nobody asks it: no job runs. */
const openOperatorWorld = (unlimited: boolean, operator_secret = OPERATOR_SECRET, beside?: World, certifies = false) =>
  openWorld({
    ...(certifies && { live_sii: { ...unconnectedSii(), certification: {} as never } }),
    runs_jobs: false,
    unlimited,
    operator_secret,
    ...(beside && { beside }),
    plain: (db, parts) => {
      const given = { sql: db.sql, addresses, operator_secret, ...parts }
      return [...operatorSessionRoutes(given), ...certificationsRoutes(given)]
    },
  })

let world: World
let account_id: string
let key: string
beforeAll(async () => {
  world = await openOperatorWorld(true)
  account_id = await world.account({ plan: 'house' })
  key = await world.key(account_id, { mode: 'live', scopes: SCOPE_NAMES })
})
afterAll(() => world.close())
beforeEach(() => world.db.sql`update empresa set status = 'archived'`)

const form = (fields: Record<string, string>) => new URLSearchParams(fields).toString()
const signIn = (secret: string, name = 'Ana Soto', at = world) =>
  at.post('/operador', { raw: form({ secret, name }), headers: FORM })

async function signedIn(name?: string, at = world): Promise<Record<string, string>> {
  const sent = await signIn(OPERATOR_SECRET, name, at)
  expect([sent.status, sent.headers.location]).toEqual([303, PAGE])
  return { cookie: String(sent.headers['set-cookie']).split(';')[0] as string }
}

async function empresaAt(step: StepKey, status = 'in_progress', legal_name = 'Viña Maule S.A.') {
  const body = { rut: randomRut(), legal_name, origen: 'mercado', doc_types: [33] }
  const { id, rut } = (await world.post('/v1/empresas', { key, body })).body
  const { version } = (await world.get('/v1/mandato_terms', {})).body
  const signer = { rut: '12345678-5', name: 'Rosa Pérez Soto', role: 'representante_legal' }
  await world.post(`/v1/empresas/${id}/mandato`, { key, body: { terms_version: version, signer } })
  await insertCertificate(world, id)
  await waitAt(world, id, 'mercado', step)
  await world.db
    .sql`update onboarding_step set status = ${status}, opened_at = now() where empresa_id = ${id} and key = ${step}`
  return { id, rut, base: `/v1/empresas/${id}` }
}

/** The hidden fields of the first form with a button of that act. */
function fieldsOf(page: Sent, act: string): Record<string, string> {
  const found = page.text.split('<form').find((text) => text.includes(`name="act" value="${act}"`)) ?? ''
  const hidden = [...found.matchAll(/type="hidden" name="([^"]+)" value="([^"]*)"/g)]
  return { ...Object.fromEntries(hidden.map(([, name, value]) => [name as string, value as string])), act }
}
const press = (headers: Record<string, string>, fields: Record<string, string>) =>
  world.post(PAGE, { raw: form(fields), headers: { ...FORM, ...headers } })
const stepOf = async (base: string, name: string) =>
  (await world.get(`${base}/onboarding`, { key })).body.steps.find((one: { key: string }) => one.key === name)

describe('who comes in', () => {
  it('401 with another secret, told to the audit log, and nothing that was typed is shown or kept', async () => {
    const sent = await signIn('no es este el secreto')
    expect([sent.status, sent.headers['set-cookie']]).toEqual([401, undefined])
    const [row] = await world.db.sql`select * from audit_entry where request_id = ${sent.headers['svc-request-id']}`
    expect(row).toMatchObject({
      action: 'operator.sign_in',
      outcome: 'refused',
      actor_kind: 'anonymous',
      account_id: null,
    })
    const kept = JSON.stringify([row, sent.text, sent.headers, world.log_lines])
    expect(kept).not.toMatch(/no es este/)
    expect((await signIn(OPERATOR_SECRET, ' ')).status).toBe(422)
    expect((await world.get('/operador')).text).toContain('Secreto del operador')
  })

  it('429 after ten tries from one network, the right one too', async () => {
    const limited = await openOperatorWorld(false)
    for (let i = 0; i < 10; i++) expect((await signIn('otro', 'Ana Soto', limited)).status).toBe(401)
    const sent = await signIn(OPERATOR_SECRET, 'Ana Soto', limited)
    expect([sent.status, Number(sent.headers['retry-after']) > 0]).toEqual([429, true])
    await limited.close()
  })

  it('303 with a cookie for these pages alone, which no script reads and no other site sends, and which ends', async () => {
    const sent = await signIn(OPERATOR_SECRET)
    expect(sent.headers['set-cookie']).toMatch(
      /^timbre_operador=[\w-]{43}; Path=\/operador; Max-Age=7200; HttpOnly; SameSite=Strict$/,
    )
    const headers = { cookie: String(sent.headers['set-cookie']).split(';')[0] as string }
    const page = await world.get(PAGE, { headers })
    expect([page.status, page.headers['cache-control'], page.text.includes('Ana Soto')]).toEqual([
      200,
      'no-store',
      true,
    ])
    const stored = await world.db.sql`select token_hash::text as hash from operator_session`
    expect(JSON.stringify([stored, page.text])).not.toContain(headers.cookie.split('=')[1])
    // The copy of a cookie is worth nothing once its owner went.
    const out = await world.post('/operador/salir', { raw: '', headers: { ...FORM, ...headers } })
    expect([out.status, out.headers['set-cookie']]).toEqual([303, expect.stringContaining('Max-Age=0')])
    expect((await world.get(PAGE, { headers })).headers.location).toBe('/operador')
    const late = await signedIn()
    await world.db.sql`update operator_session set expires_at = now() - interval '1 second'`
    expect((await world.get(PAGE, { headers: late })).status).toBe(303)
  })

  it('ends with the secret that it was opened by', async () => {
    const headers = await signedIn()
    const rotated = await openOperatorWorld(true, 'another-secret-of-the-operator', world)
    expect((await world.get(PAGE, { headers })).status).toBe(200)
    expect((await rotated.get(PAGE, { headers })).status).toBe(303)
    await rotated.close()
  })

  it('303 to the door for whoever has a key, a session of a customer or no cookie at all', async () => {
    const it = await empresaAt('set_de_pruebas')
    const session = await world.session(account_id)
    const strangers = [
      { key },
      { session },
      { headers: operator },
      { headers: { cookie: `timbre_operador=${session}` } },
    ]
    for (const stranger of strangers) {
      const seen = await world.get(PAGE, stranger)
      expect([seen.status, seen.headers.location, seen.text]).toEqual([303, '/operador', ''])
      const acted = await world.post(PAGE, {
        ...stranger,
        raw: form({ act: 'take', empresa: it.id, step: 'set_de_pruebas' }),
        headers: { ...FORM, ...('headers' in stranger && stranger.headers) },
      })
      expect(acted.status).toBe(303)
    }
    expect((await world.get('/v1/onboarding/certifications', { key })).status).toBe(401)
    // And the cookie of the pages opens no operation.
    const listed = await world.get('/v1/onboarding/certifications', { headers: await signedIn() })
    expect(listed.body.error.code).toBe('operator_authentication_required')
    expect((await world.get('/v1/onboarding/work', { headers: operator })).body.data).toMatchObject([
      { taken_by: null },
    ])
  })
})

describe('the list', () => {
  it('has what waits for people first, narrowed and page by page, the same for programs', async () => {
    const waits = await empresaAt('cumplimiento', 'action_required', 'Panadería & Pastelería')
    const theirs = await empresaAt('resolucion')
    const ours = await empresaAt('set_de_pruebas')
    await empresaAt('certificate', 'action_required')
    const list = async (query = '') =>
      (await world.get(`/v1/onboarding/certifications${query}`, { headers: operator })).body
    const { data } = await list()
    expect(data).toMatchObject([
      { empresa: { id: ours.id }, waits_for: 'operator', execution: 'operator', acts: ['take', 'done', 'refuse'] },
      { empresa: { id: waits.id }, waits_for: 'customer', role: 'representante_legal', acts: [] },
      { empresa: { id: theirs.id }, waits_for: 'sii', acts: ['look'], account: { id: account_id, name: 'Prueba' } },
    ])
    const first = await list('?limit=2')
    expect((await list(`?limit=2&cursor=${first.next_cursor}`)).data).toMatchObject([{ empresa: { id: theirs.id } }])
    expect((await list('?cursor=nothing')).error.code).toBe('invalid_cursor')
    expect((await list('?step=cumplimiento')).data).toHaveLength(1)
    const headers = await signedIn()
    const page = await world.get(`${PAGE}?waits_for=customer&step=&rut=`, { headers })
    expect(page.text).toContain('Panadería &amp; Pastelería')
    expect(page.text).toContain('Espera la decisión de su representante legal')
    expect(page.text).not.toContain('Viña Maule')
    // What means nothing narrows nothing.
    expect((await world.get(`${PAGE}?waits_for=nadie&cursor=x`, { headers })).text).toContain('Viña Maule')
  })
})

describe('what was prepared', () => {
  it('is listed with what the SII said of it, and saved as the very bytes; set aside when the step begins again', async () => {
    const it = await empresaAt('set_de_pruebas')
    const { id } = it
    const cafs = (from: number) =>
      JSON.stringify(Object.fromEntries([1, 2, 3, 9].map((n) => [`33:${n + from}`, 'caf_1'])))
    const insert = (
      file: string,
      kind: string,
      attempt: number,
      status: string,
      more: { content?: string; old?: true },
    ) =>
      world.db.sql`
        insert into certification_file (account_id, empresa_id, mode, id, step, kind, position, attempt, file_name, cafs, content,
          status, track_id, created_at, changed_at, superseded_at)
        values (${account_id}, ${id}, 'live', ${file}, 'set_de_pruebas', ${kind}, 1, ${attempt}, ${`${kind} ${attempt}.xml`},
          ${cafs(attempt)}::json, ${more.content === undefined ? null : Buffer.from(more.content, 'latin1')}::bytea, ${status},
          '5000001', now(), now(), ${more.old ? new Date() : null})`
    await insert('cfil_old', 'basico', 1, 'refused', { content: '<old/>', old: true })
    await insert('cfil_basico', 'basico', 2, 'in_review', { content: '<Año/>' })
    await insert('cfil_exenta', 'exenta', 1, 'approved', { content: '<ok/>' })
    await insert('cfil_libro', 'libro_ventas', 1, 'planned', {})
    const findings = JSON.stringify([{ rule: 'r', section: null, case_id: '4-1', line: 7, message: 'no cuadra' }])
    await world.db.sql`
      insert into certification (account_id, empresa_id, mode, words, said_at, findings)
      values (${account_id}, ${id}, 'live', 'EN REVISION', now(), ${findings}::json)`
    const { data } = (await world.get(`/v1/onboarding/certifications?rut=${it.rut}`, { headers: operator })).body
    expect(data[0]).toMatchObject({
      words: 'EN REVISION',
      attempt: 2,
      findings: ['caso 4-1, línea 7: no cuadra'],
      files: [
        { id: 'cfil_basico', bytes: 6, state: 'in_review', track_id: '5000001' },
        { id: 'cfil_exenta' },
        { id: 'cfil_libro', bytes: 0 },
      ],
      folios: [
        { tipo_dte: 33, first: 2, last: 5 },
        { tipo_dte: 33, first: 10, last: 11 },
      ],
    })
    const headers = await signedIn()
    const page = await world.get(PAGE, { headers })
    expect(page.text).toContain('33: 2 a 5; 33: 10 a 11')
    expect(page.text).toContain('en revisión en el SII, intento 2, track ID 5000001')
    const [, address = ''] = /href="([^"]+archivos[^"]+)"/.exec(page.text) ?? []
    const saved = await world.get(address, { headers })
    expect([saved.status, saved.headers['content-disposition'], saved.headers['cache-control']]).toEqual([
      200,
      'attachment; filename="basico_2.xml"',
      'no-store',
    ])
    expect(saved.bytes).toEqual(Buffer.from('<Año/>', 'latin1'))
    expect((await world.get(address)).headers.location).toBe('/operador')
    const other = await empresaAt('set_de_pruebas')
    expect((await world.get(address.replace(id, other.id), { headers })).status).toBe(404)
    expect((await world.get(address.replace('cfil_basico', 'cfil_libro'), { headers })).status).toBe(404)
    const file = await world.get(`/v1/onboarding/certifications/${id}/files/cfil_libro`, { headers: operator })
    expect(file.body.error.code).toBe('certification_file_not_found')

    const scope = { account_id, mode: 'live', empresa_id: id, rut: it.rut } as const
    const asked = {
      row: (await findEmisor(world.db.sql, scope)) as EmpresaRow,
      step: (await findStep(world.db.sql, scope, 'set_de_pruebas')) as StepRow,
    }
    const begin = { headers: operator, body: { by: 'Ana Soto' } }
    expect((await world.post(`${it.base}/onboarding/steps/set_de_pruebas/restart`, begin)).status).toBe(200)
    const standing = await world.db.sql`
      select id from certification_file where empresa_id = ${id} and superseded_at is null`
    expect(standing).toEqual([{ id: 'cfil_exenta' }])
    // What the SII said meanwhile of what was set aside fails nothing.
    const late = { outcome: 'refused', sentence: 'SRH' } as const
    await world.db.transact((sql) =>
      applyOutcome({ sql, now: () => new Date() } as never, scope, { ...asked, moved: false }, late),
    )
    expect(await stepOf(it.base, 'set_de_pruebas')).toMatchObject({ status: 'in_progress' })
  })

  it('waits for the taxpayer where only they know what is missing, and may be given back before it is approved', async () => {
    const input = await empresaAt('simulacion')
    await world.db.sql`
      update onboarding_step set blocked_reason = '{"code": "requirement_unmet", "message": "Falta un dato.", "hint": null,
        "details": {"inputs": ["products"]}, "since": "2026-11-16T12:00:00Z"}'
      where empresa_id = ${input.id} and key = 'simulacion'`
    const handed = await empresaAt('muestras_impresas', 'action_required')
    await world.db.sql`
      update onboarding_step set handed_over = '{"why": "No se pudo imprimir.", "at": "2026-11-16T12:00:00Z"}'
      where empresa_id = ${handed.id} and key = 'muestras_impresas'`
    const connected = await openOperatorWorld(true, OPERATOR_SECRET, world, true)
    const list = await connected.get('/v1/onboarding/certifications', { headers: operator })
    expect(list.body.data).toMatchObject([
      { empresa: { id: input.id }, waits_for: 'input', execution: 'automatic', acts: ['look', 'take', 'restart'] },
      { empresa: { id: handed.id }, waits_for: 'customer', why: 'No se pudo imprimir.', acts: ['automatic'] },
    ])
    const path = `${handed.base}/onboarding/steps/muestras_impresas/automatic`
    expect((await connected.post(path, { headers: operator, body: { by: 'Ana Soto' } })).status).toBe(200)
    // The job prepares it again, and nobody is asked before it has.
    const [after] = (await connected.get(`/v1/onboarding/certifications?rut=${handed.rut}`, { headers: operator })).body
      .data
    expect(after).toMatchObject({ status: 'in_progress', waits_for: 'service', acts: ['look', 'restart'] })
    await connected.close()
  })
})

describe('a button', () => {
  it('does what its operation does, in the name of whoever signed in, and comes back to the same list', async () => {
    const it = await empresaAt('set_de_pruebas')
    const ana = await signedIn('Ana Soto')
    const before = await world.get(`${PAGE}?step=set_de_pruebas`, { headers: ana })
    const taken = await press(ana, fieldsOf(before, 'take'))
    expect([taken.status, taken.headers.location]).toEqual([303, `${PAGE}?step=set_de_pruebas&hecho=take`])
    const [session] = await world.db.sql<{
      id: string
    }>`select id from operator_session order by created_at desc limit 1`
    const [row] = await world.db.sql`select * from audit_entry where request_id = ${taken.headers['svc-request-id']}`
    expect(row).toMatchObject({
      action: 'onboarding.steps.take',
      actor_kind: 'operator',
      actor_id: session?.id,
      account_id,
    })

    const luis = await signedIn('Luis Rojas')
    const seen = await world.get(PAGE, { headers: luis })
    expect(seen.text).toContain('Tomarlo en lugar de Ana Soto')
    expect(seen.text).not.toContain('value="refuse"')
    await press(luis, fieldsOf(seen, 'take'))
    const mine = await world.get(PAGE, { headers: luis })
    const refused = await press(luis, { ...fieldsOf(mine, 'refuse'), reason: 'Falta  el giro.', details: 'a\nb' })
    expect(refused.status).toBe(303)
    expect((await world.get(String(refused.headers.location), { headers: luis })).text).toContain('lee el motivo')
    expect(await stepOf(it.base, 'set_de_pruebas')).toMatchObject({
      status: 'failed',
      blocked_reason: { details: { reason: 'Falta el giro.', explanation: 'a b' } },
    })
    const evidence = (await world.get(`${it.base}/onboarding/evidence`, { key })).body.data
    expect(
      evidence.slice(0, 3).map(({ act, actor }: { act: string; actor: { name: string } }) => [act, actor.name]),
    ).toEqual([
      ['operator_refused', 'Luis Rojas'],
      ['operator_took', 'Luis Rojas'],
      ['operator_took', 'Ana Soto'],
    ])
    const again = await world.get(PAGE, { headers: ana })
    expect((await press(ana, fieldsOf(again, 'restart'))).status).toBe(303)
    expect(await stepOf(it.base, 'set_de_pruebas')).toMatchObject({ status: 'in_progress' })
    const done = await world.get(PAGE, { headers: ana })
    expect((await press(ana, { ...fieldsOf(done, 'done'), note: 'Aprobado' })).status).toBe(303)
    expect(await stepOf(it.base, 'set_de_pruebas')).toMatchObject({ status: 'completed', note: 'Aprobado' })
  })

  it('409 says that the step moved meanwhile, does nothing and shows how it stands', async () => {
    const it = await empresaAt('set_de_pruebas', 'failed')
    const headers = await signedIn()
    const stale = await world.get(PAGE, { headers })
    expect((await press(headers, fieldsOf(stale, 'restart'))).status).toBe(303)
    // Pressed again on the old page it would throw away what has begun.
    const twice = await press(headers, fieldsOf(stale, 'restart'))
    expect([twice.status, twice.text.includes('El paso cambió mientras mirabas')]).toEqual([409, true])
    expect(twice.text).toContain('Viña Maule')
    const open = await world.get(PAGE, { headers })
    await press(headers, fieldsOf(open, 'done'))
    for (const act of ['done', 'take', 'refuse'])
      expect((await press(headers, { ...fieldsOf(open, act), reason: 'x' })).status).toBe(409)
    expect(await stepOf(it.base, 'simulacion')).toMatchObject({ status: 'in_progress' })
    const wrong = await press(headers, { ...fieldsOf(await world.get(PAGE, { headers }), 'refuse'), reason: ' ' })
    expect([wrong.status, wrong.text.includes('Falta el motivo')]).toEqual([400, true])
    expect((await press(headers, { act: 'explode' })).status).toBe(400)
  })

  it('403 from another site, signed in or not', async () => {
    const it = await empresaAt('set_de_pruebas')
    const headers = await signedIn()
    const fields = fieldsOf(await world.get(PAGE, { headers }), 'take')
    for (const foreign of [{ 'sec-fetch-site': 'cross-site' }, { 'sec-fetch-site': 'same-site' }]) {
      const sent = await press({ ...headers, ...foreign }, fields)
      expect(sent.status).toBe(403)
    }
    expect((await world.get('/v1/onboarding/work', { headers: operator })).body.data).toMatchObject([
      { empresa: { id: it.id }, taken_by: null },
    ])
  })
})
