import type { EmpresaScope } from '../../../kernel/scope.ts'
import type { JobTransaction } from '../../job.ts'
import { readAutomationSettings } from '../automation-settings/automation-settings.ts'
import { askForFolios } from './ask.ts'
import { lowBelow, readAvailability } from './availability.ts'
import { type CafRow, remainingOf, sizeOf } from './show.ts'

/** What telling of folios takes: a transaction with its events and its jobs. Requests and jobs both have one. */
export type Telling = Pick<JobTransaction, 'sql' | 'now' | 'enqueue' | 'emit' | 'request_id'>

export type FolioNews = 'folios.low' | 'folios.exhausted'

/** What a fall from one stock to another is worth telling. Each line is crossed by one transaction only. */
export function folioNews(before: number, after: number, low_below: number): FolioNews[] {
  const news: FolioNews[] = []
  if (before >= low_below && after < low_below) news.push('folios.low')
  if (before > 0 && after === 0) news.push('folios.exhausted')
  return news
}

export const stockOf = (ranges: readonly CafRow[]): number =>
  ranges.reduce((total, range) => total + remainingOf(range), 0)

/**
 * Tells of a stock that fell, in the transaction that made it fall, and asks for more where the empresa lets us.
 * `chain` is what could be used before, held by this transaction; `left` is what can be used now.
 */
export async function tellOfFall(
  tx: Telling,
  scope: EmpresaScope,
  on: string,
  chain: readonly CafRow[],
  left: number,
): Promise<void> {
  const last = chain.at(-1)
  if (!last) return
  const low_below = lowBelow(sizeOf(last))
  const news = folioNews(stockOf(chain), left, low_below)
  if (news.length === 0) return
  const object = await readAvailability(tx.sql, scope, last.tipo_dte, on)
  if (object.status === 'sfg_managed') return
  const empresa = { id: scope.empresa_id, rut: scope.rut }
  for (const type of news) tx.emit({ type, object, empresa, detail: { low_below } })
  const { request_folios_when_low } = await readAutomationSettings({ sql: tx.sql, empresa: scope })
  if (request_folios_when_low) await askForFolios(tx, scope, last.tipo_dte, sizeOf(last), 'low')
}
