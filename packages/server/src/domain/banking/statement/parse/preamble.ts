import { bankIn } from '../../movement/ingest/account.ts'
import { plainWords } from './header.ts'
import type { StatementCurrency } from './parse-amount.ts'
import { type DateContext, parseDate } from './parse-date.ts'
import { type SheetRow, textOf } from './sheet.ts'

/** The account as the lines above the header describe it. */
export interface Preamble {
  readonly bank_account: string | null
  readonly bank: string | null
  readonly currency: StatementCurrency | null
  readonly card: boolean
  /** The last day that is written there: a cartola says from when until when it goes. */
  readonly end: string | null
}

const ACCOUNT = /(?:cuenta|cta|tarjeta|producto)\D{0,40}?([\dXx*][\dXx*\-. ]{2,28}[\dXx*])/i
const DATES =
  /\b\d{1,2}[-/.]\d{1,2}[-/.]\d{2,4}\b|\b\d{4}-\d{2}-\d{2}\b|\b\d{1,2} (?:de )?\p{L}{3,10} (?:del? )?\d{4}\b/gu

function accountIn(text: string): string | null {
  const found = ACCOUNT.exec(text)?.[1]?.trim()
  return found && /\d{3}|\d[\dXx*\-. ]{0,28}\d{2}/.test(found) ? found : null
}

function currencyIn(text: string): StatementCurrency | null {
  const words = plainWords(text)
  const at = words.indexOf('moneda')
  const behind = at < 0 ? '' : words.slice(at)
  if (/usd|dolar/.test(behind) || /en dolares|\busd\b/.test(words)) return 'USD'
  if (behind.includes('eur')) return 'EUR'
  return /clp|peso/.test(behind) ? 'CLP' : null
}

function lastDateIn(text: string, context: DateContext): string | null {
  const found = (text.match(DATES) ?? []).flatMap((written) => {
    try {
      return parseDate(written, context)?.date ?? []
    } catch {
      return []
    }
  })
  return found.sort().at(-1) ?? null
}

export function parsePreamble(rows: readonly SheetRow[], filename: string, today: string): Preamble {
  const lines = rows.map(({ cells }) => cells.map(textOf).filter(Boolean).join(' '))
  const first = <T>(look: (line: string) => T | null) => lines.map(look).find((found) => found !== null) ?? null
  const context = { end: today, epoch1904: false }
  const dates = lines.flatMap((line) => lastDateIn(line, context) ?? [])
  return {
    bank_account: first(accountIn),
    bank: bankIn([...lines, filename].join(' ')),
    currency: first(currencyIn),
    card: [...lines, filename].some((line) => /tarjeta|visa|mastercard|estado de cuenta/.test(plainWords(line))),
    end: dates.sort().at(-1) ?? null,
  }
}
