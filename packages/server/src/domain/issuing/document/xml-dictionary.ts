import { createHash } from 'node:crypto'
import { type Base, indexBase } from '../../../kernel/delta.ts'

const tags = (...names: string[]) => names.map((name) => `<${name}></${name}>`).join('')

// The elements of a document in their order, without what stands in them: those that most documents have. Changing a word
// here makes a new dictionary for every CAF in use; the old ones stay, for they rest as a whole.
const BEFORE_EMISOR = `<?xml version="1.0" encoding="ISO-8859-1"?>
<DTE xmlns="http://www.sii.cl/SiiDte" version="1.0"><Documento ID="F"><Encabezado><IdDoc>${tags(
  'TipoDTE',
  'Folio',
  'FchEmis',
  'TipoDespacho',
  'IndTraslado',
  'IndServicio',
  'FmaPago',
  'FchVenc',
)}</IdDoc>`
const BEFORE_CAF = `<Receptor>${tags(
  'RUTRecep',
  'CdgIntRecep',
  'RznSocRecep',
  'GiroRecep',
  'Contacto',
  'CorreoRecep',
  'DirRecep',
  'CmnaRecep',
  'CiudadRecep',
)}</Receptor><Totales>${tags('MntNeto', 'MntExe', 'TasaIVA', 'IVA', 'MntTotal')}</Totales></Encabezado><Detalle>${tags('NroLinDet')}<CdgItem>${tags(
  'TpoCodigo',
  'VlrCodigo',
)}</CdgItem><IndExe>1</IndExe>${tags(
  'NmbItem',
  'DscItem',
  'QtyItem',
  'UnmdItem',
  'PrcItem',
  'DescuentoPct',
  'DescuentoMonto',
  'MontoItem',
)}</Detalle><Detalle><DscRcgGlobal>${tags('NroLinDR', 'TpoMov', 'TpoValor', 'ValorDR')}</DscRcgGlobal><Referencia>${tags(
  'NroLinRef',
  'TpoDocRef',
  'FolioRef',
  'FchRef',
  'CodRef',
  'RazonRef',
)}</Referencia><TED version="1.0"><DD>${tags('RE', 'TD', 'F', 'FE', 'RR', 'RSR', 'MNT', 'IT1')}`
const BEFORE_KEY = `<TSTED></TSTED></DD><FRMT algoritmo="SHA1withRSA"></FRMT></TED><TmstFirma></TmstFirma></Documento><Signature xmlns="http://www.w3.org/2000/09/xmldsig#"><SignedInfo><CanonicalizationMethod Algorithm="http://www.w3.org/TR/2001/REC-xml-c14n-20010315"></CanonicalizationMethod><SignatureMethod Algorithm="http://www.w3.org/2000/09/xmldsig#rsa-sha1"></SignatureMethod><Reference URI="#F"><Transforms><Transform Algorithm="http://www.w3.org/TR/2001/REC-xml-c14n-20010315"></Transform></Transforms><DigestMethod Algorithm="http://www.w3.org/2000/09/xmldsig#sha1"></DigestMethod><DigestValue></DigestValue></Reference></SignedInfo><SignatureValue></SignatureValue>`
const AFTER_KEY = '</Signature></DTE>'

export interface Dictionary {
  /** The number it has in its empresa: eight bytes of its SHA-256, as PostgreSQL writes them. */
  readonly id: string
  readonly base: Base
}

/** From where an element starts to where it ends; empty where there is none. */
function elementOf(xml: Buffer, start: string, end: string): string {
  const from = xml.indexOf(start, 0, 'latin1')
  const to = from < 0 ? -1 : xml.indexOf(end, from, 'latin1')
  return to < 0 ? '' : xml.toString('latin1', from, to + end.length)
}

// A base is a few thousand bytes and its index as many numbers: some megabytes for those that emit at the same time.
const MOST_KEPT = 200
const kept = new Map<string, Dictionary>()

/** What an XML has in common with the others of its emisor under the same CAF and certificate; null where it lacks either. */
export function dictionaryOf(xml: Buffer): Dictionary | null {
  const emisor = elementOf(xml, '<Emisor>', '</Emisor>')
  const caf = elementOf(xml, '<CAF ', '</CAF>')
  const key = elementOf(xml, '<KeyInfo>', '</KeyInfo>')
  if (caf === '' || key === '') return null
  const own = `${emisor}${caf}${key}`
  const known = kept.get(own)
  if (known) return known
  const text = `${BEFORE_EMISOR}${emisor}${BEFORE_CAF}${caf}${BEFORE_KEY}${key}${AFTER_KEY}`
  const bytes = Buffer.from(text, 'latin1')
  const id = createHash('sha256').update(bytes).digest().readBigInt64BE().toString()
  const made = { id, base: indexBase(bytes) }
  const [oldest] = kept.keys()
  if (kept.size >= MOST_KEPT && oldest !== undefined) kept.delete(oldest)
  kept.set(own, made)
  return made
}
