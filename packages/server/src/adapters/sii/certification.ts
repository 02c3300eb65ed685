import {
  type Advance,
  type CertificationReason,
  type CertificationService,
  ENVELOPE_NOT_FOUND,
  type PostulatedTipo,
  type SiiClient,
  SiiFailure,
} from '@timbre/sii'
import type { EmpresaScope } from '../../kernel/scope.ts'
import type {
  CertificationAdvance,
  CertificationAnswer,
  CertificationRefusalReason,
  SiiCertification,
} from '../../ports/sii-certification.ts'
import { callerFor, type Identities } from './identity.ts'
import { asUnreachable, reaching } from './unreachable.ts'

interface CertificationParts extends Pick<Identities, 'identityOf'> {
  readonly client: SiiClient
}

/** Certification happens there, whatever the rest of the service asks. */
const AMBIENTE = 'certificacion'

/** Reasons of the client that are refusals to the domain: one that is missing does not compile. */
const REASONS: Readonly<Record<Exclude<CertificationReason, 'no_wire'>, CertificationRefusalReason>> = {
  basic_set_not_approved: 'basic_set_not_approved',
  wrong_date: 'wrong_date',
  set_expired: 'set_expired',
  not_postulated: 'not_postulated',
  step_not_finished: 'step_not_finished',
  step_passed: 'step_passed',
  representative_needed: 'representative_needed',
  no_activity_verification: 'no_activity_verification',
  company_not_authorised: 'company_not_authorised',
  user_not_authorised: 'user_not_authorised',
  no_permission: 'no_permission',
  other: 'other',
}

const POSTULATED: ReadonlySet<number> = new Set<PostulatedTipo>([33, 34, 39, 41, 43, 46, 52, 56, 61, 110])

/** The pages of certification, in the session of the person whose certificate is in custody. */
export function liveCertification(parts: CertificationParts): SiiCertification {
  const { client } = parts
  const pages = client.certification
  /** Asks in the session of whoever acts for the empresa. */
  const asking = async <T extends object>(
    empresa: EmpresaScope,
    ask: (question: Parameters<CertificationService['advance']>[0]) => Promise<T>,
  ): Promise<CertificationAnswer<T>> => {
    const { identity } = await callerFor(parts, empresa, AMBIENTE)
    return answering(() => ask({ user: { kind: 'certificate', identity }, rut: empresa.rut }))
  }
  return {
    async postulate({ empresa, tipos, accept_loss_of_sfg }) {
      const wanted = tipos.filter((tipo): tipo is PostulatedTipo => POSTULATED.has(tipo))
      if (wanted.length < tipos.length) throw new TypeError(`nobody postulates for all of ${tipos.join(', ')}`)
      const order = { tipos: wanted, accept_loss_of_sfg }
      const answer = await asking(empresa, (question) => pages.postulate({ ...question, ...order }))
      if (answer.outcome !== 'done') return answer
      if (!answer.postulated) return { outcome: 'loss_of_sfg', warning: answer.warning }
      return { outcome: 'done', before: answer.before, sentence: answer.sentence }
    },
    resolucionOf: ({ empresa: { rut } }) =>
      reaching(async () => {
        const found = await client.taxpayers.authorisation({ rut, ambiente: AMBIENTE })
        if (!found) return null
        const valid = found.tipos.filter(({ until }) => until === null)
        return { date: found.resolucion.fecha, tipos: valid.map(({ tipo }) => tipo) }
      }),
    requestSet: ({ empresa }) =>
      asking(empresa, async (question) => ({ file: (await pages.requestSet(question)).file })),
    async upload({ empresa, file_name, file }) {
      const caller = await callerFor(parts, empresa, AMBIENTE)
      const upload = { company_rut: empresa.rut, file_name, bytes: file }
      return answering(async () => ({ track_id: (await client.dte.upload(caller, upload)).track_id }))
    },
    async uploadStateOf({ empresa, track_id }) {
      const caller = await callerFor(parts, empresa, AMBIENTE)
      const question = { company_rut: empresa.rut, track_id, may_count_nothing: true }
      try {
        const { outcome, estado, glosa } = await client.dte.envelopeStatus(caller, question)
        return { outcome, estado, glosa }
      } catch (error) {
        if (!(error instanceof SiiFailure) || error.reason !== ENVELOPE_NOT_FOUND) return asUnreachable(error)
        return { outcome: 'unknown', estado: error.estado ?? '', glosa: error.glosa }
      }
    },
    advanceOf: ({ empresa }) => asking(empresa, async (question) => shown(await pages.advance(question))),
    progressOf: ({ empresa }) => asking(empresa, async (question) => shown(await pages.progress(question))),
    declare: ({ empresa, sets }) =>
      asking(empresa, async (question) => {
        const { taken, refused, ...advance } = await pages.declare({ ...question, sets })
        const told = refused.map(({ reason, ...one }) => ({ ...one, reason: reasonOf(reason) }))
        return { advance: shown(advance), taken, refused: told }
      }),
    goOn: ({ empresa, from }) => asking(empresa, (question) => pages.goOn({ ...question, from })),
    exchangeEnvelope: ({ empresa }) =>
      asking(empresa, async (question) => ({ file: await pages.exchangeEnvelope(question) })),
    answerExchange: ({ empresa, ...answers }) =>
      asking(empresa, (question) => pages.answerExchange({ ...question, ...answers })),
    submitSamples: ({ empresa, ...order }) =>
      asking(empresa, (question) => pages.submitSamples({ ...question, ...order })),
    samplesReviewOf: ({ empresa }) => asking(empresa, (question) => pages.samplesReview(question)),
    complianceStatements: ({ empresa }) =>
      asking(empresa, async (question) => ({ statements: await pages.complianceStatements(question) })),
    declareCompliance: ({ empresa, ...order }) =>
      asking(empresa, async (question) => {
        const { moved, step, sentence, statements } = await pages.declareCompliance({ ...question, ...order })
        return { moved, step, sentence, statements }
      }),
    boletas: {
      requestSet: ({ empresa, ...order }) =>
        asking(empresa, async (question) => ({ file: await pages.boletas.requestSet({ ...question, ...order }) })),
      requestReview: ({ empresa, track_id }) =>
        asking(empresa, (question) => pages.boletas.requestReview({ ...question, track_id })),
      reviewOf: ({ empresa, exempt }) => asking(empresa, (question) => pages.boletas.review({ ...question, exempt })),
      declareCompliance: ({ empresa, approved_by }) =>
        asking(empresa, (question) => pages.boletas.declareCompliance({ ...question, approved_by })),
    },
  }
}

/** A refusal is an answer; one that has no name and may pass by itself is an SII that was not there. */
async function answering<T extends object>(ask: () => Promise<T>): Promise<CertificationAnswer<T>> {
  try {
    return { outcome: 'done', ...(await ask()) }
  } catch (error) {
    if (!(error instanceof SiiFailure) || error.kind !== 'refused' || error.token_refused) return asUnreachable(error)
    if (error.retry !== 'never' && error.reason === null) return asUnreachable(error)
    const sentence = error.glosa ?? error.message
    if (error.reason === 'no_wire') return { outcome: 'operator', why: sentence }
    return { outcome: 'refused', reason: reasonOf(error.reason), sentence }
  }
}

function reasonOf(reason: string | null): CertificationRefusalReason {
  return REASONS[reason as keyof typeof REASONS] ?? 'other'
}

/** Without what only the pages need. */
function shown({ sets, step, sentence }: Advance): CertificationAdvance {
  return { sets: sets.map(({ inputs: _inputs, ...set }) => set), step, sentence }
}
