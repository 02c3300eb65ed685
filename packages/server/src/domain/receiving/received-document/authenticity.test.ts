import { describe, expect, it } from 'vitest'
import { AUTHENTICITY_REASON_CODES, AUTHENTICITY_REASONS } from '../../../catalog/authenticity.ts'
import type { Evidence, Heading, InspectedDocument } from '../../../ports/inspection.ts'
import { isBetterProven, judge } from './authenticity.ts'
import { doubtsIn } from './copy.ts'
import type { Authenticity } from './schema.ts'

const RECEIVED = new Date('2026-11-10T18:00:00Z')
const PROVEN: Evidence['issuer'] = {
  issuer: 'proven',
  windows: [{ from: new Date('2020-01-01T00:00:00Z'), until: new Date('2030-01-01T00:00:00Z') }],
}
const SIGNER = { rut: '76543210-3', valid_from: '2025-01-01T00:00:00.000Z', valid_until: '2027-01-01T00:00:00.000Z' }
const GENUINE: Evidence = {
  signer: SIGNER,
  issuer: PROVEN,
  stamped_at: '2026-11-10T12:00:00',
  texts_apart: [],
  agreement: { totals: [], lines: [] },
}
function verdict(changes: Partial<Evidence> = {}, signed_at: string | null = '2026-11-10T12:00:00', at = RECEIVED) {
  const document = {
    heading: { emisor_rut: '76543210-3' } as Heading,
    fault: null,
    authentic: true,
    evidence: { ...GENUINE, ...changes },
    xml: Buffer.alloc(0),
    dte: null,
    digest: '',
    signed_at,
  } satisfies InspectedDocument
  const { fault, authentic, authenticity } = judge(document, at)
  return fault ? { fault: fault.reason, authentic } : authenticity
}
const unproven = (...reasons: string[]) => ({ status: 'unproven', reasons })
const contradicted = (fault: string) => ({ fault, authentic: false })

describe('a received document', () => {
  it('is verified when a CA vouches for the emisor who signed it in time, and all of it agrees', () => {
    expect(verdict()).toEqual({ status: 'verified', reasons: [] })
  })

  it('is unproven by a name alone, by its own word or by a CA that was not valid then', () => {
    expect(verdict({ issuer: { issuer: 'unknown' } })).toEqual(unproven('issuer_unknown'))
    expect(verdict({ issuer: { issuer: 'unproven' } })).toEqual(unproven('issuer_unproven'))
    expect(verdict({ issuer: { issuer: 'self_signed' } })).toEqual(unproven('certificate_self_signed'))
    const windows = [{ from: new Date('2010-01-01T00:00:00Z'), until: new Date('2020-01-01T00:00:00Z') }]
    expect(verdict({ issuer: { issuer: 'proven', windows } })).toEqual(unproven('issuer_unproven'))
  })

  it('contradicts itself when its certificate was not valid at its signature, or had expired before its timbre', () => {
    expect(verdict({}, '2027-01-02T12:00:00', new Date('2027-01-02T18:00:00Z'))).toEqual(
      contradicted('certificate_not_valid'),
    )
    expect(verdict({}, '2024-12-30T12:00:00')).toEqual(contradicted('certificate_not_valid'))
    const expired = { ...SIGNER, valid_until: '2026-11-01T00:00:00.000Z' }
    expect(verdict({ signer: expired }, '2026-10-20T12:00:00')).toEqual(contradicted('certificate_not_valid'))
  })

  it('is unproven when it cannot be told that the certificate was valid when it signed', () => {
    expect(verdict({}, null)).toEqual(unproven('signing_time_unproven'))
    expect(verdict({}, '10-11-2026')).toEqual(unproven('signing_time_unproven'))
    expect(verdict({}, '2026-11-12T12:00:00')).toEqual(unproven('signing_time_unproven'))
    expect(verdict({}, '2026-11-08T12:00:00')).toEqual(unproven('signing_time_unproven'))
    expect(verdict({}, undefined, new Date('2027-02-01T12:00:00Z'))).toEqual(unproven('certificate_expired_since'))
  })

  it('is unproven when another person signed it, or one without a RUT: the SII knows who is authorised', () => {
    expect(verdict({ signer: { ...SIGNER, rut: '11111111-1' } })).toEqual(unproven('signer_not_emisor'))
    expect(verdict({ signer: { ...SIGNER, rut: null } })).toEqual(unproven('signer_unnamed'))
  })

  it('contradicts itself when its timbre or its totals are of another, unless a CA vouches for its signer', () => {
    const issuer = { issuer: 'unknown' } as const
    const agreement = { totals: ['iva'], lines: [] } as const
    expect(verdict({ issuer, texts_apart: ['IT1'] })).toEqual(contradicted('timbre_mismatch'))
    expect(verdict({ issuer, agreement })).toEqual(contradicted('totals_mismatch'))
    expect(verdict({ texts_apart: ['RSR'], agreement })).toEqual(unproven('timbre_text_mismatch', 'totals_mismatch'))
  })

  it('contradicts itself when nobody vouches for it and its amounts cannot be checked, but for a liquidación within its total', () => {
    const evidence = { ...GENUINE, issuer: { issuer: 'self_signed' }, agreement: null } as const
    const told = (amounts: Partial<Heading>, dte: InspectedDocument['dte'] = null) => {
      const heading = { emisor_rut: '76543210-3', net: 1000, exempt: 0, iva: 190, total: 1000, ...amounts } as Heading
      const rest = { fault: null, authentic: true, xml: Buffer.alloc(0), digest: '', signed_at: '2026-11-10T12:00:00' }
      return judge({ ...rest, heading, evidence, dte }, RECEIVED).fault?.reason ?? null
    }
    expect(told({}, {} as InspectedDocument['dte'])).toBe('totals_mismatch')
    expect(told({})).toBeNull()
    for (const amounts of [{ iva: 1e12 }, { net: 1e12 }, { exempt: 1e12 }, { net: 0 }, { exempt: -5 }]) {
      expect(told(amounts)).toBe('totals_mismatch')
    }
  })

  it('is unproven when a line is not its price, or the amounts could not be checked', () => {
    expect(verdict({ agreement: { totals: [], lines: [2] } })).toEqual(unproven('line_amount_mismatch'))
    expect(verdict({ agreement: null })).toEqual(unproven('totals_unchecked'))
  })

  it('takes the place of another only when its gravest doubt is lighter', () => {
    const said = (...reasons: Authenticity['reasons']): Authenticity => ({
      status: reasons.length === 0 ? 'verified' : 'unproven',
      reasons,
    })
    const [verified, person, forged] = [said(), said('signer_not_emisor'), said('signer_not_emisor', 'issuer_unknown')]
    expect([isBetterProven(verified, person), isBetterProven(person, forged)]).toEqual([true, true])
    for (const one of [verified, person, forged]) expect(isBetterProven(one, one)).toBe(false)
    expect([isBetterProven(person, verified), isBetterProven(forged, person)]).toEqual([false, false])
    for (const reason of AUTHENTICITY_REASON_CODES) expect(isBetterProven(said(reason), verified)).toBe(false)
  })

  it('says every doubt in plain Spanish, and nothing when there is none', () => {
    expect(doubtsIn({ status: 'verified', reasons: [] })).toBeNull()
    const said = doubtsIn({ status: 'unproven', reasons: AUTHENTICITY_REASON_CODES }) ?? ''
    expect(said.split('; ')).toHaveLength(Object.keys(AUTHENTICITY_REASONS).length)
  })
})
