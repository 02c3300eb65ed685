import { type FolioRange, type FolioReason, FoliosUncertain, type SiiClient, SiiFailure } from '@timbre/sii'
import type { CafAnswer, CafRequest, Sii } from '../../ports/sii.ts'
import { type AmbientePolicy, callerFor, type Identities } from './identity.ts'
import { asUnreachable } from './unreachable.ts'

/** What somebody can do about folios that the SII does not give. Its own sentence stands before it. */
const ADVICE: Readonly<Record<FolioReason, string>> = {
  not_authorised:
    'The SII gives folios by what was used before: issue with those that are left, ask for fewer, or see what is pending in the taxpayer’s account at sii.cl.',
  no_activity_verification: 'The taxpayer has to ask for the verificación de actividades at the SII first.',
  company_not_authorised: 'The taxpayer is not authorised to issue electronic documents in this environment.',
  user_not_authorised:
    'The holder of the certificate is not a user of the taxpayer: the representante legal enrols them at sii.cl.',
  no_permission:
    'The holder of the certificate lacks the permission to ask for folios: the representante legal grants it at sii.cl.',
  visit_required: 'The SII asks the taxpayer to come to its office; no request helps before that.',
  max_exceeded: 'Ask for fewer: the SII gives at most what the sentence says.',
  tipo_not_enabled: 'The taxpayer is not enabled for this tipo; the tipos that it is enabled for are listed.',
  already_authorised: 'The range was given before; it is obtained again by asking once more.',
  range_not_offered: 'The SII does not offer this range.',
  range_annulled: 'The range was annulled.',
  folio_received: 'The SII has received documents with some of these folios.',
  other: 'The SII gave no other reason.',
}

interface FolioParts extends Identities {
  readonly client: SiiClient
  readonly ambienteOf: AmbientePolicy
}

function refusalOf(error: unknown): { readonly sentence: string; readonly advice: string | null } {
  if (!(error instanceof SiiFailure) || error.kind !== 'refused' || error.token_refused) return asUnreachable(error)
  const advice = error.reason === null ? null : (ADVICE[error.reason as FolioReason] ?? null)
  return { sentence: error.glosa ?? error.message, advice }
}

export function liveFolios(parts: FolioParts): Pick<Sii, 'requestCaf' | 'annulFolios'> {
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
        const { file } = await client.folios.request({ ...question, quantity: request.quantity })
        return { granted: true, file }
      } catch (error) {
        // The range was given, or may have been, and its file did not come: the SII gives the same one again.
        if (error instanceof FoliosUncertain && error.range) return reobtain(question, error.range)
        return { granted: false, ...refusalOf(error) }
      }
    },
    async annulFolios(annulment) {
      const question = await questionOf(annulment)
      const { from, to } = annulment
      try {
        await client.folios.annul({ ...question, from, to, reason: 'Folios sin uso' })
        return { annulled: true }
      } catch (error) {
        const { sentence, advice } = refusalOf(error)
        return { annulled: false, sentence: advice === null ? sentence : `${sentence} ${advice}` }
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
