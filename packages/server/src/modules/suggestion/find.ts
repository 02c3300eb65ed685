import { parseRut } from '@timbre/dte/values'
import type { EmpresaScope } from '../../kernel/context.ts'
import { newId } from '../../kernel/id.ts'
import { monthOf } from './arithmetic.ts'
import { documentedIn } from './documented.ts'
import { type Moving, settleSuggestions } from './move.ts'
import { type Provider, providerIn } from './providers.ts'
import { noteRead } from './register-store.ts'
import { WITHDRAWN_BECAUSE, type WithdrawnBecause } from './schema.ts'
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
    const { id: movement_id, post_date, currency, description } = one
    const period = monthOf(post_date)
    const facts = { period, provider: provider.key, movement_id, post_date, currency, description }
    return [{ id: newId('suggestion'), amount: -one.amount, register_read: false, ...facts }]
  })
}

/** Suggests a factura de compra for payments to providers abroad that nothing documents. */
export async function suggestFor(tx: Moving, scope: EmpresaScope, spent: readonly Spent[]): Promise<number> {
  const found = foundIn(spent)
  if (found.length === 0) return 0
  const silences = await silencesFor(tx.sql, scope, [...new Set(found.map(({ provider }) => provider))])
  const documented = await documentedIn(
    tx.sql,
    scope,
    found.map(({ period }) => period),
  )
  const wanted = found
    .filter((one) => !isSilenced(silences, one) && documented.by({ ...one, pesos: pesosOf(one) }) === null)
    .map((one) => ({ ...one, register_read: documented.read.has(one.period) }))
  if (wanted.length === 0) return 0
  const written = await writeSuggestions(tx.sql, scope, wanted, tx.now())
  const fresh = written.filter((row) => row.fresh)
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
  await noteRead(tx.sql, scope, documented.read)
  const because = new Map<WithdrawnBecause, string[]>(WITHDRAWN_BECAUSE.map((why) => [why, []]))
  for (const row of open) {
    const why = documented.by({ ...row, pesos: pesosOf(row) })
    if (why) because.get(why)?.push(row.id)
  }
  for (const [withdrawn_because, ids] of because) {
    await settleSuggestions(tx, scope, ids, 'withdrawn', { withdrawn_because })
  }
}
