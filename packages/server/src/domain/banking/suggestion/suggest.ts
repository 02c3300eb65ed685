import { parseRut, periodOf } from '@timbre/dte/values'
import { newId } from '../../../kernel/id.ts'
import type { EmpresaScope } from '../../../kernel/scope.ts'
import { type Documented, documentedIn } from './existing-documents.ts'
import { type Provider, providerIn } from './providers.ts'
import { type SettleContext, settleSuggestions } from './settle.ts'
import { pesosOf, showSuggestion } from './show.ts'
import {
  type Dismissed,
  findDismissed,
  listOpen,
  markRegisterRead,
  type NewSuggestion,
  upsertSuggestions,
} from './store.ts'

/** A movement that took money out. */
export interface Spent {
  readonly id: string
  readonly post_date: string
  /** Negative. */
  readonly amount: number
  readonly currency: string
  readonly description: string
  readonly counterparty_rut: string | null
  readonly counterparty_name: string | null
  /** The text of the movement that this one may duplicate; null where there is none. */
  readonly duplicate_text: string | null
}

/** RUTs of 59 millions are those that the SII gives to foreigners without a domicile in Chile. */
const isForeign = (rut: string) => Math.floor((parseRut(rut)?.number ?? 0) / 1_000_000) === 59

/** The provider abroad that was paid; none where the bank names a RUT of Chile. */
function providerOf({ description, counterparty_rut, counterparty_name }: Spent): Provider | null {
  if (counterparty_rut !== null && !isForeign(counterparty_rut)) return null
  return providerIn(`${description} ${counterparty_name ?? ''}`)
}

function isDismissed(dismissed: readonly Dismissed[], found: NewSuggestion): boolean {
  return dismissed.some(
    ({ provider, scope, amount, currency }) =>
      provider === found.provider && (scope === 'provider' || (amount === found.amount && currency === found.currency)),
  )
}

function suggestionsIn(spent: readonly Spent[]): NewSuggestion[] {
  return spent.flatMap((one) => {
    const provider = providerOf(one)
    if (!provider) return []
    // A suspected duplicate: the other movement has the suggestion. Two documents over one payment would be worse than one that waits.
    if (one.duplicate_text !== null && providerIn(one.duplicate_text)?.key === provider.key) return []
    const { id: movement_id, post_date, currency, description } = one
    const period = periodOf(post_date)
    const facts = { period, provider: provider.key, movement_id, post_date, currency, description }
    const unsettled = { status: 'open', document_id: null, withdrawn_because: null, register_read: false } as const
    return [{ id: newId('suggestion'), amount: -one.amount, ...facts, ...unsettled }]
  })
}

/**
 * Open, or withdrawn from the start where somebody issued its 46 by hand, so that this 46 covers no other payment.
 * Nothing at all where the seller issued a document.
 */
function checked(one: NewSuggestion, documented: Documented): NewSuggestion[] {
  const why = documented.by({ ...one, pesos: pesosOf(one) })
  const register_read = documented.read.has(one.period)
  if (why === null) return [{ ...one, register_read }]
  return why.document_id === null ? [] : [{ ...one, ...why, register_read, status: 'withdrawn' }]
}

/** Suggests a factura de compra for payments to providers abroad that no document covers. */
export async function createSuggestions(
  tx: SettleContext,
  scope: EmpresaScope,
  spent: readonly Spent[],
): Promise<number> {
  const found = suggestionsIn(spent)
  if (found.length === 0) return 0
  const dismissed = await findDismissed(tx.sql, scope, [...new Set(found.map(({ provider }) => provider))])
  const months = found.map(({ period }) => period)
  const documented = await documentedIn(tx.sql, scope, months)
  const wanted = found.filter((one) => !isDismissed(dismissed, one)).flatMap((one) => checked(one, documented))
  if (wanted.length === 0) return 0
  const written = await upsertSuggestions(tx.sql, scope, wanted, tx.now())
  const fresh = written.filter((row) => row.fresh && row.status === 'open')
  const empresa = { id: scope.empresa_id, rut: scope.rut }
  for (const row of fresh) tx.emit({ type: 'tax.suggestion.created', object: showSuggestion(row), empresa })
  return fresh.length
}

/** Withdraws open suggestions that a document covers since: a DTE came into the register, or a 46 was issued by hand. */
export async function withdrawDocumented(tx: SettleContext, scope: EmpresaScope): Promise<void> {
  const open = await listOpen(tx.sql, scope)
  if (open.length === 0) return
  const documented = await documentedIn(
    tx.sql,
    scope,
    open.map(({ period }) => period),
  )
  const read = open.filter(({ register_read, period }) => !register_read && documented.read.has(period))
  await markRegisterRead(
    tx.sql,
    scope,
    read.map(({ id }) => id),
  )
  for (const row of open) {
    const why = documented.by({ ...row, pesos: pesosOf(row) })
    if (why) await settleSuggestions(tx, scope, [row.id], 'withdrawn', why)
  }
}
