import { createHash, createSign, type KeyObject } from 'node:crypto'
import { keyInfo } from '../sfg/document.ts'
import { canonical, namespacesInScope } from '../verify/xml/canonical.ts'
import { attribute, child, find, type XmlNode } from '../verify/xml/node.ts'
import { parseXml } from '../verify/xml/parse.ts'

const DSIG = 'http://www.w3.org/2000/09/xmldsig#'
const C14N = 'http://www.w3.org/TR/2001/REC-xml-c14n-20010315'
const EMPTY = '<SignatureValue></SignatureValue>'

/** Signs the first element of an envelope where it stands: the SII's own hand, with all that the root declares in scope. */
export function signEnvelope(text: string, key: KeyObject, certificate: string): { xml: string; digest: string } {
  const set = rootOf(text).elements[0] as XmlNode
  const digest = createHash('sha1')
    .update(canonical(set, namespacesInScope(set)), 'utf8')
    .digest('base64')
  const method = (name: string, algorithm: string) => `<${name} Algorithm="${algorithm}"></${name}>`
  const info =
    `<SignedInfo>${method('CanonicalizationMethod', C14N)}${method('SignatureMethod', `${DSIG}rsa-sha1`)}` +
    `<Reference URI="#${attribute(set, 'ID')}"><Transforms>${method('Transform', C14N)}</Transforms>` +
    `${method('DigestMethod', `${DSIG}sha1`)}<DigestValue>${digest}</DigestValue></Reference></SignedInfo>`
  const at = text.lastIndexOf('</')
  const unsigned = `${text.slice(0, at)}<Signature xmlns="${DSIG}">${info}${EMPTY}${keyInfo(certificate)}</Signature>${text.slice(at)}`
  const signed = find(child(rootOf(unsigned), 'Signature'), 'SignedInfo') as XmlNode
  const value = createSign('RSA-SHA1')
    .update(canonical(signed, namespacesInScope(signed)), 'utf8')
    .sign(key, 'base64')
  const place = unsigned.lastIndexOf(EMPTY)
  const xml = `${unsigned.slice(0, place)}<SignatureValue>${value}</SignatureValue>${unsigned.slice(place + EMPTY.length)}`
  return { xml, digest }
}

const rootOf = (text: string) => parseXml(Buffer.from(text, 'latin1')).root
