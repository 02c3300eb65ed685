import { type Ambiente, type Identity, type SiiClient, SiiFailure } from '@timbre/sii'
import type { SiiTaxpayer } from '../../ports/sii-taxpayer.ts'
import { callerFor, type Identities } from './identity.ts'
import { reaching } from './unreachable.ts'

interface TaxpayerParts extends Identities {
  readonly client: SiiClient
  readonly ambiente: Ambiente
}

/** What the folio pages say to a person who is no user of the company, or may do nothing there (PROTOCOLS 10). */
const STRANGER: readonly unknown[] = ['user_not_authorised', 'no_permission']

/** Any tipo does: what is asked is whether the page lets the person into the company at all. */
const TIPO = 33

/**
 * Whether the SII lets a person act for a company. The free portal lists the companies of a person; where it lists none, the page
 * on which folios are asked for tells, before anything is asked for. That the company has something else amiss tells nothing.
 */
async function recognises(
  { client, ambiente }: TaxpayerParts,
  rut: string,
  identity: Identity,
): Promise<boolean | null> {
  const user = { kind: 'certificate', identity } as const
  const companies = await client.sfg.companies({ user, ambiente }).catch(refused)
  if (companies?.includes(rut)) return true
  const reason = await client.folios.situation({ user, ambiente, rut, tipo: TIPO }).then(
    () => 'tipo_not_enabled',
    (error: unknown) =>
      error instanceof SiiFailure && error.kind === 'refused' ? error.reason : Promise.reject(error),
  )
  if (reason === 'tipo_not_enabled') return true
  return STRANGER.includes(reason) ? false : null
}

function refused(error: unknown): null {
  if (error instanceof SiiFailure && error.kind === 'refused') return null
  throw error
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
    recognises: ({ rut, holder }) => reaching(() => recognises(parts, rut, holder)),
  }
}
