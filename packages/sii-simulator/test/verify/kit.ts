import { createHash, createPublicKey, generateKeyPairSync, type KeyObject, sign, X509Certificate } from 'node:crypto'
import { buildDocumento, completeDraft, type DteDraft, issueCertificate, type TipoDte } from '@timbre/dte'
import { openVerifier } from '../../src/verify/open.ts'
import type { KnownDocument, Taxpayer, VerifyView } from '../../src/verify/verdict.ts'

/**
 * Makes files for the verifier, right or wrong in one thing. The engine writes the document; timbre, signature and
 * envelope are written here, by hand, so that each can be spoilt and what stands around it signed all the same.
 */
export const EMISOR = '76543210-3'
export const RECEPTOR = '77123456-9'
export const SENDER = '12345678-5'
export const TODAY = '2026-11-16'
export const IDK = '901'

const SII = 'xmlns="http://www.sii.cl/SiiDte"'
export const XSI = 'xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"'
const DSIG = 'xmlns="http://www.w3.org/2000/09/xmldsig#"'
const C14N = 'http://www.w3.org/TR/2001/REC-xml-c14n-20010315'

/** Small keys: nobody's secret depends on them, and RSA is what these tests would otherwise wait for. */
const keyOf = (bits: number) => generateKeyPairSync('rsa', { modulusLength: bits }).privateKey
const authority = keyOf(1024)
const stranger = keyOf(1024)
const sii = keyOf(1024)
const folios = keyOf(512)
export const otherFolios = keyOf(512)
export const otherSii = keyOf(1024)

export interface Person {
  key: KeyObject
  certificate: X509Certificate
}

function person(
  rut: string,
  issuer: KeyObject,
  years: readonly [string, string] = ['2026-01-01', '2028-01-01'],
): Person {
  const key = keyOf(1024)
  const [valid_from, valid_until] = [new Date(years[0]), new Date(years[1])]
  const order = { rut, holder: `Persona ${rut}`, issuer: 'Autoridad de prueba', serial: 7, valid_from, valid_until }
  return { key, certificate: new X509Certificate(issueCertificate(order, key, issuer)) }
}

const ca = issueCertificate(
  {
    holder: 'Autoridad de prueba',
    issuer: 'Autoridad de prueba',
    serial: 1,
    valid_from: new Date('2020-01-01'),
    valid_until: new Date('2040-01-01'),
    authority: {},
  },
  authority,
)

export const sender = person(SENDER, authority)
export const otherPerson = person('11111111-1', authority)
export const expired = person(SENDER, authority, ['2024-01-01', '2026-06-01'])
export const unaccredited = person(SENDER, stranger)

export const verifier = openVerifier({
  trusted_ca: [new X509Certificate(ca).toString()],
  caf_keys: new Map([[IDK, createPublicKey(sii)]]),
})

export const taxpayer: Taxpayer = {
  rut: EMISOR,
  resolution: { number: 80, date: '2014-08-22' },
  tipos: null,
  actecos: null,
}

/** A view in which all is well; `known` is what the SII has received, by tipo and folio. */
export function view(changes: Partial<VerifyView> = {}, known: Record<string, KnownDocument> = {}): VerifyView {
  return {
    sender_rut: SENDER,
    company_rut: EMISOR,
    ambiente: 'produccion',
    channel: 'dte',
    today: TODAY,
    taxpayer: () => taxpayer,
    document: (_, tipo, folio) => known[`${tipo} ${folio}`] ?? null,
    mayFile: (rut) => rut === SENDER,
    maySign: (rut) => rut === SENDER,
    ...changes,
  }
}

export interface CafOptions {
  emisor?: string
  tipo?: number
  first?: number
  last?: number
  date?: string
  idk?: string
  /** The key of the folios, and the one that signs for the SII. */
  key?: KeyObject
  authority?: KeyObject
}

export function caf(options: CafOptions = {}): string {
  const { emisor = EMISOR, tipo = 33, first = 1, last = 100, date = '2026-10-01', idk = IDK } = options
  const { n = '', e = '' } = createPublicKey(options.key ?? folios).export({ format: 'jwk' })
  const base64 = (url: string) => Buffer.from(url, 'base64url').toString('base64')
  const da =
    `<DA><RE>${emisor}</RE><RS>COMERCIAL SPA</RS><TD>${tipo}</TD><RNG><D>${first}</D><H>${last}</H></RNG>` +
    `<FA>${date}</FA><RSAPK><M>${base64(n)}</M><E>${base64(e)}</E></RSAPK><IDK>${idk}</IDK></DA>`
  const frma = sign('RSA-SHA1', Buffer.from(da, 'latin1'), options.authority ?? sii).toString('base64')
  return `<CAF version="1.0">${da}<FRMA algoritmo="SHA1withRSA">${frma}</FRMA></CAF>`
}

const draft = (tipo_dte: TipoDte): DteDraft => ({
  tipo_dte,
  issue_date: '2026-11-10',
  emisor: {
    rut: EMISOR,
    legal_name: 'Comercial Ñandú SpA',
    giro: 'Artículos de oficina',
    acteco: [476101],
    address: { street: 'Providencia 1234', comuna: 'Providencia' },
  },
  receptor: {
    rut: RECEPTOR,
    legal_name: 'Pérez & Hijos Ltda.',
    giro: 'Comercio',
    address: { street: 'Calle Larga 56', comuna: 'Maipú' },
  },
  items: [{ description: 'Resma de papel', quantity: 2, unit_price: 2500 }],
})

const DRAFTS: Readonly<Record<number, Partial<DteDraft>>> = {
  39: { receptor: { rut: '66666666-6' } },
  41: { receptor: { rut: '66666666-6' } },
  46: { items: [{ description: 'Trigo', quantity: 2, unit_price: 2500, additional_tax: 15 }] },
  52: { dispatch: { transfer_type: 1 } },
  56: { references: [{ tipo_dte: 33, folio: 7, date: '2026-11-03', code: 3 }] },
  61: { references: [{ tipo_dte: 33, folio: 7, date: '2026-11-03', code: 1 }] },
}

/** The document that the notes above are about, as the SII holds it. */
export const ORIGINAL: Record<string, KnownDocument> = {
  '33 7': { receptor: RECEPTOR, fecha: '2026-11-03', monto: 5950, signature_value: 'x' },
}

export interface DteOptions {
  tipo?: TipoDte
  folio?: number
  draft?: Partial<DteDraft>
  /** Changes the text of the document before it is stamped. */
  document?: (documento: string) => string
  caf?: CafOptions
  /** The `CAF` as written, instead of one made from options. */
  caf_text?: string
  /** Changes the `DD` before it is stamped. */
  dd?: (dd: string) => string
  stamp_key?: KeyObject
  /** Changes the timbre after it was stamped. */
  ted?: (ted: string) => string
  signer?: Person
  /** Changes the document between the digest and the envelope. */
  signed?: (dte: string) => string
  /** What the DTE declares: the SII's namespace, or nothing. */
  namespace?: string
  /** What else was in scope for whoever digested it. */
  scope?: string
}

/** A `DTE` as a program would paste it into an envelope. */
export function dte(options: DteOptions = {}): string {
  const { tipo = 33, folio = 10 } = options
  const filled = completeDraft({ ...draft(tipo), ...DRAFTS[tipo], ...options.draft }, folio)
  const written = buildDocumento(filled, { ted: '<TED/>', tmst_firma: '2026-11-10T12:00:00' })
  const documento = (options.document ?? same)(written)
  const ted = (options.ted ?? same)(stamped(documento, options))
  const whole = documento.replace('<TED/>', () => ted)
  const namespace = options.namespace ?? ` ${SII}`
  const body = /^<(\w+) ID="([^"]+)">/.exec(whole)
  const id = body?.[2] ?? ''
  const scope = options.scope ?? ''
  const digested = whole.replace(/^<\w+/, (name) => `${name}${namespace}${scope}`)
  const signature = signatureOf(id, digested, scope, options.signer ?? sender)
  return (options.signed ?? same)(`<DTE${namespace} version="1.0">${whole}${signature}</DTE>`)
}

const same = (value: string) => value

function stamped(documento: string, options: DteOptions): string {
  const { tipo = 33 } = options
  const field = (name: string, otherwise = '') => new RegExp(`<${name}>([^<]*)<`).exec(documento)?.[1] ?? otherwise
  const dd = (options.dd ?? same)(
    `<DD><RE>${field('RUTEmisor')}</RE><TD>${field('TipoDTE')}</TD><F>${field('Folio')}</F><FE>${field('FchEmis')}</FE>` +
      `<RR>${field('RUTRecep')}</RR><RSR>${field('RznSocRecep', 'CLIENTE').slice(0, 40)}</RSR>` +
      `<MNT>${field('MntTotal')}</MNT><IT1>${field('NmbItem').slice(0, 40)}</IT1>` +
      `${options.caf_text ?? caf({ tipo, ...options.caf })}<TSTED>2026-11-10T12:00:00</TSTED></DD>`,
  )
  const key = options.stamp_key ?? options.caf?.key ?? folios
  const frmt = sign('RSA-SHA1', Buffer.from(dd, 'latin1'), key).toString('base64')
  return `<TED version="1.0">${dd}<FRMT algoritmo="SHA1withRSA">${frmt}</FRMT></TED>`
}

/** `scope` is what else is declared where the signature stands. */
export function signatureOf(id: string, canonical: string, scope: string, { key, certificate }: Person): string {
  const digest = createHash('sha1').update(canonical, 'utf8').digest('base64')
  const info = (declared: string) =>
    `<SignedInfo${declared}><CanonicalizationMethod Algorithm="${C14N}"></CanonicalizationMethod>` +
    '<SignatureMethod Algorithm="http://www.w3.org/2000/09/xmldsig#rsa-sha1"></SignatureMethod>' +
    `<Reference URI="#${id}"><Transforms><Transform Algorithm="${C14N}"></Transform></Transforms>` +
    '<DigestMethod Algorithm="http://www.w3.org/2000/09/xmldsig#sha1"></DigestMethod>' +
    `<DigestValue>${digest}</DigestValue></Reference></SignedInfo>`
  const value = sign('RSA-SHA1', Buffer.from(info(` ${DSIG}${scope}`), 'utf8'), key).toString('base64')
  const { n = '', e = '' } = certificate.publicKey.export({ format: 'jwk' })
  const base64 = (url: string) => Buffer.from(url, 'base64url').toString('base64')
  return (
    `<Signature ${DSIG}>${info('')}<SignatureValue>${value}</SignatureValue><KeyInfo><KeyValue><RSAKeyValue>` +
    `<Modulus>${base64(n)}</Modulus><Exponent>${base64(e)}</Exponent></RSAKeyValue></KeyValue><X509Data>` +
    `<X509Certificate>${certificate.raw.toString('base64')}</X509Certificate></X509Data></KeyInfo></Signature>`
  )
}

export interface EnvelopeOptions {
  root?: 'EnvioDTE' | 'EnvioBOLETA'
  /** Changes the carátula before it is signed. */
  caratula?: ((caratula: string) => string) | undefined
  signer?: Person
  /** Changes the file after it was signed. */
  file?: (file: string) => string
}

export function envelope(dtes: readonly string[], options: EnvelopeOptions = {}): Buffer {
  const { root = 'EnvioDTE' } = options
  const counts = new Map<string, number>()
  for (const one of dtes) {
    const tipo = /<TipoDTE>(\d+)</.exec(one)?.[1] ?? ''
    counts.set(tipo, (counts.get(tipo) ?? 0) + 1)
  }
  const totals = [...counts].map(
    ([tipo, count]) => `<SubTotDTE><TpoDTE>${tipo}</TpoDTE><NroDTE>${count}</NroDTE></SubTotDTE>`,
  )
  const caratula = (options.caratula ?? same)(
    `<Caratula version="1.0"><RutEmisor>${EMISOR}</RutEmisor><RutEnvia>${SENDER}</RutEnvia>` +
      '<RutReceptor>60803000-K</RutReceptor><FchResol>2014-08-22</FchResol><NroResol>80</NroResol>' +
      `<TmstFirmaEnv>2026-11-10T12:05:00</TmstFirmaEnv>${totals.join('')}</Caratula>`,
  )
  const body = `<SetDTE ID="SetDoc">${caratula}${dtes.join('')}</SetDTE>`
  return sealed(root, body, options)
}

/** Any file whose first child is signed where it stands. */
export function sealed(root: string, body: string, { signer = sender, file = same }: EnvelopeOptions = {}): Buffer {
  const id = /^<\w+ ID="([^"]+)"/.exec(body)?.[1] ?? ''
  // What the root declares comes first in the signed element; what stands inside need not say it again.
  const canonical = body.replaceAll(` ${SII}`, '').replace(/^<\w+/, (name) => `${name} ${SII} ${XSI}`)
  const signature = signatureOf(id, canonical, ` ${XSI}`, signer)
  const whole =
    `<?xml version="1.0" encoding="ISO-8859-1"?>\n<${root} ${SII} ${XSI} ` +
    `xsi:schemaLocation="http://www.sii.cl/SiiDte ${root}.xsd" version="1.0">${body}${signature}</${root}>`
  return Buffer.from(file(whole), 'latin1')
}

/** An element signed by itself, to be pasted into a file: `DTECedido`, `Cesion`. */
export function signedAlone(name: string, body: string, signer: Person = sender): string {
  const id = /^<\w+ ID="([^"]+)"/.exec(body)?.[1] ?? ''
  const canonical = body.replaceAll(` ${SII}`, '').replace(/^<\w+/, (tag) => `${tag} ${SII}`)
  return `<${name} ${SII} version="1.0">${body}${signatureOf(id, canonical, '', signer)}</${name}>`
}
