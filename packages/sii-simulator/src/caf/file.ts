import { createPublicKey, createSign, type KeyObject } from 'node:crypto'
import { escapeText } from '../markup.ts'

/** A range of folios as the SII writes it in the file that it hands over. */
export interface CafOrder {
  readonly rut: string
  readonly name: string
  readonly tipo: number
  readonly from: number
  readonly to: number
  /** Civil date of the authorisation, `FA`. */
  readonly date: string
}

/** The key under which the SII authorises folios, and the number by which others know it (`IDK`). */
export interface CafAuthority {
  readonly idk: number
  readonly key: KeyObject
}

/** `RS` holds 40 characters (DTE_v10.xsd, RazonSocial of the CAF). */
const NAME_LENGTH = 40

/**
 * Writes the file of a range: `AUTORIZACION` with the signed authorisation and the private key of the range. The real
 * file declares no encoding and is ISO-8859-1; the line breaks between the tags of `DA` are no part of what is signed.
 */
export function writeCaf(order: CafOrder, authority: CafAuthority, range_key: KeyObject): Buffer {
  const { n = '', e = '' } = range_key.export({ format: 'jwk' })
  const parts = [
    `<RE>${order.rut}</RE>`,
    `<RS>${escapeText(latin1(order.name).slice(0, NAME_LENGTH))}</RS>`,
    `<TD>${order.tipo}</TD>`,
    `<RNG><D>${order.from}</D><H>${order.to}</H></RNG>`,
    `<FA>${order.date}</FA>`,
    `<RSAPK><M>${base64(n)}</M><E>${base64(e)}</E></RSAPK>`,
    `<IDK>${authority.idk}</IDK>`,
  ]
  const signer = createSign('RSA-SHA1')
  signer.update(Buffer.from(`<DA>${parts.join('')}</DA>`, 'latin1'))
  const text = [
    '<?xml version="1.0"?>',
    '<AUTORIZACION>',
    '<CAF version="1.0">',
    '<DA>',
    ...parts,
    '</DA>',
    `<FRMA algoritmo="SHA1withRSA">${signer.sign(authority.key, 'base64')}</FRMA>`,
    '</CAF>',
    `<RSASK>${range_key.export({ format: 'pem', type: 'pkcs1' })}</RSASK>`,
    '',
    `<RSAPUBK>${createPublicKey(range_key).export({ format: 'pem', type: 'spki' })}</RSAPUBK>`,
    '</AUTORIZACION>',
    '',
  ].join('\n')
  return Buffer.from(text, 'latin1')
}

function base64(url: string): string {
  return Buffer.from(url, 'base64url').toString('base64')
}

/** What ISO-8859-1 cannot hold becomes a question mark, as on the SII's side. */
function latin1(text: string): string {
  return text.replace(/[^\u0020-\u00ff]/g, '?')
}
