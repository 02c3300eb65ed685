import { describe, expect, it } from 'vitest'
import { isClaimedAtSii, objectionTo, standingOf } from './receptor-standing.ts'
import type { ReceptorAnswer } from './schema.ts'

const mail = (action: ReceptorAnswer['action'], signature: 'verified' | 'unproven' = 'unproven'): ReceptorAnswer => ({
  source: 'mail',
  action,
  code: null,
  reason: null,
  signature,
  signer_rut: '11111111-1',
  at: '2026-11-12T12:00:00.000Z',
})
const sii = (action: ReceptorAnswer['action'], code: string): ReceptorAnswer => ({
  ...mail(action),
  source: 'sii',
  code,
  signature: null,
  at: '2026-11-13T12:00:00.000Z',
})

describe('what the receptor answered', () => {
  it('is nothing before the first answer', () => {
    expect(standingOf([])).toEqual({
      status: null,
      basis: null,
      answered_at: null,
      receipt_acknowledged_at: null,
      delivered_at: null,
      answers: [],
    })
  })

  it('adds up: it arrived, the goods did, it is accepted', () => {
    const answers = [mail('delivered'), mail('receipt_acknowledged'), mail('accepted', 'verified')]
    expect(standingOf(answers)).toMatchObject({
      status: 'accepted',
      basis: 'verified',
      answered_at: answers[2]?.at,
      receipt_acknowledged_at: answers[1]?.at,
      delivered_at: answers[0]?.at,
    })
  })

  it('is repeated unless it is better proven, and contradicted unless it weighs more', () => {
    expect(objectionTo(mail('accepted'), [mail('accepted')])).toBe('repeated')
    expect(objectionTo(mail('accepted', 'verified'), [mail('accepted')])).toBeNull()
    expect(objectionTo(mail('claimed'), [mail('accepted')])).toBe('contradicted')
    expect(objectionTo(mail('accepted'), [mail('claimed', 'verified')])).toBe('contradicted')
    // Codes 13 and 6 of the register: no claim after the goods were acknowledged, nor the other way round.
    expect(objectionTo(mail('claimed'), [mail('receipt_acknowledged')])).toBe('contradicted')
    expect(objectionTo(mail('receipt_acknowledged'), [mail('claimed')])).toBe('contradicted')
    expect(objectionTo(mail('not_delivered'), [mail('accepted')])).toBeNull()
  })

  it('is what the register of the SII holds, whatever a mail said before', () => {
    const claim = sii('claimed', 'RCD')
    expect(objectionTo(claim, [mail('accepted', 'verified')])).toBeNull()
    const answers = [mail('receipt_acknowledged'), mail('accepted', 'verified'), claim]
    expect(standingOf(answers)).toMatchObject({
      status: 'claimed',
      basis: 'sii',
      answered_at: claim.at,
      receipt_acknowledged_at: null,
    })
    expect(objectionTo(mail('accepted', 'verified'), answers)).toBe('repeated')
    expect(objectionTo(mail('receipt_acknowledged', 'verified'), answers)).toBe('contradicted')
    // A claim of the content and one of the goods stand side by side in the register.
    expect(objectionTo(sii('claimed', 'RFT'), answers)).toBeNull()
  })

  it('keeps the credit from being ceded only where the register holds the claim', () => {
    expect([null, [mail('claimed', 'verified')], [sii('claimed', 'RFP')]].map(isClaimedAtSii)).toEqual([
      false,
      false,
      true,
    ])
  })
})
