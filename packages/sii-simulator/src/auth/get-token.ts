import { createHash, verify, X509Certificate } from 'node:crypto'
import type { XmlElement } from 'libxml2-wasm'
import { isTrusted, rutOf } from '../authority/trust.ts'
import type { Ambiente } from '../hosts.ts'
import type { Simulator } from '../simulator.ts'
import { elements, respuesta } from '../soap/respuesta.ts'
import { at, childOf, textAt, withXml } from '../soap/xml.ts'
import type { Channel } from '../state/types.ts'
import { spendSeed } from './seeds.ts'
import { issueToken } from './tokens.ts'

const C14N = 'http://www.w3.org/TR/2001/REC-xml-c14n-20010315'
const DSIG = 'http://www.w3.org/2000/09/xmldsig#'

/**
 * States of the service (Manual de Autenticación Automática 1.9). The texts of 00, 08 and 10 were seen; the others
 * are ours, for the manual's are not at hand.
 */
const GLOSAS = {
  '02': 'ERROR: XML INVALIDO',
  '04': 'ERROR: NO EXISTE TAG SIGNATURE',
  '05': 'ERROR: FIRMA INVALIDA',
  '06': 'ERROR: NO EXISTE TAG SEMILLA',
  '08': 'TIME-OUT DEL SEED',
  '10': 'Error Interno',
  '11': 'ERROR: NO EXISTE TAG CERTIFICATE',
  '12': 'ERROR: CERTIFICADO',
} as const

type Estado = keyof typeof GLOSAS

/** Changes a signed seed for a token: the `SII:RESPUESTA` of both the SOAP and the REST service. */
export function answerGetToken(
  ctx: Simulator,
  signed: string | Uint8Array,
  channel: Channel,
  ambiente: Ambiente,
): string {
  const read = withXml(signed, readSigned) ?? { estado: '02' as const }
  if ('estado' in read) return refused(read.estado)
  const { certificate, seed } = read
  const rut = rutOf(certificate)
  if (!rut || !isTrusted(certificate, ctx.trusted, ctx.clock.now())) return refused('12')
  if (!spendSeed(ctx, seed, channel, ambiente)) return refused('08')
  const token = issueToken(ctx, rut, channel, ambiente)
  return respuesta(
    ['RESP_HDR', elements(['ESTADO', '00'], ['GLOSA', 'Token Creado'])],
    ['RESP_BODY', elements(['TOKEN', token])],
  )
}

function refused(estado: Estado): string {
  return respuesta(['RESP_HDR', elements(['ESTADO', estado], ['GLOSA', GLOSAS[estado]])])
}

/** The seed and who signed it, or the state that tells what is wrong. */
function readSigned(root: XmlElement): { seed: string; certificate: X509Certificate } | { estado: Estado } {
  const seed = textAt(root, 'item', 'Semilla')
  if (!seed) return { estado: '06' }
  const signature = childOf(root, 'Signature')
  const signedInfo = childOf(signature, 'SignedInfo')
  if (!signature || !signedInfo) return { estado: '04' }
  const certificate = certificateIn(signature)
  if (certificate === null) return { estado: '11' }
  if (certificate === 'bad') return { estado: '12' }
  if (!followsProfile(signedInfo)) return { estado: '05' }
  const digest = textAt(signedInfo, 'Reference', 'DigestValue')
  const value = Buffer.from(textAt(signature, 'SignatureValue') ?? '', 'base64')
  const canonical = Buffer.from(signedInfo.canonicalizeToString())
  // Seen at the SII: a SignedInfo written in another way than it was signed is an internal error, not a bad signature.
  if (!verify('sha1', canonical, certificate.publicKey, value)) return { estado: '10' }
  signature.remove()
  if (createHash('sha1').update(root.canonicalizeToString()).digest('base64') !== digest) return { estado: '05' }
  return { seed, certificate }
}

function followsProfile(signedInfo: XmlElement): boolean {
  const algorithm = (...road: string[]) => at(signedInfo, ...road)?.attr('Algorithm')?.content
  const reference = at(signedInfo, 'Reference')
  return (
    algorithm('CanonicalizationMethod') === C14N &&
    algorithm('SignatureMethod') === `${DSIG}rsa-sha1` &&
    reference?.attr('URI')?.content === '' &&
    algorithm('Reference', 'Transforms', 'Transform') === `${DSIG}enveloped-signature` &&
    algorithm('Reference', 'DigestMethod') === `${DSIG}sha1`
  )
}

function certificateIn(signature: XmlElement): X509Certificate | 'bad' | null {
  const text = textAt(signature, 'KeyInfo', 'X509Data', 'X509Certificate')
  if (!text) return null
  try {
    const certificate = new X509Certificate(Buffer.from(text, 'base64'))
    return certificate.publicKey.asymmetricKeyType === 'rsa' ? certificate : 'bad'
  } catch {
    return 'bad'
  }
}
