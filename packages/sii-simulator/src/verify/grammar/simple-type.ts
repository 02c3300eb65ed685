/** What is wrong with a value, in the words of a schema processor; null when nothing is. */
export type CheckValue = (value: string) => string | null

/**
 * Makes the check of one simple type, written as a base and its limits: `str 1..80`, `pos d10`, `dec d5 f2 >=0.01`,
 * `str {D|R}`, `date >=2000-01-01`. The bases are those of XML Schema under shorter names.
 */
export function simpleType(written: string): CheckValue {
  const [base = '', ...limits] = split(written)
  const makeBase = BASES[base]
  if (makeBase === undefined) throw new TypeError(`no simple type "${written}"`)
  const checks: CheckValue[] = makeBase === anything ? [] : [makeBase]
  for (const limit of limits) checks.push(limitOf(limit, base))
  const collapses = base !== 'str'
  const [first, second] = checks
  if (first === undefined) return () => null
  if (second === undefined) return collapses ? (value) => first(value.trim()) : first
  return (value) => {
    const kept = collapses ? value.trim() : value
    for (const check of checks) {
      const fault = check(kept)
      if (fault !== null) return fault
    }
    return null
  }
}

/** By spaces, but for those inside braces or slashes. */
function split(written: string): string[] {
  return written.match(/\{[^}]*\}|\/\S+\/|\S+/g) ?? []
}

function limitOf(limit: string, base: string): CheckValue {
  if (limit.startsWith('{')) return oneOf(limit.slice(1, -1).split('|'), base)
  if (limit.startsWith('/')) return pattern(limit.slice(1, -1))
  if (limit.startsWith('>=')) return atLeast(limit.slice(2), base)
  if (limit.startsWith('<=')) return atMost(limit.slice(2), base)
  if (limit.includes('..')) return lengthWithin(limit, base)
  const count = Number(limit.slice(1))
  if (limit.startsWith('d')) return (value) => (totalDigits(value) <= count ? null : tooMany(value, count))
  if (limit.startsWith('f'))
    return (value) => (decimalOf(value).fraction.length <= count ? null : tooMany(value, count))
  throw new TypeError(`no limit "${limit}"`)
}

const tooMany = (value: string, count: number) => `LSX-00222: "${value}" has too many digits, maximum is ${count}`
const wrong = (value: string, type: string) => `LSX-00231: value "${value}" is not a valid ${type}`

function matching(form: RegExp, type: string): CheckValue {
  return (value) => (form.test(value) ? null : wrong(value, type))
}

const INTEGER = /^[+-]?\d+$/
const TIMEZONE = '(?:Z|[+-](?:0\\d|1[0-3]):[0-5]\\d|[+-]14:00)?'
const DATE = new RegExp(`^-?(?:\\d{4}|[1-9]\\d{4,})-(\\d\\d)-(\\d\\d)${TIMEZONE}$`)
const DATE_TIME = new RegExp(
  `^-?(?:\\d{4}|[1-9]\\d{4,})-(\\d\\d)-(\\d\\d)T(?:(?:[01]\\d|2[0-3]):[0-5]\\d:[0-5]\\d(?:\\.\\d+)?|24:00:00(?:\\.0+)?)${TIMEZONE}$`,
)
const YEAR_MONTH = new RegExp(`^-?(?:\\d{4}|[1-9]\\d{4,})-(?:0[1-9]|1[0-2])${TIMEZONE}$`)
// The last characters before the padding carry bits that must be zero.
const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/][AQgw]==|[A-Za-z0-9+/]{2}[AEIMQUYcgkosw048]=)?$/
const NCNAME =
  /^[A-Za-z_\xc0-\xd6\xd8-\xf6\xf8-\u02ff\u0370-\u037d\u037f-\u1fff][-.0-9A-Za-z_\xb7\xc0-\xd6\xd8-\xf6\xf8-\u037d\u037f-\u1fff]*$/

const anything: CheckValue = () => null

const BASES: Readonly<Record<string, CheckValue>> = {
  str: anything,
  uri: anything,
  any: anything,
  int: matching(INTEGER, 'integer'),
  nat: integerFrom('0'),
  pos: integerFrom('1'),
  long: integerWithin('-9223372036854775808', '9223372036854775807'),
  unsignedLong: integerWithin('0', '18446744073709551615'),
  dec: matching(/^[+-]?(?:\d+(?:\.\d*)?|\.\d+)$/, 'decimal'),
  date: calendar(DATE, 'date'),
  dateTime: calendar(DATE_TIME, 'dateTime'),
  gYearMonth: matching(YEAR_MONTH, 'gYearMonth'),
  base64: (value) => (BASE64.test(packed(value)) ? null : wrong(value, 'base64Binary')),
  id: matching(NCNAME, 'ID'),
}

function packed(value: string): string {
  return /\s/.test(value) ? value.replace(/[ \t\n\r]+/g, '') : value
}

function integerFrom(least: string): CheckValue {
  return (value) => {
    if (!INTEGER.test(value)) return wrong(value, 'integer')
    return compareDecimals(value, least) < 0 ? `LSX-00293: value "${value}" is less than ${least}` : null
  }
}

function integerWithin(least: string, most: string): CheckValue {
  return (value) => {
    const inside = INTEGER.test(value) && compareDecimals(value, least) >= 0 && compareDecimals(value, most) <= 0
    return inside ? null : wrong(value, 'integer')
  }
}

function calendar(form: RegExp, type: string): CheckValue {
  return (value) => {
    const parts = form.exec(value)
    if (parts === null) return wrong(value, type)
    const [month, day] = [Number(parts[1]), Number(parts[2])]
    const year = Number(/^-?\d+/.exec(value)?.[0])
    return month >= 1 && month <= 12 && day >= 1 && day <= daysIn(year, month) ? null : wrong(value, type)
  }
}

function daysIn(year: number, month: number): number {
  if (month === 2) return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28
  return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31
}

function lengthWithin(limit: string, base: string): CheckValue {
  const [least = '', most = ''] = limit.split('..')
  const [from, to] = [least === '' ? 0 : Number(least), most === '' ? Number.POSITIVE_INFINITY : Number(most)]
  return (value) => {
    const length = base === 'base64' ? Math.floor((packed(value).replace(/=+$/, '').length * 3) / 4) : countOf(value)
    if (length > to) return `LSX-00220: "${value.slice(0, 100)}" is too long, maximum length is ${to}`
    return length < from ? `LSX-00221: "${value}" is too short, minimum length is ${from}` : null
  }
}

/** Characters, not units of UTF-16. */
function countOf(value: string): number {
  let length = value.length
  for (let at = 0; at < value.length; at++) {
    const code = value.charCodeAt(at)
    if (code >= 0xd800 && code < 0xdc00) length--
  }
  return length
}

function pattern(written: string): CheckValue {
  const form = new RegExp(`^(?:${written})$`)
  return (value) => (form.test(value) ? null : `LSX-00231: value "${value}" does not match the pattern "${written}"`)
}

const isNumeric = (base: string) => base === 'int' || base === 'nat' || base === 'pos' || base === 'dec'

/** Numbers are the same when their values are: `01` is `1`. */
function oneOf(values: readonly string[], base: string): CheckValue {
  const known = new Set(isNumeric(base) ? values.map(plainNumber) : values)
  return (value) => {
    if (known.has(value) || (isNumeric(base) && known.has(plainNumber(value)))) return null
    return `LSX-00291: value "${value}" is not declared`
  }
}

function plainNumber(value: string): string {
  const { negative, whole, fraction } = decimalOf(value)
  return `${negative ? '-' : ''}${whole === '' ? '0' : whole}${fraction === '' ? '' : `.${fraction}`}`
}

function atLeast(least: string, base: string): CheckValue {
  const compare = isNumeric(base) ? compareDecimals : compareTexts
  return (value) => (compare(value, least) >= 0 ? null : `LSX-00293: value "${value}" is less than "${least}"`)
}

function atMost(most: string, base: string): CheckValue {
  const compare = isNumeric(base) ? compareDecimals : compareTexts
  return (value) => (compare(value, most) <= 0 ? null : `LSX-00292: value "${value}" is greater than "${most}"`)
}

/** Dates of four-digit years compare as text. A time zone is not looked at: no DTE has one. */
function compareTexts(a: string, b: string): number {
  const of_a = a.startsWith('-') ? '0' : a.slice(0, b.length)
  return of_a < b ? -1 : of_a > b ? 1 : 0
}

/** Sign, digits before the point without leading zeros, and after it without trailing ones. */
function decimalOf(value: string): { negative: boolean; whole: string; fraction: string } {
  const sign = value.charCodeAt(0)
  const from = sign === 0x2b || sign === 0x2d ? 1 : 0
  const point = value.indexOf('.')
  let start = from
  const end = point === -1 ? value.length : point
  while (start < end && value.charCodeAt(start) === 0x30) start++
  const whole = value.slice(start, end)
  const fraction = point === -1 ? '' : value.slice(point + 1).replace(/0+$/, '')
  return { negative: sign === 0x2d && (whole !== '' || fraction !== ''), whole, fraction }
}

function totalDigits(value: string): number {
  const { whole, fraction } = decimalOf(value)
  return Math.max(1, whole.length + fraction.length)
}

function compareDecimals(a: string, b: string): number {
  const [left, right] = [decimalOf(a), decimalOf(b)]
  if (left.negative !== right.negative) return left.negative ? -1 : 1
  const sign = left.negative ? -1 : 1
  if (left.whole.length !== right.whole.length) return left.whole.length < right.whole.length ? -sign : sign
  const [of_a, of_b] = [`${left.whole}.${left.fraction}`, `${right.whole}.${right.fraction}`]
  return of_a < of_b ? -sign : of_a > of_b ? sign : 0
}
