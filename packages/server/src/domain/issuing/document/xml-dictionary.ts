import { createHash } from 'node:crypto'
import { type Base, indexBase } from '../../../kernel/delta.ts'

const tags = (...names: string[]) => names.map((name) => `<${name}></${name}>`).join('')

// The elements of a plain factura in their order, without what stands in them, so that one copy goes on where the last ended;
// behind them, those that other documents have too. Changing a word here makes a new dictionary for every CAF in use; the old
// ones stay, for they rest as a whole.
const BEFORE_EMISOR = `<?xml version="1.0" encoding="ISO-8859-1"?>
<DTE xmlns="http://www.sii.cl/SiiDte" version="1.0"><Documento ID="F"><Encabezado><IdDoc>${tags('TipoDTE', 'Folio', 'FchEmis')}</IdDoc>`
const RECEPTOR = tags('RUTRecep', 'RznSocRecep', 'GiroRecep', 'DirRecep', 'CmnaRecep', 'CiudadRecep')
const TOTALES = tags('MntNeto', 'TasaIVA', 'IVA', 'MntTotal')
const DETALLE = `<Detalle>${tags('NroLinDet', 'NmbItem', 'QtyItem', 'PrcItem', 'MontoItem')}</Detalle>`
const TIMBRE = `<TED version="1.0"><DD>${tags('RE', 'TD', 'F', 'FE', 'RR', 'RSR', 'MNT', 'IT1')}`
const BEFORE_CAF = `<Receptor>${RECEPTOR}</Receptor><Totales>${TOTALES}</Totales></Encabezado>${DETALLE}${DETALLE}${TIMBRE}`
const BEFORE_KEY = `<TSTED></TSTED></DD><FRMT algoritmo="SHA1withRSA"></FRMT></TED><TmstFirma></TmstFirma></Documento><Signature xmlns="http://www.w3.org/2000/09/xmldsig#"><SignedInfo><CanonicalizationMethod Algorithm="http://www.w3.org/TR/2001/REC-xml-c14n-20010315"></CanonicalizationMethod><SignatureMethod Algorithm="http://www.w3.org/2000/09/xmldsig#rsa-sha1"></SignatureMethod><Reference URI="#F"><Transforms><Transform Algorithm="http://www.w3.org/TR/2001/REC-xml-c14n-20010315"></Transform></Transforms><DigestMethod Algorithm="http://www.w3.org/2000/09/xmldsig#sha1"></DigestMethod><DigestValue></DigestValue></Reference></SignedInfo><SignatureValue></SignatureValue>`
const AFTER_KEY = '</Signature></DTE>'
const SELDOM = `${tags('TipoDespacho', 'IndTraslado', 'IndServicio', 'FmaPago', 'FchVenc')}</IdDoc>${tags(
  'CdgIntRecep',
  'Contacto',
  'CorreoRecep',
)}<MntExe></MntExe><IVA></IVA><CdgItem>${tags('TpoCodigo', 'VlrCodigo')}</CdgItem><IndExe>1</IndExe>${tags(
  'DscItem',
  'UnmdItem',
  'DescuentoPct',
  'DescuentoMonto',
)}<DscRcgGlobal>${tags('NroLinDR', 'TpoMov', 'TpoValor', 'ValorDR')}</DscRcgGlobal><Referencia>${tags(
  'NroLinRef',
  'TpoDocRef',
  'FolioRef',
  'FchRef',
  'CodRef',
  'RazonRef',
)}</Referencia><TED version="1.0">`

export interface Dictionary {
  /** The number it has in its empresa: eight bytes of its SHA-256, as PostgreSQL writes them. */
  readonly id: string
  readonly base: Base
}

/**
 * What tells dictionaries apart: the emisor, and the end of what the SII signed in its CAF and of the certificate. Were two alike in
 * these, one would serve both, only less well: an XML is told by its difference from whichever it names.
 */
function signOf(xml: Buffer): string | null {
  const emisor = xml.indexOf('<Emisor>', 0, 'latin1')
  const from = Math.max(emisor, 0)
  const emisor_end = emisor < 0 ? 0 : xml.indexOf('</Emisor>', from, 'latin1')
  const caf_end = xml.indexOf('</FRMA>', from, 'latin1')
  const key_end = xml.indexOf('</KeyInfo>', Math.max(caf_end, 0), 'latin1')
  if (caf_end < SIGN_CHARS || key_end < SIGN_CHARS) return null
  const before = (end: number) => xml.toString('latin1', end - SIGN_CHARS, end)
  return xml.toString('latin1', from, Math.max(emisor_end, from)) + before(caf_end) + before(key_end)
}

/** From where an element starts to where it ends; empty where there is none. */
function elementOf(xml: Buffer, start: string, end: string): string {
  const from = xml.indexOf(start, 0, 'latin1')
  const to = from < 0 ? -1 : xml.indexOf(end, from, 'latin1')
  return to < 0 ? '' : xml.toString('latin1', from, to + end.length)
}

// A base is a few thousand bytes and its index as many numbers: some megabytes for those that emit at the same time.
const MOST_KEPT = 200
const SIGN_CHARS = 80
const kept = new Map<string, Dictionary>()

/** What an XML has in common with the others of its emisor under the same CAF and certificate; null where it lacks either. */
export function dictionaryOf(xml: Buffer): Dictionary | null {
  const sign = signOf(xml)
  return sign === null ? null : (kept.get(sign) ?? makeDictionary(xml, sign))
}

function makeDictionary(xml: Buffer, sign: string): Dictionary | null {
  const emisor = elementOf(xml, '<Emisor>', '</Emisor>')
  const caf = elementOf(xml, '<CAF ', '</CAF>')
  const key = elementOf(xml, '<KeyInfo>', '</KeyInfo>')
  if (caf === '' || key === '') return null
  const text = `${BEFORE_EMISOR}${emisor}${BEFORE_CAF}${caf}${BEFORE_KEY}${key}${AFTER_KEY}${SELDOM}`
  const bytes = Buffer.from(text, 'latin1')
  const id = createHash('sha256').update(bytes).digest().readBigInt64BE().toString()
  const made = { id, base: indexBase(bytes) }
  const [oldest] = kept.keys()
  if (kept.size >= MOST_KEPT && oldest !== undefined) kept.delete(oldest)
  kept.set(sign, made)
  return made
}
