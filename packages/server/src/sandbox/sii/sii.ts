import { createPublicKey, type KeyObject } from 'node:crypto'
import type { CaBundle } from '@timbre/dte'
import { isTipoDte } from '@timbre/dte/values'
import { MAGIC_QUANTITIES } from '../../catalog/limits.ts'
import type { Sql } from '../../kernel/db.ts'
import type { Vault } from '../../kernel/vault.ts'
import {
  type CafAnswer,
  type CafRequest,
  type FolioAnnulment,
  type FolioAnnulmentAnswer,
  type Sii,
  SiiUnreachable,
} from '../../ports/sii.ts'
import { sandboxRegister } from './cesion-register.ts'
import { sandboxClaims } from './claims.ts'
import { sandboxF29 } from './f29.ts'
import { sandboxInbox } from './inbox.ts'
import { FOLIO_KEY_BITS, newRsaKey, type SandboxKeys, sandboxKeys } from './keys.ts'
import { sandboxRcv } from './rcv.ts'

/** A resolución with this number is refused by the sandbox, so that the refusal can be rehearsed. */
export const REFUSED_RESOLUCION = 999_999

/** The number of the sandbox's own key, beside 100 and 300 of the SII. */
const SANDBOX_KEY_ID = 900

/** Makes the key whose private half a CAF carries. */
type NewFolioKey = () => Promise<KeyObject>

async function grantCaf(keys: SandboxKeys, newFolioKey: NewFolioKey, request: CafRequest): Promise<CafAnswer> {
  const { rut, legal_name, tipo_dte, quantity, first_folio, on } = request
  if (quantity === MAGIC_QUANTITIES.unanswered) throw new SiiUnreachable('the sandbox plays an SII that is away')
  const refused = request.resolucion_numero === REFUSED_RESOLUCION || quantity === MAGIC_QUANTITIES.refused
  if (refused || !isTipoDte(tipo_dte)) {
    const sentence = `CONTRIBUYENTE NO AUTORIZADO A TIMBRAR EL TIPO DE DOCUMENTO ${tipo_dte}`
    return { granted: false, sentence, reason: 'not_authorised' }
  }
  const [{ issueCaf }, folio_key, authority] = await Promise.all([
    import('@timbre/dte/emission'),
    newFolioKey(),
    keys.authority(),
  ])
  const order = {
    emisor_rut: rut,
    emisor_name: legal_name,
    tipo_dte,
    first_folio,
    last_folio: first_folio + quantity - 1,
    authorised_on: on,
    key_id: SANDBOX_KEY_ID,
  }
  return { granted: true, file: issueCaf(order, folio_key, authority) }
}

/** What the SII says of folios that it received documents with, which our own books never offer. */
const NOT_ANNULLED = 'Existen folios recepcionados en el rango solicitado'

async function annulledBySandbox({ from, to }: FolioAnnulment): Promise<FolioAnnulmentAnswer> {
  const refused = to - from + 1 === MAGIC_QUANTITIES.not_annulled
  return refused ? { annulled: false, sentence: NOT_ANNULLED, reason: 'folio_received' } : { annulled: true }
}

/** The SII of test mode: in process, no traffic, always the same answer to the same question. */
export function sandboxSii(parts: {
  sql: Sql
  /** For what is asked about each document, by its key: on connections that plan it once. */
  steady: Sql
  vault: Vault
  authorities?: CaBundle
  newFolioKey?: NewFolioKey
}): Sii {
  const keys = sandboxKeys(parts)
  const newFolioKey = parts.newFolioKey ?? (() => newRsaKey(FOLIO_KEY_BITS))
  return {
    tax_effect: false,
    requestCaf: (request) => grantCaf(keys, newFolioKey, request),
    annulFolios: annulledBySandbox,
    async authorityKeys() {
      const [{ SII_KEYS }, authority] = await Promise.all([import('@timbre/dte/emission'), keys.authority()])
      return { ...SII_KEYS, [SANDBOX_KEY_ID]: createPublicKey(authority) }
    },
    // Its own CA, and beside it those that vouch for real suppliers: their files may be tried here too.
    async certificateAuthorities() {
      const [{ bundleOf }, certifier] = await Promise.all([import('@timbre/dte/emission'), keys.certifier()])
      return bundleOf([certifier, ...(parts.authorities?.certificates ?? [])])
    },
    signerFor: () => keys.signer(),
    supplierSigner: (supplier) => keys.supplier(supplier),
    ...sandboxInbox(parts.steady),
    ...sandboxRegister(parts.sql),
    ...sandboxClaims(parts.sql),
    ...sandboxRcv(parts.sql),
    ...sandboxF29(parts.sql),
  }
}
