import { setImmediate as turn } from 'node:timers/promises'
import { CEILINGS } from '../../../catalog/limits.ts'
import { GiveUp } from '../../../kernel/job.ts'
import type { EmpresaScope } from '../../../kernel/scope.ts'
import type { RcvExports, RcvSummary } from '../../../ports/sii-rcv.ts'
import type { JobContext } from '../../job.ts'
import { NotTheExport } from './export-header.ts'
import { contentHashOf } from './merge-reading.ts'
import { isDeclared, type Line, parseExport } from './parse-export.ts'
import { daysOfPeriod } from './period.ts'
import { naturalKeyOf, type RcvReading, type Side } from './row.ts'
import type { PartialError } from './schema.ts'
import { type KnownEntry, knownEntries, withdrawEntries } from './sync-store.ts'
import { type HashedReading, writeBatch } from './write-batch.ts'

const BATCH = 500
/** Lines, or entries, after which the rest of the process has its turn: those that changed nothing, or cannot be read, wait for nothing else. */
const TURN = 200
/** Stored entries that are looked for among those that were read before the same. */
const LOOKS = 5_000
const ERRORS_KEPT = 100

export interface ReadingResult {
  readonly purchases: number
  readonly sales: number
  readonly created: readonly string[]
  readonly updated: number
  readonly withdrawn_at_sii: number
  readonly partial_errors: readonly PartialError[]
}

/** One reading of a period while it runs: gathers batches, errors and what it saw. */
class Ingestion {
  readonly #ctx: JobContext
  readonly #scope: EmpresaScope
  readonly #period: string
  /** What was read, by its key, with a hash of it. */
  readonly #seen = { purchase: new Map<string, string>(), sale: new Map<string, string>() }
  /** Sides with something unreadable: what seems gone there may only be unreadable. */
  readonly #doubtful = new Set<Side>()
  readonly #errors: PartialError[] = []
  readonly #created: string[] = []
  readonly #known: Readonly<Record<Side, ReadonlyMap<string, KnownEntry>>>
  readonly #most: number
  #updated = 0
  #batch: HashedReading[] = []

  constructor(
    ctx: JobContext,
    scope: EmpresaScope,
    period: string,
    known: Record<Side, Map<string, KnownEntry>>,
    most: number,
  ) {
    this.#known = known
    this.#most = most
    this.#ctx = ctx
    this.#scope = scope
    this.#period = period
  }

  report(error: PartialError): void {
    this.#doubtful.add(error.side)
    const { blocks_filing } = error
    // Each kind has room of its own: many that change nothing must not hide one that does.
    if (this.#errors.filter((one) => one.blocks_filing === blocks_filing).length < ERRORS_KEPT) this.#errors.push(error)
  }

  async add(reading: RcvReading): Promise<void> {
    const key = naturalKeyOf(reading)
    const { side, estado_contable, tipo_doc, folio } = reading
    const [hash, before] = [contentHashOf(reading), this.#seen[side].get(key)]
    if (before !== undefined) {
      const message = `tipo ${tipo_doc} folio ${folio} of ${reading.counterparty_rut} is there twice; the first counts`
      const blocks_filing = isDeclared(reading) && before !== hash
      this.report({ side, estado_contable, line: null, column: null, message, text: null, blocks_filing })
      return
    }
    this.#seen[side].set(key, hash)
    if (this.#seen[side].size > this.#most) {
      throw new GiveUp('rcv_too_large', `The register has more than ${this.#most} entries of one side in the period.`)
    }
    this.#batch.push({ key, reading, hash })
    if (this.#batch.length >= BATCH) await this.flush(side)
  }

  async flush(side: Side): Promise<void> {
    const batch = this.#batch
    this.#batch = []
    if (batch.length === 0) return
    const written = await writeBatch(this.#ctx, this.#scope, { period: this.#period, side }, batch, this.#known[side])
    this.#created.push(...written.created)
    this.#updated += written.updated
    for (const { tipo_doc, folio, estado_contable } of written.contradicted) {
      const message = `tipo ${tipo_doc} folio ${folio} was claimed, and the SII shows it elsewhere; it stays claimed`
      this.report({ side, estado_contable, line: null, column: null, message, text: null, blocks_filing: false })
    }
  }

  /** Marks as withdrawn what is stored and was not read: the SII no longer shows it. */
  async withdraw(side: Side): Promise<number> {
    if (this.#doubtful.has(side)) return 0
    const gone: string[] = []
    let looked = 0
    for (const { id, natural_key, withdrawn_at_sii } of this.#known[side].values()) {
      if (withdrawn_at_sii === null && !this.#seen[side].has(natural_key)) gone.push(id)
      if (++looked % LOOKS === 0) await turn()
    }
    let withdrawn = 0
    for (let at = 0; at < gone.length; at += BATCH) {
      const ids = gone.slice(at, at + BATCH)
      withdrawn += await this.#ctx.transact((tx) => withdrawEntries(tx.sql, this.#scope, ids, tx.now()))
    }
    return withdrawn
  }

  result(withdrawn_at_sii: number): ReadingResult {
    return {
      purchases: this.#seen.purchase.size,
      sales: this.#seen.sale.size,
      created: this.#created,
      updated: this.#updated,
      withdrawn_at_sii,
      partial_errors: this.#errors.toSorted(blockingFirst).slice(0, ERRORS_KEPT),
    }
  }
}

const blockingFirst = (one: PartialError, other: PartialError) =>
  Number(other.blocks_filing) - Number(one.blocks_filing)

function asReading(period: string, summary: RcvSummary): RcvReading {
  const bought = summary.side === 'purchase'
  return {
    ...summary,
    estado_contable: bought ? 'REGISTRO' : null,
    tipo_compra: bought ? 1 : null,
    tipo_venta: bought ? null : 1,
    folio: null,
    counterparty_rut: null,
    counterparty_name: null,
    issue_date: daysOfPeriod(period)[0],
    received_at: null,
    acknowledged_at: null,
    claimed_at: null,
    iva_not_recoverable: 0,
    iva_not_recoverable_code: null,
    iva_common_use: 0,
    iva_fixed_assets: 0,
    net_fixed_assets: 0,
    iva_late: 0,
    other_taxes: [],
    reference_tipo_doc: null,
    reference_folios: [],
    other_columns: {},
  }
}

async function ingestFile(ingestion: Ingestion, { side, estado_contable, file }: RcvExports['files'][number]) {
  const kind = { side, estado_contable }
  try {
    let lines = 0
    for (const line of parseExport(file, kind)) {
      if (++lines % TURN === 0) await turn()
      const { entry, error } = line as Partial<{ entry: RcvReading; error: PartialError }> & Line
      if (entry) await ingestion.add(entry)
      else if (error) ingestion.report(error)
    }
  } catch (error) {
    if (!(error instanceof NotTheExport)) throw error
    const { message } = error
    ingestion.report({ ...kind, line: null, column: null, message, text: null, blocks_filing: isDeclared(kind) })
  }
  await ingestion.flush(side)
}

/**
 * Brings the mirror of a period up to what the SII showed, five hundred entries at a time, each batch in a transaction of
 * its own. What could not be read is reported and left as it was.
 */
export async function ingestExports(
  ctx: JobContext,
  scope: EmpresaScope,
  period: string,
  { files, summaries }: RcvExports,
  most: number = CEILINGS.rcv_entries,
): Promise<ReadingResult> {
  const known = {
    purchase: await knownEntries(ctx.sql, scope, { period, side: 'purchase' }),
    sale: await knownEntries(ctx.sql, scope, { period, side: 'sale' }),
  }
  const ingestion = new Ingestion(ctx, scope, period, known, most)
  for (const file of files) await ingestFile(ingestion, file)
  for (const side of ['purchase', 'sale'] as const) {
    for (const [index, summary] of summaries.filter((one) => one.side === side).entries()) {
      if (index % TURN === TURN - 1) await turn()
      await ingestion.add(asReading(period, summary))
    }
    await ingestion.flush(side)
  }
  const withdrawn = (await ingestion.withdraw('purchase')) + (await ingestion.withdraw('sale'))
  return ingestion.result(withdrawn)
}
