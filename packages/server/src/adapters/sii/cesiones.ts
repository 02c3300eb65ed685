import { type Caller, type CesionStatus, type SiiClient, SiiFailure } from '@timbre/sii'
import { secondsFrom } from '../../kernel/clock.ts'
import type { CesionQuestion, SiiRegister } from '../../ports/sii-cesion.ts'
import { callerFor, type Identities } from './identity.ts'
import { asUnreachable, isRefusal, reaching } from './unreachable.ts'

interface CesionParts extends Identities {
  readonly client: SiiClient
  readonly ambiente: Caller['ambiente']
}

const FIRST_LOOK_SECONDS = 30

/** The register confirmed an envelope; also what we say of a document that is ceded and has no track id. */
const REGISTERED = 'EOK'
const UPLOAD = 'RTCAnotEnvio'
/** It has no envelope of that track id (2 of wsRPETCConsulta). */
const NOT_FOUND = '2'

const ALREADY_CEDED = {
  code: 'document_not_cedible',
  message: 'The register of the SII holds a cesión of it already: only the cesionario may cede it again.',
} as const

/** Why the register would not take a file, with its words where it has any. */
async function explained({ estado, glosa }: SiiFailure) {
  const { explain } = await import('@timbre/dte/emission')
  const { code, message } = explain({ source: 'aec_upload', code: estado ?? undefined, text: glosa ?? undefined })
  return { code, message: glosa ? `${message} ${glosa}` : message }
}

export function liveCesiones(parts: CesionParts): SiiRegister {
  const { client, ambiente } = parts
  const callerOf = ({ empresa }: CesionQuestion) => callerFor(parts, empresa, ambiente)
  const documentOf = ({ empresa, document }: CesionQuestion) => ({
    emisor_rut: empresa.rut,
    tipo_dte: document.tipo_dte,
    folio: document.folio,
  })
  /**
   * Whether the register holds a cesión of a document. Asked without naming the cesionario: about that company the
   * register answers its own people alone (10 and -15 of wsRPETCConsulta).
   */
  const held = async (question: CesionQuestion) => {
    const caller = await callerOf(question)
    return reaching(() => client.cesion.documentStatus(caller, documentOf(question)))
  }
  return {
    async cedibilityOf(question) {
      const caller = await callerOf(question)
      const { code, glosa } = await reaching(() => client.claims.cedibility(caller, documentOf(question)))
      return { code: String(code), glosa }
    },
    async cede({ aec, notify_email, ...question }) {
      const caller = await callerOf(question)
      const file = {
        company_rut: question.empresa.rut,
        notify_email,
        file_name: `AEC_${question.document.tipo_dte}_${question.document.folio}.xml`,
        bytes: aec,
      }
      // Asked before each upload, so that a cesión which is there later is this one.
      if ((await held(question)).ceded) return { refused: ALREADY_CEDED }
      try {
        const { track_id } = await client.cesion.upload(caller, file)
        return { track_id, ask_at: secondsFrom(question.at, FIRST_LOOK_SECONDS) }
      } catch (error) {
        // A refusal of the token is about the person, whoever the document belongs to.
        if (!isRefusal(error) || error.operation !== UPLOAD) return asUnreachable(error)
        return { refused: await explained(error) }
      }
    },
    async cesionStateOf({ track_id, ...question }) {
      // The answer to its upload was lost, and the register holds it: the document itself is asked for.
      if (track_id === null) return stateOfDocument(await held(question))
      const caller = await callerOf(question)
      const found = await client.cesion
        .envelopeStatus(caller, track_id)
        .catch((error: unknown) => (isNotFound(error) ? null : asUnreachable(error)))
      if (found === null) return stateOfDocument(await held(question))
      const { estado, glosa, outcome } = found
      // A file that left twice may be refused because its first copy was registered (UNVERIFIED.boleta_and_aec_twice).
      const registered = outcome === 'rejected' && (await held(question)).ceded
      return { estado: registered ? REGISTERED : estado, glosa: glosa ?? '', ask_at: null }
    },
    async findCesion(question) {
      const { ceded } = await held(question)
      return ceded ? { track_id: null } : null
    },
  }
}

const isNotFound = (error: unknown) =>
  error instanceof SiiFailure && error.kind === 'refused' && error.estado === NOT_FOUND

/** What the register says of the document alone is the answer where it has no envelope. */
function stateOfDocument({ ceded, estado, glosa }: CesionStatus) {
  return { estado: ceded ? REGISTERED : estado, glosa: glosa ?? '', ask_at: null, is_unknown: !ceded }
}
