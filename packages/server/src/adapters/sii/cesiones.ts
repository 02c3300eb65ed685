import type { Caller, SiiClient } from '@timbre/sii'
import { secondsFrom } from '../../kernel/clock.ts'
import type { CesionQuestion, SiiRegister } from '../../ports/sii-cesion.ts'
import { callerFor, type Identities } from './identity.ts'
import { reaching } from './unreachable.ts'

interface CesionParts extends Identities {
  readonly client: SiiClient
  readonly ambiente: Caller['ambiente']
}

const FIRST_LOOK_SECONDS = 30

/** The register confirmed an envelope; also what we say of a document that is ceded and has no track id. */
const REGISTERED = 'EOK'

export function liveCesiones(parts: CesionParts): SiiRegister {
  const { client, ambiente } = parts
  const callerOf = ({ empresa }: CesionQuestion) => callerFor(parts, empresa, ambiente)
  const documentOf = ({ empresa, document }: CesionQuestion) => ({
    emisor_rut: empresa.rut,
    tipo_dte: document.tipo_dte,
    folio: document.folio,
  })
  const held = async (question: CesionQuestion & { readonly cesionario_rut: string }) => {
    const caller = await callerOf(question)
    return reaching(() => client.cesion.documentStatusFor(caller, documentOf(question), question.cesionario_rut))
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
      const { track_id } = await reaching(() => client.cesion.upload(caller, file))
      return { track_id, ask_at: secondsFrom(question.at, FIRST_LOOK_SECONDS) }
    },
    async cesionStateOf({ track_id, ...question }) {
      // The answer to its upload was lost, and the register holds it: the document itself is asked for.
      if (track_id === null) {
        const { ceded, estado, glosa } = await held(question)
        return { estado: ceded ? REGISTERED : estado, glosa: glosa ?? '', ask_at: null }
      }
      const caller = await callerOf(question)
      const { estado, glosa } = await reaching(() => client.cesion.envelopeStatus(caller, track_id))
      return { estado, glosa: glosa ?? '', ask_at: null }
    },
    async findCesion(question) {
      const { ceded } = await held(question)
      return ceded ? { track_id: null } : null
    },
  }
}
