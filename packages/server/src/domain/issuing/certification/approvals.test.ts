import { createHash } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readText } from '../../../../../dte/test/pdf/extract.ts'
import { type Certifying, openCertifying } from '../../../../test/support/certifying.ts'
import { type LiveWorld, openLiveWorld } from '../../../../test/support/live-world.ts'
import { OPERATOR_EMAIL, OPERATOR_SECRET, type Sent } from '../../../../test/support/world.ts'
import { onboardingRoutes } from '../../../http/page-routes/onboarding/routes.ts'
import { SiiUnreachable } from '../../../ports/sii.ts'
import type { SiiCertification } from '../../../ports/sii-certification.ts'
import { REACTIONS } from '../../../reactions.ts'

const DAY = 86_400
const ROSA = { rut: '12.345.678-5', name: 'Rosa Pérez Soto' }
const public_url = 'http://timbre.test'
const addresses = { public_url, base_url: `${public_url}/v1`, operator_email: OPERATOR_EMAIL } as never
const headers = { 'svc-operator-secret': OPERATOR_SECRET }

/** What the SII does in place of what the simulator would, for as long as a test says so. */
let instead: Partial<SiiCertification> = {}
const calls: string[] = []
let real: SiiCertification
let live: LiveWorld
let empresa: Certifying

/** The simulator, with every act counted. */
function watched(certification: SiiCertification): SiiCertification {
  real = certification
  return new Proxy(certification, {
    get(target, name: keyof SiiCertification) {
      const found = instead[name] ?? target[name]
      if (typeof found !== 'function') return found
      return (order: never) => {
        calls.push(name)
        return (found as (one: never) => unknown)(order)
      }
    },
  })
}

/** The SII does it, and its answer is lost. */
const losing = (act: (order: never) => Promise<unknown>) => async (order: never) => {
  await act(order)
  throw new SiiUnreachable('the answer was lost')
}

/** One taxpayer walks both steps, test after test: those before them have tests of their own, and are over by hand. */
beforeAll(async () => {
  live = await openLiveWorld({
    plain: (db, parts) => onboardingRoutes({ sql: db.sql, ...parts, addresses, reactions: REACTIONS }),
    sii: (sii) => ({ ...sii, certification: watched(sii.certification as SiiCertification) }),
  })
  const between = ['simulacion', 'intercambio']
  for (const key of between)
    await live.world.patch(`/v1/onboarding/switches/${key}`, { headers, body: { execution: 'operator' } })
  empresa = await openCertifying(live)
  await empresa.approve('sii_postulacion', 'representante_legal')
  await live.advance(2 * DAY)
  expect(await empresa.onboarding()).toMatchObject({ blocked_on: 'simulacion' })
  await live.simulator.control('POST', '/control/certifications', { rut: empresa.rut, step: 'DOCUMENTOS IMPRESOS' })
  for (const key of between) await empresa.operate(`steps/${key}/done`)
})
afterAll(() => live.close())

async function pageOf(step: string): Promise<string> {
  return new URL((await empresa.post('links', { step })).body.url).pathname
}

const digestIn = ({ text }: Sent) => /name="sha256" value="(\w+)"/.exec(text)?.[1] ?? ''

async function decideOn(path: string, decision: string, more: Record<string, string> = {}): Promise<Sent> {
  const sha256 = digestIn(await live.world.get(path))
  const raw = new URLSearchParams({ ...ROSA, reviewed: 'si', decision, sha256, ...more }).toString()
  return live.world.post(path, { raw, headers: { 'content-type': 'application/x-www-form-urlencoded' } })
}

const count = (name: keyof SiiCertification) => calls.filter((one) => one === name).length
const samples = async () => (await empresa.certification()).samples
const evidence = async (act: string) =>
  (await live.world.get(`${empresa.base}/onboarding/evidence?act=${act}`, { key: empresa.key })).body.data
const codeOf = ({ status, body }: Sent) => [status, body.error.code]

describe('printed samples', () => {
  it('are printed before the titular is asked, and filed by nobody before they are approved', async () => {
    expect(await empresa.step('muestras_impresas')).toMatchObject({ status: 'in_progress', execution: 'automatic' })
    expect(codeOf(await empresa.post('links', { step: 'muestras_impresas' }))).toEqual([409, 'step_not_open'])
    expect(codeOf(await empresa.operate('steps/muestras_impresas/take'))).toEqual([422, 'muestras_approval_required'])
    await live.run()
    expect(await empresa.onboarding()).toMatchObject({
      blocked_on: 'muestras_impresas',
      pending_action: { approval: { act: 'muestras_revision', role: 'titular_cuenta' } },
    })
    const { data, sha256 } = await samples()
    const { cases } = await empresa.certification()
    const shown = data.map((one: { tipo_dte: number; folio: number; case_id: string; cedible: boolean }) =>
      [one.case_id, one.tipo_dte, one.folio, one.cedible].join(' '),
    )
    // Every case as it is, and a second page of those that can be ceded.
    expect(shown).toEqual(
      cases.flatMap(({ case_id, tipo_dte, folio }: { case_id: string; tipo_dte: number; folio: number }) =>
        [false, ...(tipo_dte === 33 ? [true] : [])].map((copy) => [case_id, tipo_dte, folio, copy].join(' ')),
      ),
    )
    expect(sha256).toMatch(/^[0-9a-f]{64}$/)
    expect([count('submitSamples'), count('samplesReviewOf')]).toEqual([0, 0])
  })

  it('are shown on the page of the step, each with its PDF behind the same address, and to nobody else', async () => {
    const path = await pageOf('muestras_impresas')
    const page = await live.world.get(path)
    const { data } = await samples()
    const [plain, copy] = data
    for (const { id } of data) expect(page.text).toContain(`href="${path}/muestras/${id}"`)
    expect(page.text).toContain(`Caso ${plain.case_id}`)
    const pdf = await live.world.get(`${path}/muestras/${copy.id}`)
    expect([pdf.status, pdf.headers['content-type']]).toEqual([200, 'application/pdf'])
    expect(pdf.headers['content-security-policy']).toContain("frame-ancestors 'none'")
    expect(pdf.headers['content-disposition']).toBe(`inline; filename="${copy.file_name}"`)
    expect(pdf.headers['cache-control']).toBe('no-store')
    const text = readText(pdf.bytes)
    for (const part of ['CEDIBLE', 'Res. 0 de', `N° ${copy.folio}`]) expect(text).toContain(part)
    expect(text).not.toContain('SIN VALOR')
    expect(createHash('sha256').update(pdf.bytes).digest('hex')).toBe(copy.sha256)
    const at = `${empresa.base}/onboarding/certification/samples`
    expect((await live.world.get(`${at}/${copy.id}`, { key: empresa.key })).bytes).toEqual(pdf.bytes)
    expect(codeOf(await live.world.get(`${at}/cfil_x`, { key: empresa.key }))).toEqual([
      404,
      'certification_sample_not_found',
    ])
    const [file] = (await empresa.certification()).files
    expect((await live.world.get(`${path}/muestras/${file.id}`)).status).toBe(410)
    expect((await live.world.get(`${path.slice(0, -4)}xxxx/muestras/${copy.id}`)).status).toBe(404)
  })

  it('that the titular declines are not filed, and are printed anew once somebody asks for it', async () => {
    const before = await samples()
    const path = await pageOf('muestras_impresas')
    expect((await decideOn(path, 'decline', { reason: 'Falta el pie de página' })).status).toBe(200)
    await live.advance(DAY)
    expect(count('submitSamples')).toBe(0)
    const brand = { key: empresa.key, body: { footer_text: 'Viña Maule desde 1990' } }
    await live.world.patch(`${empresa.base}/branding`, brand)
    expect((await empresa.post('steps/muestras_impresas/recheck')).status).toBe(202)
    await live.run()
    const after = await samples()
    expect(after.data).toHaveLength(before.data.length)
    expect(after.sha256).not.toBe(before.sha256)
    const stale = { decision: 'approve', approved_by: { ...ROSA, rut: '12345678-5', role: 'titular_cuenta' } }
    const sent = await empresa.post('steps/muestras_impresas/approve', { ...stale, shown: before.sha256 })
    expect(codeOf(sent)).toEqual([409, 'step_not_awaiting_approval'])
  })

  it('wait for a person of ours where the SII has no wire, all in one file, and go on by themselves when given back', async () => {
    const { sha256, data } = await samples()
    expect((await decideOn(await pageOf('muestras_impresas'), 'approve')).status).toBe(200)
    expect((await evidence('muestras_revision')).at(0)).toMatchObject({ document: { sha256 }, via: 'hosted_page' })
    instead = { samplesReviewOf: async () => ({ outcome: 'operator', why: 'a browser application' }) }
    await live.run()
    expect(await empresa.step('muestras_impresas')).toMatchObject({ status: 'in_progress', execution: 'operator' })
    const zip = await live.world.get(`/v1/onboarding/certifications/${empresa.id}/samples`, { headers })
    expect([zip.status, zip.headers['content-type']]).toEqual([200, 'application/zip'])
    for (const { file_name } of data) expect(zip.bytes.includes(file_name)).toBe(true)
    // Done by the SII, and its answer lost: they are handed in once.
    instead = { submitSamples: losing((order) => real.submitSamples(order)) as SiiCertification['submitSamples'] }
    const finding = { code: 'SRH', glosa: 'El timbre no se lee' }
    const refusal = { kind: 'review_refuse', match: 'DOCUMENTOS IMPRESOS', times: 1, finding }
    await live.simulator.control('POST', '/control/scripts', refusal)
    expect((await empresa.operate('steps/muestras_impresas/automatic')).status).toBe(200)
    await live.advance(2 * DAY)
    expect(count('submitSamples')).toBe(1)
    const { status, blocked_reason } = await empresa.step('muestras_impresas')
    expect([status, blocked_reason.code]).toEqual(['failed', 'sii_refused'])
    expect(blocked_reason.details.sentence).toContain('El timbre no se lee')
  })

  it('that the SII refused are printed anew and approved anew, and then the next step opens', async () => {
    instead = {}
    const handed = (await evidence('muestras_revision')).length
    await empresa.post('steps/muestras_impresas/recheck')
    await live.run()
    expect(await empresa.step('muestras_impresas')).toMatchObject({ status: 'action_required' })
    await live.advance(DAY)
    expect(count('submitSamples')).toBe(1)
    const approved_by = { ...ROSA, rut: '12345678-5', role: 'titular_cuenta' }
    const approve = async () => {
      const { sha256 } = await samples()
      await empresa.post('steps/muestras_impresas/approve', { decision: 'approve', approved_by, shown: sha256 })
      await live.advance(2 * DAY)
    }
    // Begun anew while they are on their way: they do not count, and others are printed and asked about.
    instead = {
      async submitSamples(order) {
        await empresa.operate('steps/muestras_impresas/restart')
        return real.submitSamples(order)
      },
    }
    const withdrawn = await empresa.atSii()
    await approve()
    expect(await empresa.step('muestras_impresas')).toMatchObject({ status: 'action_required' })
    expect((await empresa.atSii()).step).toBe(withdrawn.step)
    instead = {}
    await approve()
    const { data } = await samples()
    expect(await empresa.step('muestras_impresas')).toMatchObject({ status: 'completed' })
    expect(count('submitSamples')).toBe(3)
    expect(await evidence('muestras_revision')).toHaveLength(handed + 2)
    const { samples: at_sii, step } = await empresa.atSii()
    expect([at_sii.length, step]).toEqual([data.length, 'DECLARACION DE CUMPLIMIENTO'])
  })
})

describe('the declaration of compliance', () => {
  it('is approved in the SII’s words, and other words are another approval', async () => {
    const { statements } = await empresa.certification()
    expect(statements).toHaveLength(8)
    const path = await pageOf('cumplimiento')
    const page = await live.world.get(path)
    for (const sentence of statements) expect(page.text).toContain(sentence)
    instead = {
      complianceStatements: async () => ({ outcome: 'done', statements: [...statements.slice(1), 'Otra cosa'] }),
    }
    expect((await decideOn(path, 'approve')).status).toBe(200)
    await live.run()
    expect(await empresa.step('cumplimiento')).toMatchObject({ status: 'action_required' })
    expect((await empresa.certification()).statements).toContain('Otra cosa')
    expect(count('declareCompliance')).toBe(0)
  })

  it('is declared once, though its answer is lost, and then the resolución is waited for', async () => {
    instead = {}
    await empresa.approve('cumplimiento', 'representante_legal')
    await live.run()
    // The SII has its own words again: whoever approved the others is asked once more.
    expect(await empresa.step('cumplimiento')).toMatchObject({ status: 'action_required' })
    // A person of ours takes the step in hand before the last page: nothing is declared behind their back.
    instead = {
      async declareCompliance(order) {
        await empresa.operate('steps/cumplimiento/take')
        return real.declareCompliance(order)
      },
    }
    await empresa.approve('cumplimiento', 'representante_legal')
    await live.run()
    expect((await empresa.atSii()).complied_by).not.toEqual(expect.any(String))
    instead = {
      declareCompliance: losing((order) => real.declareCompliance(order)) as SiiCertification['declareCompliance'],
    }
    expect((await empresa.operate('steps/cumplimiento/automatic')).status).toBe(200)
    await live.run()
    instead = {}
    await live.advance(DAY)
    expect(await empresa.step('cumplimiento')).toMatchObject({ status: 'completed' })
    expect(count('declareCompliance')).toBe(2)
    expect((await empresa.atSii()).complied_by).toEqual(expect.any(String))
  })
})
