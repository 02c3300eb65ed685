import { SiiFailure } from '@timbre/sii'
import { describe, expect, it } from 'vitest'
import { SiiUnreachable } from '../../ports/sii.ts'
import { F29_NOT_SHOWN } from '../../ports/sii-f29.ts'
import { liveF29 } from './f29.ts'

const empresa = { account_id: 'acc_1', empresa_id: 'emp_1', mode: 'live', rut: '12345678-5' } as never
const question = { empresa, period: '2026-10', at: new Date('2026-11-16T12:00:00Z') }

/** An SII whose proposal answers this, for the holder of this certificate. */
function f29Of(holder: string, answer: () => unknown) {
  const asked: unknown[] = []
  const proposal = async (one: unknown) => {
    asked.push(one)
    return answer()
  }
  const identity = { rut: holder } as never
  const parts = {
    client: { f29: { proposal } } as never,
    ambiente: 'produccion' as const,
    identityOf: async () => identity,
    tellProven: async () => undefined,
    sfgCredentialOf: async () => null,
  }
  return { sii: liveF29(parts), asked }
}

const refusal = (reason: string | null) => () => {
  const call = { service: 'portal', operation: 'getDeclaracion', ambiente: 'produccion' } as const
  throw new SiiFailure(call, { kind: 'refused', retry: 'never', reason, glosa: null, sent: true })
}

describe('the proposal of the F29 at the SII', () => {
  it('is read where the certificate is of the empresa itself', async () => {
    const codes = [
      { code: '502', value: '190' },
      { code: '115', value: '0.125' },
    ]
    const { sii } = f29Of('12345678-5', () => ({ codes, kind: 40 }))
    expect(await sii.proposedF29(question)).toEqual([{ code: 502, amount: 190 }])
  })

  it('is not asked for with the certificate of somebody else, whose session the SII would refuse', async () => {
    const { sii, asked } = f29Of('11111111-1', () => null)
    expect(await sii.proposedF29(question)).toBe(F29_NOT_SHOWN)
    expect(asked).toEqual([])
  })

  it('is told apart from none where the SII refuses the session, and from a refusal of another kind', async () => {
    expect(await f29Of('12345678-5', refusal('session_of_another_company')).sii.proposedF29(question)).toBe(
      F29_NOT_SHOWN,
    )
    expect(await f29Of('12345678-5', refusal(null)).sii.proposedF29(question)).toBeNull()
  })

  it('is not taken for none where the session was lost', async () => {
    const lost = () => {
      const call = { service: 'portal', operation: 'getDeclaracion', ambiente: 'produccion' } as const
      throw new SiiFailure(call, { kind: 'refused', retry: 'later', estado: 'session_lost', token_refused: true })
    }
    await expect(f29Of('12345678-5', lost).sii.proposedF29(question)).rejects.toThrow(SiiUnreachable)
  })
})
