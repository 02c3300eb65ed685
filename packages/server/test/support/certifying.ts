// A taxpayer on its way through the certification of the SII, which the simulator plays: its people approve, the rest runs.

import { expect, inject } from 'vitest'
import { SCOPE_NAMES } from '../../src/catalog/scopes.ts'
import type { LiveWorld } from './live-world.ts'
import { OPERATOR_SECRET, randomRut, type Sent } from './world.ts'

const PASSWORD = 'clave del certificado'
const NAME = 'Rosa Pérez Soto'

export interface Certifying {
  readonly id: string
  readonly account_id: string
  readonly rut: string
  readonly key: string
  readonly base: string
  onboarding(): Promise<Sent['body']>
  certification(): Promise<Sent['body']>
  step(key: string): Promise<Sent['body']>
  post(path: string, body?: object): Promise<Sent>
  approve(step: string, role: string): Promise<void>
  /** As a person of the operator. */
  operate(path: string, body?: object): Promise<Sent>
  /** What the simulator holds of the certification. */
  atSii(): Promise<Sent['body']>
}

export interface CertifyingOptions {
  readonly doc_types?: readonly number[]
  readonly account_id?: string
  readonly body?: object
}

/** An empresa that signed its mandato and brought its certificate; the SII knows its RUT and has authorised nothing. */
export async function openCertifying(
  live: LiveWorld,
  { doc_types = [33, 56, 61], account_id, body = {} }: CertifyingOptions = {},
): Promise<Certifying> {
  const { world, simulator } = live
  const rut = randomRut()
  const holder = randomRut()
  const account = account_id ?? (await world.account({ plan: 'house' }))
  const key = await world.key(account, { mode: 'live', scopes: SCOPE_NAMES })
  const person = (role: string) => ({ rut: holder, name: NAME, role })
  await simulator.control('POST', '/control/taxpayers', {
    ...{ rut, name: 'Viña Maule S.A.', tipos: [], authorised: false, representatives: [holder] },
  })
  const empresa = {
    rut,
    legal_name: 'Viña Maule S.A.',
    giro: 'Elaboración de vinos',
    acteco: [110_200],
    address: { street: 'Camino Real 5', comuna: 'Talca', city: 'Talca' },
    origen: 'ninguno',
    doc_types,
    ...body,
  }
  const done = async (sent: Promise<Sent>) => {
    const { status, text, body: said } = await sent
    expect([status < 300, text]).toEqual([true, expect.any(String)])
    return said
  }
  const { id } = await done(world.post('/v1/empresas', { key, body: empresa }))
  const base = `/v1/empresas/${id}`
  const at = `${base}/onboarding`
  const certificate = { rut: holder, name: NAME, password: PASSWORD, private_key: inject('personKey') }
  const { pfx } = await simulator.control('POST', '/control/certificates', certificate)
  const { version } = (await world.get('/v1/mandato_terms')).body
  const signed = { terms_version: version, signer: person('representante_legal') }
  await done(world.post(`${base}/mandato`, { key, body: signed }))
  await done(world.post(`${base}/certificate`, { key, body: { file: pfx, password: PASSWORD } }))
  const onboarding = async () => (await world.get(at, { key })).body
  return {
    id,
    account_id: account,
    rut,
    key,
    base,
    onboarding,
    certification: async () => (await world.get(`${at}/certification`, { key })).body,
    step: async (name) => (await onboarding()).steps.find((one: { key: string }) => one.key === name),
    post: (path, sent = {}) => world.post(`${at}/${path}`, { key, body: sent }),
    async approve(step, role) {
      const approval = { decision: 'approve', approved_by: person(role) }
      await done(world.post(`${at}/steps/${step}/approve`, { key, body: approval }))
    },
    operate: (path, sent = {}) =>
      world.post(`${at}/${path}`, {
        headers: { 'svc-operator-secret': OPERATOR_SECRET },
        body: { by: 'Elena', ...sent },
      }),
    async atSii() {
      const { data } = await simulator.control('GET', '/control/certifications')
      return data.find((one: { rut: string }) => one.rut === rut)
    },
  }
}
