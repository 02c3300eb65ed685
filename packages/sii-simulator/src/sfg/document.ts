import { createHash, createSign, type KeyObject, X509Certificate } from 'node:crypto'
import { XmlDocument, XmlElement } from 'libxml2-wasm'
import { escapeText } from '../markup.ts'
import { discountOf, type SfgDraft } from './draft.ts'

/** The free portal writes, stamps and signs the document itself: this is the SII's own hand. */
export interface Stamping {
  readonly emisor: string
  readonly emisor_name: string
  readonly folio: number
  /** `CAF` as the range's file has it, without space between the tags. */
  readonly caf: string
  readonly range_key: KeyObject
  /** `AAAA-MM-DDTHH:MM:SS` in Santiago. */
  readonly at: string
}

export function writeDte(draft: SfgDraft, stamping: Stamping): string {
  const { emisor, receptor } = draft
  const header = element('Encabezado', [
    element('IdDoc', [
      tag('TipoDTE', draft.tipo),
      tag('Folio', stamping.folio),
      tag('FchEmis', draft.issued_on),
      draft.tipo === 52 ? tag('IndTraslado', draft.transfer) : '',
      draft.tipo === 52 || draft.payment === null ? '' : tag('FmaPago', draft.payment),
    ]),
    element('Emisor', [
      tag('RUTEmisor', stamping.emisor),
      tag('RznSoc', stamping.emisor_name.slice(0, 100)),
      tag('GiroEmis', (emisor.giro || 'SIN GIRO INFORMADO').slice(0, 80)),
      tag('Acteco', emisor.acteco || '620200'),
      tag('DirOrigen', (emisor.address || 'SIN DIRECCION').slice(0, 60)),
      tag('CmnaOrigen', (emisor.comuna || 'Santiago').slice(0, 20)),
      tag('CiudadOrigen', emisor.city.slice(0, 20)),
    ]),
    element('Receptor', [
      tag('RUTRecep', receptor.rut),
      tag('RznSocRecep', receptor.name.slice(0, 100)),
      tag('GiroRecep', receptor.giro.slice(0, 40)),
      tag('DirRecep', receptor.address.slice(0, 70)),
      tag('CmnaRecep', receptor.comuna.slice(0, 20)),
      tag('CiudadRecep', receptor.city.slice(0, 20)),
    ]),
    totals(draft),
  ])
  const body = [header, ...lines(draft), ...references(draft), ted(draft, stamping), tag('TmstFirma', stamping.at)]
  const id = `F${stamping.folio}T${draft.tipo}`
  return `<DTE xmlns="http://www.sii.cl/SiiDte" version="1.0"><Documento ID="${id}">${body.join('')}</Documento></DTE>`
}

function totals(draft: SfgDraft): string {
  const taxed = draft.net > 0
  return element('Totales', [
    taxed || draft.total === 0 ? tag('MntNeto', draft.net) : '',
    draft.exempt > 0 ? tag('MntExe', draft.exempt) : '',
    taxed ? tag('TasaIVA', 19) : '',
    taxed || draft.total === 0 ? tag('IVA', draft.iva) : '',
    tag('MntTotal', draft.total),
  ])
}

function lines(draft: SfgDraft): string[] {
  return draft.lines.map((line, index) =>
    element('Detalle', [
      tag('NroLinDet', index + 1),
      draft.exempt > 0 ? tag('IndExe', 1) : '',
      tag('NmbItem', line.name),
      line.description === '' ? '' : tag('DscItem', line.description.slice(0, 1000)),
      tag('QtyItem', line.quantity),
      line.unit === '' ? '' : tag('UnmdItem', line.unit.slice(0, 4)),
      line.price > 0 ? tag('PrcItem', line.price) : '',
      line.discount_percent > 0 ? tag('DescuentoPct', line.discount_percent) : '',
      line.discount_percent > 0 ? tag('DescuentoMonto', discountOf(line)) : '',
      tag('MontoItem', line.amount),
    ]),
  )
}

function references(draft: SfgDraft): string[] {
  return draft.references.map((reference, index) =>
    element('Referencia', [
      tag('NroLinRef', index + 1),
      tag('TpoDocRef', reference.tipo),
      tag('FolioRef', reference.folio),
      tag('FchRef', reference.date),
      reference.code === '' ? '' : tag('CodRef', reference.code),
      reference.reason === '' ? '' : tag('RazonRef', reference.reason.slice(0, 90)),
    ]),
  )
}

function ted(draft: SfgDraft, stamping: Stamping): string {
  const dd = element('DD', [
    tag('RE', stamping.emisor),
    tag('TD', draft.tipo),
    tag('F', stamping.folio),
    tag('FE', draft.issued_on),
    tag('RR', draft.receptor.rut),
    tag('RSR', draft.receptor.name.slice(0, 40)),
    tag('MNT', draft.total),
    tag('IT1', (draft.lines[0]?.name ?? '').slice(0, 40)),
    stamping.caf,
    tag('TSTED', stamping.at),
  ])
  const signature = createSign('RSA-SHA1').update(Buffer.from(dd, 'latin1')).sign(stamping.range_key, 'base64')
  return `<TED version="1.0">${dd}<FRMT algoritmo="SHA1withRSA">${signature}</FRMT></TED>`
}

const DSIG = 'http://www.w3.org/2000/09/xmldsig#'
const C14N = 'http://www.w3.org/TR/2001/REC-xml-c14n-20010315'

/** Signs the `Documento` of a DTE that stands alone, with the certificate that the person keeps at the SII. */
export function signDte(dte: string, key: KeyObject, certificate: string): string {
  const { id, digest } = digestOfDocumento(dte)
  const method = (name: string, algorithm: string) => `<${name} Algorithm="${algorithm}"></${name}>`
  const reference =
    `<Reference URI="#${id}"><Transforms>${method('Transform', C14N)}</Transforms>` +
    `${method('DigestMethod', `${DSIG}sha1`)}<DigestValue>${digest}</DigestValue></Reference>`
  const methods = method('CanonicalizationMethod', C14N) + method('SignatureMethod', `${DSIG}rsa-sha1`)
  const info = (xmlns: string) => `<SignedInfo${xmlns}>${methods}${reference}</SignedInfo>`
  const value = createSign('RSA-SHA1')
    .update(info(` xmlns="${DSIG}"`))
    .sign(key, 'base64')
  const at = dte.lastIndexOf('</DTE>')
  return `${dte.slice(0, at)}<Signature xmlns="${DSIG}">${info('')}<SignatureValue>${value}</SignatureValue>${keyInfo(certificate)}</Signature>${dte.slice(at)}`
}

function digestOfDocumento(dte: string): { id: string; digest: string } {
  const document = XmlDocument.fromString(dte)
  try {
    const signed = document.root.firstChild
    const id = signed instanceof XmlElement ? signed.attr('ID')?.value : undefined
    if (!(signed instanceof XmlElement) || id === undefined) throw new TypeError('the text holds no Documento')
    return { id, digest: createHash('sha1').update(signed.canonicalizeToString()).digest('base64') }
  } finally {
    document.dispose()
  }
}

export function keyInfo(certificate: string): string {
  const x509 = new X509Certificate(certificate)
  const { n = '', e = '' } = x509.publicKey.export({ format: 'jwk' })
  const base64 = (url: string) => Buffer.from(url, 'base64url').toString('base64')
  return (
    `<KeyInfo><KeyValue><RSAKeyValue><Modulus>${base64(n)}</Modulus><Exponent>${base64(e)}</Exponent></RSAKeyValue>` +
    `</KeyValue><X509Data><X509Certificate>${x509.raw.toString('base64')}</X509Certificate></X509Data></KeyInfo>`
  )
}

function element(name: string, children: readonly string[]): string {
  return `<${name}>${children.join('')}</${name}>`
}

function tag(name: string, value: string | number): string {
  return `<${name}>${escapeText(String(value))}</${name}>`
}
