import { type Identity, type SiiClient, SiiFailure } from '@timbre/sii'
import { describe, expect, it } from 'vitest'
import { SiiUnreachable } from '../../ports/sii.ts'
import { liveTaxpayer } from './taxpayer.ts'

const call = { service: 'dte', operation: 'of_solicita_folios_dcto', ambiente: 'produccion' } as const
const failure = (kind: 'refused' | 'unreachable', reason: string | null) =>
  new SiiFailure(call, { kind, retry: 'never', reason, estado: null, glosa: '', sent: false })
const rut = '76192083-9'
const holder = { rut: '12345678-5', fingerprint: 'f' } as Identity & { tls: { key: string; cert: string } }

/** Asks over a client whose portal lists the companies, and whose folio page answers as given. */
function asked(companies: () => Promise<readonly string[]>, situation: () => Promise<unknown>) {
  const client = { sfg: { companies }, folios: { situation } } as unknown as SiiClient
  const nobody = { identityOf: async () => null, tellProven: async () => undefined, sfgCredentialOf: async () => null }
  return liveTaxpayer({ client, ambiente: 'produccion', ...nobody }).recognises({ rut, holder })
}

const never = () => Promise.reject(new Error('asked'))
const rejecting = (error: Error) => () => Promise.reject(error)

describe('whether the SII lets a person act for a company', () => {
  it('is told by the list of companies of the free portal, and nothing else is asked then', async () => {
    expect(await asked(async () => ['96790240-3', rut], never)).toBe(true)
  })

  it('is told by the page of the folios where the list does not name it', async () => {
    const none = async () => []
    expect(await asked(none, async () => ({ tipos: [33] }))).toBe(true)
    expect(await asked(none, rejecting(failure('refused', 'tipo_not_enabled')))).toBe(true)
    for (const reason of ['user_not_authorised', 'no_permission'])
      expect(await asked(none, rejecting(failure('refused', reason)))).toBe(false)
    expect(await asked(rejecting(failure('refused', 'other')), async () => ({}))).toBe(true)
  })

  it('is not told by what is amiss with the company, nor by silence', async () => {
    for (const reason of ['company_not_authorised', 'no_activity_verification', 'other'])
      expect(await asked(async () => [], rejecting(failure('refused', reason)))).toBeNull()
    await expect(asked(async () => [], rejecting(failure('unreachable', null)))).rejects.toBeInstanceOf(SiiUnreachable)
  })
})
