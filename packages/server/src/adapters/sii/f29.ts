import { type Caller, type SiiClient, SiiFailure } from '@timbre/sii'
import { SiiUnreachable } from '../../ports/sii.ts'
import { F29_NOT_SHOWN, type SiiF29 } from '../../ports/sii-f29.ts'
import { callerFor, type Identities } from './identity.ts'
import { asUnreachable, isRefusal } from './unreachable.ts'

interface F29Parts extends Identities {
  readonly client: SiiClient
  readonly ambiente: Caller['ambiente']
}

/** No public source says what the SII's own page sends when it files: a person of the operator does it. */
async function unverified(): Promise<never> {
  throw new SiiUnreachable('filing an F29 over the wire of the SII is unverified: the operator files it')
}

/**
 * What the SII proposes for a period. Its page belongs to the company alone (its own clave). A session by certificate is
 * one of the holder: it is the company's own where the empresa is a person who holds the certificate. For any other
 * empresa it is not asked, which would cost a session of that person and be refused.
 */
export function liveF29(parts: F29Parts): SiiF29 {
  const { client, ambiente } = parts
  return {
    async proposedF29({ empresa, period }) {
      const { identity } = await callerFor(parts, empresa, ambiente)
      if (identity.rut !== empresa.rut) return F29_NOT_SHOWN
      const user = { kind: 'certificate', identity } as const
      try {
        const proposal = await client.f29.proposal({ user, ambiente, rut: empresa.rut, period })
        if (proposal === null) return null
        return proposal.codes
          .map(({ code, value }) => ({ code: Number(code), amount: Number(value) }))
          .filter(({ code, amount }) => Number.isSafeInteger(code) && Number.isSafeInteger(amount))
      } catch (error) {
        if (error instanceof SiiFailure && error.reason === 'session_of_another_company') return F29_NOT_SHOWN
        // A session that was lost, or a page in the place of an answer, does not say that there is no proposal.
        if (isRefusal(error)) return null
        return asUnreachable(error)
      }
    },
    fileF29: unverified,
    f29StateOf: unverified,
  }
}
