import { stems } from './stems.ts'

// What a scripted client knows of two languages: the words of business, and how Chileans write dates, money and RUTs. It
// knows no tool.

const LEXICON: Readonly<Record<string, string>> = {
  desde: 'first',
  hasta: 'last',
  vence: 'credit due',
  vencido: 'late overdue',
  atrasado: 'late overdue',
  motivo: 'reason',
  porque: 'reason',
  mensaje: 'text letter',
  direccion: 'street',
  calle: 'street',
  transferencia: 'transfer',
  efectivo: 'cash',
  anula: 'annul',
  anular: 'annul',
  acepta: 'accept',
  aceptar: 'accept',
  reclama: 'claim',
  reclamar: 'claim',
  acuse: 'acknowledge',
  enlace: 'link',
  link: 'link',
  proveedor: 'supplier',
  cliente: 'client',
  gasto: 'expense',
  gastos: 'expense',
  pesos: 'clp',
  detalle: 'detail full',
}

const words = (text: string) => new Set(stems(text.replaceAll('$', ' pesos ')))

/** The words of a text, and what they are called in the other language. */
export function understood(text: string): Set<string> {
  const letters = text
    .toLowerCase()
    .normalize('NFD')
    .replace(/[\u0300-\u036f]/g, '')
  const more = (letters.match(/[a-z]+/g) ?? []).map((word) => LEXICON[word] ?? '')
  return words(`${text} ${more.join(' ')}`)
}

export const overlap = (one: ReadonlySet<string>, text: string) =>
  [...words(text)].filter((word) => one.has(word)).length

const MONTHS = 'enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre'.split(' ')

const two = (value: number | string) => String(value).padStart(2, '0')

/** Days of a text with the word before each: `hasta el 17 de noviembre de 2026`. */
export function datesIn(text: string): { readonly before: string; readonly date: string }[] {
  const said = [...text.matchAll(/(\S+)(?: el)? (\d{1,2}) de ([a-z]+) de (\d{4})/g)]
    .filter(([, , , month]) => MONTHS.includes(month ?? ''))
    .map(([, before = '', day = '', month = '', year]) => ({
      before,
      date: `${year}-${two(MONTHS.indexOf(month) + 1)}-${two(day)}`,
    }))
  const written = [...text.matchAll(/(\S+) (\d{4}-\d{2}-\d{2})/g)].map(([, before = '', date = '']) => ({
    before,
    date,
  }))
  return [...said, ...written]
}

export function monthIn(text: string): string | null {
  const [, month, year] =
    [...text.matchAll(/([a-z]+) de (\d{4})/g)].find(([, name]) => MONTHS.includes(name ?? '')) ?? []
  return month && year ? `${year}-${two(MONTHS.indexOf(month) + 1)}` : null
}

export const rutIn = (text: string) => /\b\d{1,2}\.?\d{3}\.?\d{3}-[\dkK]\b/.exec(text)?.[0] ?? null
export const emailIn = (text: string) => /[\w.+-]+@[\w-]+(?:\.[\w-]+)+/.exec(text)?.[0] ?? null
export const quotedIn = (text: string) =>
  [...text.matchAll(/(\S+) «([^»]+)»/g)].map(([, before = '', quoted = '']) => ({ before, quoted }))
export const idIn = (text: string, prefix: string) => new RegExp(`\\b${prefix}_\\w+`).exec(text)?.[0] ?? null

/** `la factura 1234`, as people name a document. */
export function documentIn(text: string): string | null {
  const named =
    /\b(factura exenta|factura|boleta|gu[ií]a|nota de cr[eé]dito|nota de d[eé]bito)(?: n[°º]?)? (\d{1,9})\b/i.exec(text)
  return named ? `${named[1]} ${named[2]}` : (idIn(text, 'doc') ?? idIn(text, 'rcd'))
}

const digits = (text: string) => Number(text.replaceAll('.', ''))
export const moneyIn = (text: string) =>
  [...text.matchAll(/\$ ?(\d[\d.]*\d|\d)/g)].map(([, amount = '']) => digits(amount))

/** `3 cafés a $1.990`: how many, of what, for how much each. */
export const linesIn = (text: string) =>
  [...text.matchAll(/(\d+) ([^\d$,:;]+?) a \$ ?(\d[\d.]*\d|\d)/g)].map(([, quantity, what = '', price = '']) => ({
    quantity: Number(quantity),
    what: what.trim(),
    price: digits(price),
  }))
