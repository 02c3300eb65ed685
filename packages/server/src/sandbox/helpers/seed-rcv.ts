import { additionalTax, addPeriods, santiagoPeriod } from '@timbre/dte/values'
import { placeIva, SUMMARIZED_TIPOS } from '../../catalog/rcv.ts'
import type { EmpresaContext } from '../../domain/context.ts'
import { instantOf } from '../../domain/parse-instant.ts'
import { daysOfPeriod } from '../../domain/tax/rcv/period.ts'
import { naturalKeyOf, type Side } from '../../domain/tax/rcv/row.ts'
import { santiagoInstant } from '../../domain/tax/rcv/santiago-instant.ts'
import { invalidField } from '../../kernel/problem.ts'
import { inTurns } from '../sii/in-turns.ts'
import { removeSeeds, type Seed, writeSeeds } from '../sii/rcv-overrides.ts'
import type { RcvSeed, SeedEntry, SeedRcv } from './seed-rcv-schema.ts'

/** A summary has neither folio nor counterparty, and everything else has both. */
function checkKey(entry: Pick<SeedEntry, 'tipo_doc' | 'folio' | 'counterparty_rut'>, at: string): void {
  const summary = SUMMARIZED_TIPOS.includes(entry.tipo_doc)
  for (const field of ['folio', 'counterparty_rut'] as const) {
    if ((entry[field] === undefined) === summary) continue
    throw invalidField(`${at}.${field}`, summary ? 'a monthly summary has none.' : 'it is required.')
  }
}

const KEYLESS = { folio: null, counterparty_rut: null }

function instantText(at: string, value: string | undefined, fallback: string | null): string | null {
  return value === undefined ? fallback : instantOf(at, value).toISOString()
}

function amountsOf(side: Side, entry: SeedEntry) {
  const { net = 0, exempt = 0, iva = 0, other_taxes = [] } = entry
  const {
    iva_not_recoverable = 0,
    iva_not_recoverable_code = null,
    iva_common_use = 0,
    iva_fixed_assets = 0,
    net_fixed_assets = 0,
  } = entry
  const given = {
    iva,
    iva_not_recoverable,
    iva_not_recoverable_code,
    iva_common_use,
    iva_fixed_assets,
    net_fixed_assets,
  }
  const signed = ({ code, amount }: { code: number; amount: number }) =>
    additionalTax(code)?.kind === 'withheld' ? -amount : amount
  const taxes = other_taxes.reduce((sum, tax) => sum + signed(tax), 0)
  const whole = net + exempt + iva + iva_not_recoverable + iva_common_use + taxes
  // Whoever gives the IVA alone gets it where the tipo puts it.
  const alone = side === 'purchase' && iva_not_recoverable + iva_common_use + iva_fixed_assets + net_fixed_assets === 0
  const placed = alone ? placeIva({ ...given, net }, entry.tipo_compra ?? 1, iva_not_recoverable_code) : given
  return { net, exempt, ...placed, iva_late: entry.iva_late ?? 0, other_taxes, total: entry.total ?? whole }
}

function seedOf(first_day: string, side: Side, entry: SeedEntry, at: string): Seed {
  checkKey(entry, at)
  const issue_date = entry.issue_date ?? first_day
  const claimed = entry.estado_contable === 'RECLAMADO'
  const noon = santiagoInstant(`${issue_date}T12:00:00`).toISOString()
  const received_at = instantText(`${at}.received_at`, entry.received_at, noon)
  const stored = {
    side,
    ...KEYLESS,
    tipo_doc: entry.tipo_doc,
    ...(entry.folio !== undefined && { folio: entry.folio }),
    ...(entry.counterparty_rut !== undefined && { counterparty_rut: entry.counterparty_rut }),
    counterparty_name: entry.counterparty_name ?? null,
    issue_date,
    received_at,
    acknowledged_at: instantText(`${at}.acknowledged_at`, entry.acknowledged_at, null),
    claimed_at: instantText(`${at}.claimed_at`, entry.claimed_at, claimed ? received_at : null),
    ...amountsOf(side, entry),
    documents: entry.documents ?? 1,
    estado_contable: side === 'purchase' ? (entry.estado_contable ?? 'REGISTRO') : null,
    tipo_compra: side === 'purchase' ? (entry.tipo_compra ?? 1) : null,
    tipo_venta: side === 'sale' ? (entry.tipo_venta ?? 1) : null,
    reference_tipo_doc: entry.reference_tipo_doc ?? null,
    reference_folios: entry.reference_folios ?? [],
  }
  return { side, natural_key: naturalKeyOf(stored), entry: stored }
}

/** Puts entries into the register of the sandbox, or takes them out; the next reading finds it so. */
export async function seedRcv(ctx: Pick<EmpresaContext, 'sql' | 'empresa' | 'now'>, input: SeedRcv): Promise<RcvSeed> {
  const { purchases = [], sales = [], remove = [] } = input
  const period = input.period ?? addPeriods(santiagoPeriod(ctx.now()), -1)
  const [first_day] = daysOfPeriod(period)
  // The last one of a key counts: one statement takes each row once.
  const seeds = new Map<string, Seed>()
  const take = (side: Side, entry: SeedEntry, at: string) => {
    const seed = seedOf(first_day, side, entry, at)
    seeds.set(`${side} ${seed.natural_key}`, seed)
  }
  await inTurns(purchases, (entry, i) => take('purchase', entry as SeedEntry, `purchases[${i}]`))
  await inTurns(sales, (entry, i) => take('sale', entry as SeedEntry, `sales[${i}]`))
  const removals = remove.map((entry, i) => {
    checkKey(entry, `remove[${i}]`)
    return { side: entry.side, natural_key: naturalKeyOf({ ...KEYLESS, ...entry }) }
  })
  await writeSeeds(ctx.sql, ctx.empresa, period, [...seeds.values()])
  await removeSeeds(ctx.sql, ctx.empresa, period, removals)
  return { object: 'rcv_seed', period, purchases: purchases.length, sales: sales.length, removed: remove.length }
}
