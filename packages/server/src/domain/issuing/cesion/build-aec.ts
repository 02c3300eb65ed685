import type { Cesion, Signer } from '@timbre/dte'
import { checkText, santiagoTimestamp } from '@timbre/dte/values'
import { GiveUp } from '../../../kernel/job.ts'
import type { DocumentRow } from '../document/show.ts'
import { shortStatement } from './copy.ts'
import type { CesionTerms } from './store.ts'

const ADDRESS_CHARS = 80
const NAME_CHARS = 40

interface Place {
  readonly street?: string | undefined
  readonly comuna?: string | undefined
  readonly city?: string | undefined
}

/** The AEC has one line of 80 for an address: the whole of it where it fits, otherwise the street. */
export function addressLine({ street, comuna, city }: Place): string {
  const whole = [street, comuna, city].filter((word) => word !== undefined).join(', ')
  return whole.length <= ADDRESS_CHARS ? whole : (street ?? '')
}

/** The signer as the AEC names them: the holder of the certificate, whom the caller does not choose. */
function authorisedBy({ rut, holder }: Signer): Cesion['authorised'] {
  if (rut === null) throw new GiveUp('certificate_without_rut', 'The certificate that signs names no RUT.')
  const name = holder.slice(0, NAME_CHARS).trim()
  return { rut, name: checkText(name, NAME_CHARS) === null ? name : rut }
}

export interface AecSource {
  readonly document: DocumentRow
  readonly xml: Buffer
  readonly terms: CesionTerms
  readonly signer: Signer
  readonly at: Date
}

function cesionOf({ document, terms, signer, at }: AecSource): Cesion {
  const { emisor } = document.draft
  const { cesionario, amount, due_date, conditions, debtor_email, contact } = terms
  return {
    cedente: {
      rut: emisor.rut,
      legal_name: emisor.legal_name,
      street: addressLine(emisor.address ?? {}),
      email: contact.email,
    },
    authorised: authorisedBy(signer),
    cesionario: {
      rut: cesionario.rut,
      legal_name: cesionario.legal_name,
      street: addressLine(cesionario.address),
      email: cesionario.email,
    },
    amount,
    last_due_date: due_date,
    ...(conditions !== undefined && { conditions }),
    ...(debtor_email !== undefined && { debtor_email }),
    contact,
    tmst_firma: santiagoTimestamp(at),
  }
}

/** The signed AEC, in ISO-8859-1. A refusal of the engine is final: no retry would change it. */
export async function buildAec(source: AecSource): Promise<Uint8Array> {
  // Loaded with the first cesión: most processes never make one.
  const { cedeDte, latin1Bytes } = await import('@timbre/dte')
  const { document, xml, terms, signer } = source
  const text = xml.toString('latin1')
  const cesion = { ...cesionOf(source), dte: text.slice(text.indexOf('<DTE')) }
  let made = await cedeDte(cesion, signer)
  if (!made.ok && made.refusal.path === 'declaration') {
    const parties = { cedente: cesion.cedente.rut, cesionario: terms.cesionario.rut, debtor: document.receptor_rut }
    made = await cedeDte({ ...cesion, declaration: shortStatement(parties) }, signer)
  }
  if (!made.ok) throw new GiveUp('build_refused', `The AEC cannot be built: ${made.refusal.message}`)
  return latin1Bytes(made.value)
}
