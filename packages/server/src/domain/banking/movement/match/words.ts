import { canonicalRut } from '@timbre/dte/values'

/** Capital letters without accents, as banks write. */
export function plain(text: string): string {
  return text.normalize('NFD').replace(/\p{M}/gu, '').toUpperCase()
}

// Zeros in front, dots and the dash are up to each bank.
const RUT = /(?<![\d.-])0*(\d{1,2}\.?\d{3}\.?\d{3})\s?-?\s?([\dK])(?![\d.-])/g

/** RUTs written in a text, however they are spelt. A number whose check digit is wrong is just a number. */
export function rutsIn(text: string): string[] {
  const found = [...plain(text).matchAll(RUT)].map(([, number = '', digit]) =>
    canonicalRut(`${number.replaceAll('.', '')}-${digit}`),
  )
  return [...new Set(found.filter((rut) => rut !== null))]
}

const SHORT_FOLIO_DIGITS = 2
const NUMBERS = /(?<![\d.,-])(\d{1,20})(?![\d.,]{0,20}\d)(?!-[\dK])/g
const ANNOUNCED_NUMBERS =
  /(?<![A-Z])(?:FACTURAS?|FACT|FAC|FOLIO|FOL|FE|NUMERO|NUM|NRO|NO|N[°º]?|#)[\s.:#°º-]{0,20}(\d{1,20})(?![\d.,]{0,20}\d)(?!-[\dK])/g

/**
 * Whether a text names a folio. A folio of one or two digits is any number at all, so it counts only behind a word that
 * announces it.
 */
export function namesFolio(text: string, folio: number): boolean {
  const written = String(folio).length > SHORT_FOLIO_DIGITS ? NUMBERS : ANNOUNCED_NUMBERS
  return [...plain(text).matchAll(written)].some(([, number]) => Number(number) === folio)
}

// Words that half of all names have identify nobody.
const EMPTY_WORDS = new Set(
  'SPA LTDA LIMITADA EIRL SOC SOCIEDAD COMERCIAL COMERCIALIZADORA SERVICIOS EMPRESA EMPRESAS INVERSIONES CHILE CIA COMPANIA ANONIMA RESPONSABILIDAD INDIVIDUAL HIJOS DEL LOS LAS AND THE'.split(
    ' ',
  ),
)

function tokensOf(text: string): string[] {
  return plain(text)
    .split(/[^A-Z0-9]+/)
    .filter((word) => word.length >= 3 && !EMPTY_WORDS.has(word) && !/^\d+$/.test(word))
}

// Banks cut names short, so the beginning of a word stands for it.
const STUB_LETTERS = 5

/** How much of a name a text holds: all of its significant words, half of them or more, or too few. */
export function namesParty(text: string, name: string): 'whole' | 'part' | null {
  const wanted = [...new Set(tokensOf(name))]
  if (wanted.length === 0) return null
  const tokens = tokensOf(text)
  const found = wanted.filter((word) =>
    tokens.some((one) => one === word || (one.length >= STUB_LETTERS && word.startsWith(one))),
  )
  if (!found.some((word) => word.length >= 4)) return null
  if (found.length === wanted.length) return 'whole'
  return found.length * 2 >= wanted.length ? 'part' : null
}
