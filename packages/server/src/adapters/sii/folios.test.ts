import type { Signer } from '@timbre/dte'
import { FoliosUncertain, type Identity, type SiiClient, SiiFailure } from '@timbre/sii'
import { describe, expect, it } from 'vitest'
import { liveFolios, rationed } from './folios.ts'
import { isSamePerson } from './who-stamped.ts'

const identity = { rut: '12345678-5', fingerprint: 'f', signer: { holder: 'Ana María Soto' } as Signer } as Identity
const empresa = { account_id: 'a', mode: 'live', empresa_id: 'e', rut: '76192083-9' } as const
const call = { service: 'dte', operation: 'af_anular2', ambiente: 'produccion' } as const

function refused(reason: string, glosa: string) {
  return new SiiFailure(call, { kind: 'refused', retry: 'never', reason, estado: null, glosa, sent: false })
}

/** The adapter over a client that does what is given. */
function folios(acts: Partial<SiiClient['folios']>) {
  const client = { folios: acts } as unknown as SiiClient
  return liveFolios({
    client,
    identityOf: async () => identity,
    ambienteOf: (wanted) => wanted,
  })
}

const request = {
  empresa,
  rut: empresa.rut,
  legal_name: 'Viña Maule S.A.',
  tipo_dte: 33,
  quantity: 200,
  resolucion_numero: 80,
  ambiente: 'produccion',
  first_folio: 1,
  on: '2026-11-16',
} as const
const range = { empresa, rut: empresa.rut, ambiente: 'produccion', tipo_dte: 33, from: 5, to: 9 } as const

describe('folios asked of the SII', () => {
  it('are as many as were asked for by a person, whatever the SII counts as unused', () => {
    expect(rationed({ quantity: 200 }, { unused: 190 })).toBe(200)
  })

  it('are fewer by what the SII counts as unused, down to what the service makes do with', () => {
    expect(rationed({ quantity: 200, at_least: 50 }, { unused: 30 })).toBe(170)
    expect(rationed({ quantity: 200, at_least: 50 }, { unused: 5_000 })).toBe(50)
    expect(rationed({ quantity: 200, at_least: 50 }, { unused: null })).toBe(200)
  })

  it('come with what the SII said about its rationing', async () => {
    const { requestCaf } = folios({
      request: async () => ({ file: Buffer.from('caf'), from: 1, to: 50, tipos: [33], max_authorised: 50, unused: 12 }),
    })
    expect(await requestCaf(request)).toMatchObject({ granted: true, rationing: { max_per_request: 50, unused: 12 } })
  })

  it('are refused in the words of the SII, with a reason of the catalog; one that is unknown there is `other`', async () => {
    for (const [told, reason] of [
      ['visit_required', 'visit_required'],
      ['brand_new', 'other'],
    ] as const) {
      const { requestCaf } = folios({ request: () => Promise.reject(refused(told, 'NO SE AUTORIZA TIMBRAJE')) })
      expect(await requestCaf(request)).toEqual({ granted: false, sentence: 'NO SE AUTORIZA TIMBRAJE', reason })
    }
  })

  it('are obtained again where they were given and their file did not come', async () => {
    const uncertain = new FoliosUncertain(refused('already_authorised', 'YA FUE AUTORIZADO'), { from: 1, to: 50 })
    const file = Buffer.from('caf')
    const { requestCaf } = folios({
      request: () => Promise.reject(uncertain),
      reobtain: async ({ from, to }) => ({ file, from, to }),
    })
    expect(await requestCaf(request)).toEqual({ granted: true, file })
  })
})

describe('folios that the SII does not offer for annulment', () => {
  const stamped = (person: string) => [{ date: '2026-09-01', quantity: 50, from: 1, to: 50, person }]
  const annul = (history: SiiClient['folios']['history']) =>
    folios({ annul: () => Promise.reject(refused('range_not_offered', 'No hay folios')), history }).annulFolios(range)

  it('were stamped by another person, who is named: only that one may annul them', async () => {
    expect(await annul(async () => stamped('PEDRO ROJAS'))).toEqual({
      annulled: false,
      sentence: 'No hay folios',
      reason: 'stamped_by_another',
      advice: expect.stringMatching(/^PEDRO ROJAS stamped these folios on 2026-09-01, and only whoever stamped/),
    })
  })

  it('stay unexplained where the holder stamped them, or the history does not tell', async () => {
    const told = { annulled: false, sentence: 'No hay folios', reason: 'range_not_offered' }
    expect(await annul(async () => stamped('SOTO ANA'))).toEqual(told)
    expect(await annul(async () => [])).toEqual(told)
    expect(await annul(() => Promise.reject(refused('other', 'x')))).toEqual(told)
  })

  it('name a person in any order, shortened, without accents or by RUT', () => {
    for (const named of ['SOTO ANA MARIA', 'Ana Soto', '12.345.678-5']) expect(isSamePerson(named, identity)).toBe(true)
    for (const named of ['ANA ROJAS', 'PEDRO SOTO', '']) expect(isSamePerson(named, identity)).toBe(false)
  })
})
