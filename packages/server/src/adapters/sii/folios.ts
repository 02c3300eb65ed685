import {
  type FolioRange,
  type FolioReason,
  type FolioSituation,
  FoliosUncertain,
  type SiiClient,
  SiiFailure,
} from '@timbre/sii'
import { FOLIO_REFUSALS, type FolioRefusalReason } from '../../catalog/folio-refusals.ts'
import type { CafAnswer, CafRequest, FolioRefusal, Sii } from '../../ports/sii.ts'
import { type AmbientePolicy, callerFor, type Identities } from './identity.ts'
import { asUnreachable } from './unreachable.ts'
import { tellWhoStamped } from './who-stamped.ts'

interface FolioParts extends Pick<Identities, 'identityOf'> {
  readonly client: SiiClient
  readonly ambienteOf: AmbientePolicy
}

const isReason = (reason: string | null): reason is FolioRefusalReason =>
  reason !== null && Object.hasOwn(FOLIO_REFUSALS, reason)

/** Every reason of the client is explained in the catalog: one that is not does not compile. */
FOLIO_REFUSALS satisfies Readonly<Record<FolioReason, unknown>>

/** Of a range that was never given, or that somebody annulled since. */
const NOT_GIVEN = ['range_not_offered', 'range_annulled']

/** A refusal in the SII's words; whatever else went wrong is an SII that was not there. */
function refusalOf(error: unknown): FolioRefusal {
  if (!(error instanceof SiiFailure) || error.kind !== 'refused' || error.token_refused) return asUnreachable(error)
  return { sentence: error.glosa ?? error.message, reason: isReason(error.reason) ? error.reason : 'other' }
}

/** What the SII counts as unused is enough for a while: who can do with fewer asks for fewer, and is refused less often. */
export function rationed(
  { quantity, at_least }: Pick<CafRequest, 'quantity' | 'at_least'>,
  { unused }: Pick<FolioSituation, 'unused'>,
): number {
  return at_least === undefined || unused === null ? quantity : Math.max(at_least, quantity - unused)
}

export function liveFolios(parts: FolioParts): Pick<Sii, 'requestCaf' | 'reobtainCaf' | 'annulFolios'> {
  const { client, ambienteOf } = parts
  const questionOf = async ({
    empresa,
    rut,
    tipo_dte,
    ambiente,
  }: Pick<CafRequest, 'empresa' | 'rut' | 'tipo_dte' | 'ambiente'>) => {
    const caller = await callerFor(parts, empresa, ambienteOf(ambiente))
    return {
      user: { kind: 'certificate', identity: caller.identity },
      ambiente: caller.ambiente,
      rut,
      tipo: tipo_dte,
    } as const
  }
  return {
    async requestCaf(request): Promise<CafAnswer> {
      const question = await questionOf(request)
      try {
        const { onOffer } = request
        const quantity = (told: FolioSituation) => rationed(request, told)
        const grant = await client.folios.request({ ...question, quantity, ...(onOffer && { onOffer }) })
        const rationing = { max_per_request: grant.max_authorised, unused: grant.unused }
        return { granted: true, file: grant.file, rationing }
      } catch (error) {
        // The range was given, or may have been, and its file did not come: the SII gives the same one again.
        if (error instanceof FoliosUncertain && error.range) return reobtain(question, error.range)
        return { granted: false, ...refusalOf(error) }
      }
    },
    async reobtainCaf({ from, to, ...asked }) {
      const question = await questionOf(asked)
      try {
        return (await client.folios.reobtain({ ...question, from, to })).file
      } catch (error) {
        if (error instanceof SiiFailure && NOT_GIVEN.includes(error.reason ?? '')) return null
        return asUnreachable(error)
      }
    },
    async annulFolios(annulment) {
      const question = await questionOf(annulment)
      const { from, to } = annulment
      try {
        await client.folios.annul({ ...question, from, to, reason: 'Folios sin uso' })
        return { annulled: true }
      } catch (error) {
        return { annulled: false, ...(await tellWhoStamped(client, question, annulment, refusalOf(error))) }
      }
    },
  }

  async function reobtain(question: Awaited<ReturnType<typeof questionOf>>, range: FolioRange): Promise<CafAnswer> {
    try {
      return { granted: true, file: (await client.folios.reobtain({ ...question, ...range })).file }
    } catch (error) {
      // Not offered: then it was not given either, and may be asked for anew.
      return asUnreachable(error)
    }
  }
}
