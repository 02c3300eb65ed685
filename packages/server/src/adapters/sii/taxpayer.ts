import type { Ambiente, SiiClient } from '@timbre/sii'
import type { SiiTaxpayer } from '../../ports/sii-taxpayer.ts'
import { callerFor, type Identities } from './identity.ts'
import { reaching } from './unreachable.ts'

interface TaxpayerParts extends Identities {
  readonly client: SiiClient
  readonly ambiente: Ambiente
}

/** The public page of emitters, and the chooser of the free portal in the session of the person in custody. */
export function liveTaxpayer(parts: TaxpayerParts): SiiTaxpayer {
  const { client, ambiente } = parts
  return {
    authorisationOf: ({ rut, on }) =>
      reaching(async () => {
        const found = await client.taxpayers.authorisation({ rut, ambiente })
        if (!found) return null
        const valid = found.tipos.filter(({ since, until }) => since <= on && (until === null || until > on))
        return { resolucion: found.resolucion, tipos: valid.map(({ tipo }) => tipo) }
      }),
    worksOnPortal: ({ empresa }) =>
      reaching(async () => {
        const { identity } = await callerFor(parts, empresa, ambiente)
        const companies = await client.sfg.companies({ user: { kind: 'certificate', identity }, ambiente })
        return companies.length === 0 ? null : companies.includes(empresa.rut)
      }),
  }
}
