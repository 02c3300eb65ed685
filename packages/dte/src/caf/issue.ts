import { createPublicKey, type KeyObject, sign } from 'node:crypto'
import { rsaNumbers } from '../certificate/x509.ts'
import { latin1Bytes, textElement } from '../xml/write.ts'

export interface CafOrder {
  readonly emisor_rut: string
  readonly emisor_name: string
  readonly tipo_dte: number
  readonly first_folio: number
  readonly last_folio: number
  readonly authorised_on: string
  /** IDK: the number that `readCaf` will look the authority's key up by. */
  readonly key_id: number
}

/**
 * A CAF file as the SII would give it, for stand-ins of the SII: test mode, the simulator and the tests. It proves
 * nothing to the SII, whose own keys are in `sii-keys.ts`; read it with the stand-in's key.
 */
export function issueCaf(order: CafOrder, folio_key: KeyObject, authority_key: KeyObject): Uint8Array {
  const numbers = rsaNumbers(createPublicKey(folio_key))
  if (numbers === undefined) throw new TypeError('the key of a CAF is RSA')
  const da =
    `<DA><RE>${order.emisor_rut}</RE>${textElement('RS', order.emisor_name.slice(0, 40))}<TD>${order.tipo_dte}</TD>` +
    `<RNG><D>${order.first_folio}</D><H>${order.last_folio}</H></RNG><FA>${order.authorised_on}</FA>` +
    `<RSAPK><M>${numbers.modulus}</M><E>${numbers.exponent}</E></RSAPK><IDK>${order.key_id}</IDK></DA>`
  const frma = sign('RSA-SHA1', Buffer.from(da, 'latin1'), authority_key).toString('base64')
  const pem = folio_key.export({ type: 'pkcs1', format: 'pem' })
  return latin1Bytes(
    `<?xml version="1.0"?>\n<AUTORIZACION>\n<CAF version="1.0">\n${da}\n<FRMA algoritmo="SHA1withRSA">${frma}</FRMA>\n` +
      `</CAF>\n<RSASK>${pem}</RSASK>\n</AUTORIZACION>\n`,
  )
}
