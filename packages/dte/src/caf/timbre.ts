import { sign as rsaSign } from 'node:crypto'
import { signSha1 } from '../signature/rsa-sha1.ts'
import type { AnyDte } from '../unissued/document.ts'
import { textElement } from '../xml/write.ts'
import type { Caf } from './caf.ts'

/** TED (SII, Formato de Documentos Tributarios Electrónicos, timbre electrónico): what the bar code of the paper carries. */
export interface Timbre {
  readonly emisor_rut: string
  readonly tipo_dte: number
  readonly folio: number
  readonly issue_date: string
  readonly receptor_rut: string
  readonly receptor_name: string
  readonly total: number
  readonly first_item: string
  /** `AAAA-MM-DDTHH:MM:SS`, local time of Santiago. */
  readonly tmst_ted: string
}

const MAX_TEXT = 40
/** RSR and IT1 need at least one character, and a boleta may name neither buyer nor item. */
const NO_NAME = 'CLIENTE'
const NO_ITEM = 'SIN DETALLE'

export function timbreOf(dte: AnyDte, tmst_ted: string): Timbre {
  return {
    emisor_rut: dte.emisor.rut,
    tipo_dte: dte.tipo_dte,
    folio: dte.folio,
    issue_date: dte.issue_date,
    receptor_rut: dte.receptor.rut,
    receptor_name: dte.receptor.legal_name ?? NO_NAME,
    total: dte.totals.total,
    first_item: dte.items[0]?.description ?? NO_ITEM,
    tmst_ted,
  }
}

/** `DD` as it is signed: flat, no namespace, the CAF as the SII wrote it. */
export function writeDd(timbre: Timbre, caf: Caf<number>): string {
  return (
    `<DD><RE>${timbre.emisor_rut}</RE><TD>${timbre.tipo_dte}</TD><F>${timbre.folio}</F><FE>${timbre.issue_date}</FE>` +
    `<RR>${timbre.receptor_rut}</RR>${textElement('RSR', cut(timbre.receptor_name, NO_NAME))}<MNT>${timbre.total}</MNT>` +
    `${textElement('IT1', cut(timbre.first_item, NO_ITEM))}${caf.xml}<TSTED>${timbre.tmst_ted}</TSTED></DD>`
  )
}

export function stampSync(timbre: Timbre, caf: Caf<number>): string {
  const dd = writeDd(timbre, caf)
  return writeTed(dd, signSha1(Buffer.from(dd, 'latin1'), caf.key))
}

/** The same, with RSA on the thread pool. */
export function stamp(timbre: Timbre, caf: Caf<number>): Promise<string> {
  const dd = writeDd(timbre, caf)
  return new Promise((resolve, reject) => {
    rsaSign('RSA-SHA1', Buffer.from(dd, 'latin1'), caf.key, (failure, value) => {
      if (failure === null) resolve(writeTed(dd, value.toString('base64')))
      else reject(failure)
    })
  })
}

function writeTed(dd: string, signature: string): string {
  return `<TED version="1.0">${dd}<FRMT algoritmo="SHA1withRSA">${signature}</FRMT></TED>`
}

/**
 * The first forty characters, cut before escaping, in ASCII. ISO-8859-1 is what the format asks for, but readers of the
 * bar code that drop the bytes above 127 exist, the SII's sample one among them, and the SII takes both forms.
 */
function cut(text: string, otherwise: string): string {
  const folded = foldToAscii(singleSpaced(text).trim().slice(0, MAX_TEXT)).slice(0, MAX_TEXT)
  return folded.trim() === '' ? otherwise : folded
}

const singleSpaced = (text: string) => (/\s\s|[^\S ]/.test(text) ? text.replace(/\s+/g, ' ') : text)

const FOLDS: Readonly<Record<string, string>> = {
  ß: 'ss',
  Æ: 'AE',
  æ: 'ae',
  Ø: 'O',
  ø: 'o',
  Ð: 'D',
  ð: 'd',
  Þ: 'Th',
  þ: 'th',
  '¡': '!',
  '¿': '?',
  '«': '"',
  '»': '"',
  '°': 'o',
  '·': '.',
  '×': 'x',
  '÷': '/',
  '\u2044': '/',
  '\u03bc': 'u',
}
const COMBINING = /[\u0300-\u036f]/g

function foldToAscii(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the question is whether the text is plain ASCII
  if (/^[\x00-\x7f]*$/.test(text)) return text
  if (/[\u0100-\uffff]/.test(text)) return decomposed(text)
  return text.replace(/[^\x20-\x7e]/g, (character) => LATIN1_FOLDS[character.charCodeAt(0)] ?? ' ')
}

function decomposed(text: string): string {
  const plain = text.normalize('NFKD').replace(COMBINING, '')
  return plain.replace(/[^\x20-\x7e]/g, (character) => FOLDS[character] ?? ' ')
}

/** What each character of ISO-8859-1 becomes, found out once: to decompose a name took a tenth of what emitting a document does. */
const LATIN1_FOLDS: readonly string[] = Array.from({ length: 256 }, (_, code) => decomposed(String.fromCharCode(code)))
