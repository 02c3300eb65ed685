import { parseRut } from '@timbre/dte/values'
import { newId } from '../../../kernel/id.ts'
import type { EmpresaScope } from '../../../kernel/scope.ts'
import { monthOf } from './arithmetic.ts'
import { type Documented, documentedIn } from './documented.ts'
import { type Moving, settleSuggestions } from './move.ts'
import { type Provider, providerIn } from './providers.ts'
import { noteRead } from './register-store.ts'
import { pesosOf, showSuggestion } from './show.ts'
import { type Found, openSuggestions, type Silence, silencesFor, writeSuggestions } from './store.ts'

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
  /** What the movement says that this one may be; null where it is nobody's. */
  readonly twin_words: string | null
}

/** RUTs that the SII gives to foreigners without a domicile in Chile. */
const isForeign = (rut: string) => Math.floor((parseRut(rut)?.number ?? 0) / 1_000_000) === 59

/** The provider abroad that was paid. Whoever the bank names by a RUT of Chile is somebody here. */
function providerOf({ description, counterparty_rut, counterparty_name }: Spent): Provider | null {
  if (counterparty_rut !== null && !isForeign(counterparty_rut)) return null
  return providerIn(`${description} ${counterparty_name ?? ''}`)
}

function isSilenced(silences: readonly Silence[], found: Found): boolean {
  return silences.some(
    ({ provider, scope, amount, currency }) =>
      provider === found.provider && (scope === 'provider' || (amount === found.amount && currency === found.currency)),
  )
}

function foundIn(spent: readonly Spent[]): Found[] {
  return spent.flatMap((one) => {
    const provider = providerOf(one)
    if (!provider) return []
    // The other one is suggested about. Two documents over one payment would be worse than one that waits to be asked for.
    if (one.twin_words !== null && providerIn(one.twin_words)?.key === provider.key) return []
    const { id: movement_id, post_date, currency, description } = one
    const period = monthOf(post_date)
    const facts = { period, provider: provider.key, movement_id, post_date, currency, description }
    const unsettled = { status: 'open', document_id: null, withdrawn_because: null, register_read: false } as const
    return [{ id: newId('suggestion'), amount: -one.amount, ...facts, ...unsettled }]
  })
}

/**
 * As it is to be written: open, or settled from the start where somebody issued its 46 already, so that this 46 stands
 * for no other payment. Nothing at all where the seller issued a document.
 */
function judged(one: Found, documented: Documented): Found[] {
  const why = documented.by({ ...one, pesos: pesosOf(one) })
  const register_read = documented.read.has(one.period)
  if (why === null) return [{ ...one, register_read }]
  return why.document_id === null ? [] : [{ ...one, ...why, register_read, status: 'withdrawn' }]
}

/** Suggests a factura de compra for payments to providers abroad that nothing documents. */
export async function suggestFor(tx: Moving, scope: EmpresaScope, spent: readonly Spent[]): Promise<number> {
  const found = foundIn(spent)
  if (found.length === 0) return 0
  const silences = await silencesFor(tx.sql, scope, [...new Set(found.map(({ provider }) => provider))])
  const months = found.map(({ period }) => period)
  const documented = await documentedIn(tx.sql, scope, months)
  const wanted = found.filter((one) => !isSilenced(silences, one)).flatMap((one) => judged(one, documented))
  if (wanted.length === 0) return 0
  const written = await writeSuggestions(tx.sql, scope, wanted, tx.now())
  const fresh = written.filter((row) => row.fresh && row.status === 'open')
  const empresa = { id: scope.empresa_id, rut: scope.rut }
  for (const row of fresh) tx.emit({ type: 'tax.suggestion.created', object: showSuggestion(row), empresa })
  return fresh.length
}

/** Takes back what is open and documented since: a DTE came into the register, or somebody issued the 46 by hand. */
export async function withdrawDocumented(tx: Moving, scope: EmpresaScope): Promise<void> {
  const open = await openSuggestions(tx.sql, scope)
  if (open.length === 0) return
  const documented = await documentedIn(
    tx.sql,
    scope,
    open.map(({ period }) => period),
  )
  const read = open.filter(({ register_read, period }) => !register_read && documented.read.has(period))
  await noteRead(
    tx.sql,
    scope,
    read.map(({ id }) => id),
  )
  for (const row of open) {
    const why = documented.by({ ...row, pesos: pesosOf(row) })
    if (why) await settleSuggestions(tx, scope, [row.id], 'withdrawn', why)
  }
}
