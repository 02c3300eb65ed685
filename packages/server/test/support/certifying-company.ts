// A company that certifies against the simulator of the SII, through the adapter alone: no service, no database.

import { createHash, X509Certificate } from 'node:crypto'
import {
  type EnvelopeStep,
  type Plan,
  type PlanInputs,
  type PlanStep,
  type Sample,
  signStep,
} from '@timbre/certification'
import { type Caf, latin1Bytes, openCertificate, readCaf, type TipoDte } from '@timbre/dte'
import { renderPdf } from '@timbre/dte/print'
import {
  type Identity,
  memorySessions,
  memoryTokens,
  openSiiClient,
  type SiiClient,
  type SiiHosts,
  simulatedHosts,
} from '@timbre/sii'
import { expect, inject } from 'vitest'
import { liveCertification } from '../../src/adapters/sii/certification.ts'
import { SiiUnreachable } from '../../src/ports/sii.ts'
import type { SiiCertification } from '../../src/ports/sii-certification.ts'
import { openSimulatorProcess, type SimulatorProcess } from './simulator-process.ts'

const PERSON = '12345678-5'
const NOON = '2026-10-05T15:00:00Z'
/** Its day in Santiago. */
export const TODAY = '2026-10-05'
const RUT = '76543210-3'
const EMPRESA = { account_id: 'a', mode: 'live', empresa_id: 'e', rut: RUT } as const
const FOLIOS = 40

const EMISOR = {
  rut: RUT,
  legal_name: 'Comercial Quillay SpA',
  giro: 'Comercio al por menor',
  acteco: [471_100],
  address: { street: 'Av. Los Boldos 1200', comuna: 'Talca' },
}
const RECEPTORES = ['77123456-9', '78901234-2', '76192083-9', '97004000-5', '76086428-5'].map((rut, index) => ({
  rut,
  legal_name: `Cliente ${index + 1} Ltda.`,
  giro: 'Comercio',
  address: { street: `Calle Larga ${index + 1}`, comuna: 'Maipú' },
}))

export interface CertifyingCompany {
  readonly rut: string
  readonly empresa: typeof EMPRESA
  readonly approved_by: { readonly rut: string; readonly name: string }
  readonly simulator: SimulatorProcess
  readonly client: SiiClient
  readonly identity: Identity
  readonly sii: SiiCertification
  /** The folios of tipos, from the simulator's control: how they are asked for is no matter here. */
  takeFolios(tipos: readonly TipoDte[]): Promise<void>
  /** What a plan asks of the taxpayer, with folios that no plan before had. */
  inputs(resolucion_date: string): PlanInputs
  sign(plan: Plan, step: PlanStep): Promise<Uint8Array>
  /** Some documents of a step. */
  part(step: EnvelopeStep, from: number, to?: number): EnvelopeStep
  print(sample: Sample): Promise<Uint8Array>
  /** Lets the clock of the SII go on. */
  wait(seconds?: number): Promise<void>
  /** The next act is done, and its answer lost on the way. It is asked for again after a while, and that answer comes. */
  twice<T>(door: string, match: string, act: () => Promise<T>): Promise<T>
  /** Has the SII refuse something once, in words: see the README of the simulator. */
  refuse(kind: string, door: string, match: string, glosa: string): Promise<void>
  close(): Promise<void>
}

export async function openCertifyingCompany(): Promise<CertifyingCompany> {
  const simulator = await openSimulatorProcess()
  const { control } = simulator
  await control('POST', '/control/clock', { now: NOON, frozen: true })
  await control('POST', '/control/taxpayers', {
    ...{ rut: RUT, name: EMISOR.legal_name, authorised: false, tipos: [], representatives: [PERSON] },
  })
  const identity = await newIdentity(simulator)
  const client = openSiiClient({
    hosts: simulatedHosts(simulator.url) satisfies Readonly<Record<string, SiiHosts>>,
    ca: simulator.ca,
    tokens: memoryTokens(),
    sessions: memorySessions(),
    onCall: () => undefined,
    sleep: async () => undefined,
  })
  const cafs = new Map<number, Caf>()
  const given = new Map<number, number>()
  /** Signed a second later each, so that no two files are the same. */
  let second = 0
  const wait = (seconds = 10) => control('POST', '/control/clock', { advance_seconds: seconds })
  return {
    rut: RUT,
    empresa: EMPRESA,
    approved_by: { rut: PERSON, name: 'Ana Soto Reyes' },
    simulator,
    client,
    identity,
    sii: liveCertification({ client, identityOf: async () => identity }),
    async takeFolios(tipos) {
      for (const tipo of tipos) {
        const order = { rut: RUT, tipo, ambiente: 'certificacion', quantity: FOLIOS }
        const file = readCaf(latin1Bytes(await control('POST', '/control/cafs', order)), simulator.caf_keys)
        if (!file.ok) throw new Error(file.refusal.message)
        cafs.set(tipo, file.value)
      }
    },
    inputs(resolucion_date) {
      const folios = [...cafs.keys()].map((tipo) => {
        const first = (given.get(tipo) ?? 0) + 1
        return [tipo, Array.from({ length: FOLIOS - first + 1 }, (_, index) => first + index)] as const
      })
      const head = { emisor: EMISOR, receptores: RECEPTORES, issue_date: TODAY, resolucion_date }
      return { ...head, folios: Object.fromEntries(folios) }
    },
    async sign(plan, step) {
      second++
      const tmst_firma = `${TODAY}T11:${String(Math.floor(second / 60)).padStart(2, '0')}:${String(second % 60).padStart(2, '0')}`
      const cafOf = (tipo: number) => cafs.get(tipo) ?? expect.unreachable(`no folios of ${tipo}`)
      const signed = await signStep(plan, step, { signer: identity.signer, envia_rut: PERSON, tmst_firma, cafOf })
      if (!signed.ok) throw new Error(signed.refusal.message)
      for (const { dte } of step.step === 'envelope' ? step.documents : [])
        given.set(dte.tipo_dte, Math.max(given.get(dte.tipo_dte) ?? 0, dte.folio))
      return latin1Bytes(signed.value)
    },
    part: (step, from, to) => ({ ...step, documents: step.documents.slice(from, to) }),
    print({ dte, xml, resolucion, cedible }) {
      const ted = /<TED[\s\S]*<\/TED>/.exec(Buffer.from(xml).toString('latin1'))?.[0] ?? ''
      return renderPdf(dte, { format: 'letter', ted, resolucion, cedible, created_at: NOON })
    },
    wait,
    async twice(door, match, act) {
      await simulator.script({ door, kind: 'reset_before_answer', match })
      await expect(act()).rejects.toThrow(SiiUnreachable)
      // Done again, it would have another hour.
      await wait(1)
      return act()
    },
    refuse: (kind, door, match, glosa) => simulator.script({ kind, door, match, finding: { code: 'SRH', glosa } }),
    async close() {
      await client.close()
      await simulator.close()
    },
  }
}

async function newIdentity({ control }: SimulatorProcess): Promise<Identity> {
  const password = 'clave'
  const certificate = { rut: PERSON, name: 'Ana Soto Reyes', password, private_key: inject('personKey') }
  const { pfx } = await control('POST', '/control/certificates', certificate)
  const opened = openCertificate(Buffer.from(pfx, 'base64'), password, new Date(NOON))
  if (!opened.ok) throw new Error(opened.refusal.message)
  const { signer, key, certificate: der } = opened.value
  const fingerprint = createHash('sha256').update(der).digest('hex')
  return { rut: PERSON, fingerprint, signer, tls: { cert: new X509Certificate(der).toString(), key } }
}
