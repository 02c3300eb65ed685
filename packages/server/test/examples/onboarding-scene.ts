// The way of a live empresa to its first document: rehearsed by its people, and carried out by the operator.

import { prepareApprovals } from '../support/approval-material.ts'
import { insertCertificate } from '../support/insert-certificate.ts'
import { waitAt } from '../support/onboarding.ts'
import { lockedPersonPfx } from '../support/person-pfx.ts'
import { lastMonth, person } from './cast.ts'
import type { Recorder } from './recorder.ts'
import type { Tenant } from './tenant.ts'

const SET = [
  'SET BASICO - NUMERO DE ATENCION: 414175',
  '===========================================',
  'CASO 414175-1',
  '==============',
  'DOCUMENTO\tFACTURA ELECTRONICA',
  '',
  'ITEM\tCANTIDAD\tPRECIO UNITARIO',
  'Cajón AFECTO\t10\t1000',
].join('\r\n')

const ANA = { by: 'Ana Soto' }
const PASSWORD = 'clave del certificado'

/** An empresa of the sandbox that rehearses what a live one goes through. */
export async function rehearse(film: Recorder, { key }: Tenant): Promise<void> {
  const made = await film.world.post('/v1/empresas', {
    key,
    body: { rut: '76000001-9', legal_name: 'Viña Maule S.A.', giro: 'Elaboración de vinos', doc_types: [33, 39, 61] },
  })
  const params = { empresa_id: made.body.id as string }
  const stand = (lane: string, status?: string) =>
    film.play('test_helpers.onboarding.rehearse', { key, params, body: { lane, ...(status && { status }) } })
  const at = (step: string) => ({ ...params, step })
  await stand('mercado')
  await film.play('onboarding.get', { key, params })
  await film.play('onboarding.links.create', { key, params, body: { step: 'mandato', expires_in_hours: 72 } })
  await film.play('onboarding.links.revoke', { key, params: at('mandato') })
  const { version } = (await film.play('mandato_terms.get')).body
  const signer = person('representante_legal')
  await film.play('mandato.record', { key, params, body: { terms_version: version, signer } })
  await film.play('mandato.get', { key, params })
  await film.play('mandato.revocation_link', { key, params, body: {} })
  const file = lockedPersonPfx(PASSWORD)
  await film.play('certificate.upload', { key, params, body: { file, password: PASSWORD } })
  await film.play('certificate.get', { key, params })
  const approved = { decision: 'approve', approved_by: person('representante_legal') }
  await film.play('onboarding.steps.approve', { key, params: at('sii_postulacion'), body: approved })
  const step = { step: 'sii_postulacion', status: 'completed' }
  await film.play('test_helpers.onboarding.move_step', { key, params, body: step })
  await film.play('onboarding.certification.set_file', {
    key,
    params,
    body: { file: Buffer.from(SET, 'latin1').toString('base64') },
  })
  const inputs = [{ key: 'products', value: 'Vino tinto; Vino blanco' }]
  await film.play('onboarding.certification.inputs', { key, params, body: { inputs } })
  await film.play('onboarding.certification.get', { key, params })
  await film.play('onboarding.evidence.list', { key, params, query: { act: 'mandato_signed' } })
  await film.play('onboarding.evidence.export', { key, params })
  await film.play('certificate.delete', { key, params })
  await stand('sfg', 'credential_pending')
  const credential = { rut: '12345678-5', password: PASSWORD }
  await film.play('sfg_credential.store', { key, params, body: credential })
  await film.play('sfg_credential.get', { key, params })
  await film.play('certificate.upload', { key, params, body: { file, password: PASSWORD } })
  const done = { performed_by: person('titular_certificado') }
  await film.play('onboarding.steps.attest', { key, params: at('clave_centralizado'), body: done })
  await film.play('onboarding.steps.recheck', { key, params: at('usuario_autorizado') })
  await stand('mercado', 'go_live_pending')
  await film.play('onboarding.go_live', {
    key,
    params,
    body: { decision: 'approve', approved_by: person('titular_cuenta') },
  })
  await film.play('sfg_credential.delete', { key, params })
  await film.play('mandato.revoke', { key, params })
}

/** What people of the operator do for live empresas. */
export async function operate(film: Recorder, tenant: Tenant, caf: (rut: string) => string): Promise<void> {
  const { live, account_id } = tenant
  const { world } = film
  const operator = true as const
  await film.play('account.plan.record', { operator, params: { account_id }, body: { plan: 'house' } })
  await film.play('onboarding.switches.list', { operator })
  await film.play('onboarding.switches.turn', {
    operator,
    params: { step: 'sii_postulacion' },
    body: { execution: 'operator' },
  })
  const empresa = async (rut: string, more: object = {}) => {
    const body = { rut, legal_name: 'Viña Maule S.A.', giro: 'Viñas', origen: 'mercado', doc_types: [33], ...more }
    const made = await world.post('/v1/empresas', { key: live, body })
    if (made.status !== 201) throw new Error(made.text)
    return made.body.id as string
  }
  const walker = await empresa('76000002-7')
  const params = { empresa_id: walker }
  await sign(film, live, walker)
  await world.post(`/v1/empresas/${walker}/certificate`, {
    key: live,
    body: { file: lockedPersonPfx(PASSWORD), password: PASSWORD },
  })
  const approved = { decision: 'approve', approved_by: person('representante_legal') }
  await world.post(`/v1/empresas/${walker}/onboarding/steps/sii_postulacion/approve`, { key: live, body: approved })
  await film.play('onboarding.work.list', { operator, query: { step: 'sii_postulacion' } })
  const step = { ...params, step: 'sii_postulacion' }
  await film.play('onboarding.steps.take', { operator, params: step, body: ANA })
  await film.play('onboarding.steps.refuse', {
    operator,
    params: step,
    body: { ...ANA, reason: 'El SII pide el giro de la empresa.' },
  })
  await world.post(`/v1/empresas/${walker}/onboarding/steps/sii_postulacion/recheck`, { key: live })
  await film.play('onboarding.steps.take', { operator, params: step, body: ANA })
  await film.play('onboarding.steps.done', { operator, params: step, body: { ...ANA, note: 'Inscrita en el SII' } })
  const set = { ...params, step: 'set_de_pruebas' }
  await film.play('onboarding.certifications.list', { operator })
  await film.play('onboarding.steps.look', { operator, params: set, body: ANA })
  await film.play('onboarding.steps.restart', { operator, params: set, body: ANA })
  await prepareApprovals(world, walker, 'muestras_impresas')
  const [file] = await world.db.sql<{ id: string }>`
    select id from certification_file where empresa_id = ${walker} order by position limit 1`
  const sample = { ...params, file_id: file?.id ?? '' }
  await film.play('onboarding.certification.samples.get', { key: live, params: sample })
  await film.play('onboarding.certification.samples.zip', { operator, params })
  await film.play('onboarding.certifications.file', { operator, params: sample })
  await giveBack(film, tenant, await empresa(WITHOUT_FOLIOS))
  const declared = await empresa('76000003-5', { resolucion: { numero: 80, fecha: '2014-08-22' } })
  await film.play('resolucion.verify', { operator, params: { empresa_id: declared }, body: { confirm: true } })
  await fileByHand(film, { ...tenant, empresa_id: declared })
  await film.play('cafs.upload', { key: live, empresa: '76000003-5', body: { caf: caf('76000003-5') } })
  await film.play('subscription.record', { operator, params, body: { status: 'active' } })
  await film.play('indicators.load', {
    operator,
    body: { indicators: [{ indicator: 'utm', period: '2026-11', value: '69542' }] },
  })
  await film.play('sii.calls.list', { operator })
}

/** The SII of the scenes grants it no folios, so that the step stays open. */
export const WITHOUT_FOLIOS = '76000004-3'

/** A person takes a step from its job, and gives it back. */
async function giveBack(film: Recorder, { live }: Tenant, empresa_id: string): Promise<void> {
  await sign(film, live, empresa_id)
  await insertCertificate(film.world, empresa_id)
  await waitAt(film.world, empresa_id, 'mercado', 'folios')
  await film.world.db.sql`
    update onboarding_step set status = 'in_progress', opened_at = now() where empresa_id = ${empresa_id} and key = 'folios'`
  const call = { operator: true, params: { empresa_id, step: 'folios' }, body: ANA } as const
  await film.play('onboarding.steps.take', call)
  await film.play('onboarding.steps.automatic', call)
}

async function sign({ world }: Recorder, key: string, empresa_id: string): Promise<void> {
  const { version } = (await world.get('/v1/mandato_terms', {})).body
  const body = { terms_version: version, signer: person('representante_legal') }
  await world.post(`/v1/empresas/${empresa_id}/mandato`, { key, body })
}

/** The operator carries a F29 to the SII by hand, and says what came of it. */
async function fileByHand(film: Recorder, { live, account_id, empresa_id }: Tenant): Promise<void> {
  const { world } = film
  const by = { key: live, empresa: '76000003-5' }
  const period = lastMonth()
  await world.db.sql`
    insert into rcv_sync (account_id, empresa_id, mode, period, last_synced_at)
    values (${account_id}, ${empresa_id}, 'live', ${period}, now())`
  const overrides = [92, 93].map((code) => ({ code, amount: 0, reason: 'Condonado por el SII' }))
  await world.post(`/v1/tax/f29/proposals/${period}/recompute`, { ...by, body: { payroll_tax: 9_000, overrides } })
  const filed = await world.post('/v1/tax/f29/filings', { ...by, body: { period } })
  const params = { filing_id: filed.body.id }
  await film.until('tax.f29.filings.get', { ...by, params }, ({ status }) => status === 'awaiting_operator')
  const body = { confirm: true, outcome: 'accepted', folio: '8123456789' }
  await film.play('tax.f29.filings.outcome', { operator: true, params: { ...params, empresa_id }, body })
}
