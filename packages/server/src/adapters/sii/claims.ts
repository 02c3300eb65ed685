import type { SiiClient } from '@timbre/sii'
import type { RegisterAction } from '../../catalog/reception.ts'
import type { RegisteredAnswer, SiiClaims } from '../../ports/sii-reception.ts'
import { callerFor, type Identities } from './identity.ts'
import { reaching } from './unreachable.ts'

interface ClaimParts extends Identities {
  readonly client: SiiClient
  readonly ambiente: 'certificacion' | 'produccion'
}

/** Documents that the register knows (Ley 19.983). */
const ANSWERABLE: readonly number[] = [33, 34, 43]
const ACTIONS: readonly string[] = ['ACD', 'ERM', 'RCD', 'RFP', 'RFT'] satisfies RegisterAction[]

export function liveClaims(parts: ClaimParts): SiiClaims {
  const { client, ambiente } = parts
  return {
    async respondTo({ empresa, document, action }) {
      const caller = await callerFor(parts, empresa, ambiente)
      const { code, glosa } = await reaching(() => client.claims.register(caller, document, action))
      return { code, sentence: glosa }
    },
    async answersTo({ empresa, documents }) {
      const caller = await callerFor(parts, empresa, ambiente)
      const answers = new Map<string, readonly RegisteredAnswer[]>()
      for (const { id, tipo_dte, folio } of documents.filter((one) => ANSWERABLE.includes(one.tipo_dte))) {
        const asked = { emisor_rut: empresa.rut, tipo_dte, folio }
        const { events } = await reaching(() => client.claims.events(caller, asked))
        const registered = events.filter(({ code }) => ACTIONS.includes(code))
        if (registered.length === 0) continue
        answers.set(
          id,
          registered.map(({ code, person_rut, at }) => ({ action: code as RegisterAction, person_rut, at })),
        )
      }
      return answers
    },
  }
}
