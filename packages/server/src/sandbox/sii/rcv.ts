import { addMonths } from '@timbre/dte/values'
import { ESTADOS_CONTABLES, placeIva, SUMMARIZED_TIPOS, type TipoCompra } from '../../catalog/rcv.ts'
import { naturalKeyOf } from '../../domain/tax/rcv/row.ts'
import type { Sql } from '../../kernel/db.ts'
import type { RcvExports, RcvFile, RcvQuestion, RcvSummary, SiiRcv } from '../../ports/sii-rcv.ts'
import { inTurns } from './in-turns.ts'
import { exportOf, type SandboxEntry } from './rcv-csv.ts'
import { issuedEntries, receivedEntries } from './rcv-documents.ts'
import { listMarks, type Mark, writeDecision } from './rcv-overrides.ts'

const placeOf = (side: string, key: string) => `${side} ${key}`

/** Applies the recorded decision to an entry: tipo_compra 7 takes it out of the register, any other brings it back. */
function decided(entry: SandboxEntry, mark: Mark | undefined): SandboxEntry {
  if (!mark || (mark.tipo_compra === null && mark.estado_contable === null)) return entry
  const tipo_compra = mark.tipo_compra ?? entry.tipo_compra
  // The tipo it always had leaves its amounts as they were.
  const moves = mark.tipo_compra !== null && mark.tipo_compra !== entry.tipo_compra
  const placed = moves ? placeIva(entry, mark.tipo_compra as TipoCompra, mark.iva_not_recoverable_code) : {}
  const back = entry.estado_contable === 'NO_INCLUIR' ? 'REGISTRO' : entry.estado_contable
  const estado_contable = mark.tipo_compra === 7 ? 'NO_INCLUIR' : (mark.estado_contable ?? back)
  // What was claimed stays claimed.
  if (entry.estado_contable === 'RECLAMADO') return entry
  return { ...entry, ...placed, tipo_compra, estado_contable }
}

async function entriesIn(sql: Sql, question: RcvQuestion): Promise<SandboxEntry[]> {
  const { empresa, period } = question
  const from = `${period}-01`
  const days = { from, before: addMonths(from, 1) }
  const [marks, issued, received] = await Promise.all([
    listMarks(sql, question),
    issuedEntries(sql, empresa, days),
    receivedEntries(sql, empresa, days),
  ])
  const markOf = new Map<string, Mark>()
  await inTurns(marks, (mark) => markOf.set(placeOf(mark.side, mark.natural_key), mark))
  const found = new Map<string, SandboxEntry>()
  const add = (entry: SandboxEntry) => found.set(placeOf(entry.side, naturalKeyOf(entry)), entry)
  await inTurns(issued, add)
  await inTurns(received, add)
  await inTurns(marks, ({ entry }) => entry && add(entry))
  const entries: SandboxEntry[] = []
  await inTurns([...found], ([place, entry]) => {
    const mark = markOf.get(place)
    if (!mark?.removed) entries.push(decided(entry, mark))
  })
  return entries
}

const asSummary = ({ side, tipo_doc, documents, net, exempt, iva, total }: SandboxEntry): RcvSummary => ({
  side,
  tipo_doc,
  documents,
  net,
  exempt,
  iva,
  total,
})

async function exportsOf(entries: readonly SandboxEntry[]): Promise<RcvExports> {
  const purchases = new Map(ESTADOS_CONTABLES.map((estado) => [estado, [] as SandboxEntry[]]))
  const sales: SandboxEntry[] = []
  const summaries: RcvSummary[] = []
  await inTurns(entries, (entry) => {
    if (SUMMARIZED_TIPOS.includes(entry.tipo_doc)) summaries.push(asSummary(entry))
    else if (entry.side === 'sale') sales.push(entry)
    else if (entry.estado_contable !== null) purchases.get(entry.estado_contable)?.push(entry)
  })
  const files: RcvFile[] = []
  // One after the other: all at once would each write a piece before anybody else has a turn.
  for (const [estado_contable, own] of purchases) {
    files.push(await exportOf({ side: 'purchase', estado_contable }, own))
  }
  files.push(await exportOf({ side: 'sale', estado_contable: null }, sales))
  return { files, summaries }
}

/** The register of the sandbox: what the empresa issued and received in test mode, and what a test put there. */
export function sandboxRcv(sql: Sql): SiiRcv {
  return {
    readRcv: async (question) => exportsOf(await entriesIn(sql, question)),
    characterize: (order) =>
      writeDecision(sql, order, {
        tipo_compra: order.tipo_compra,
        iva_not_recoverable_code: order.iva_not_recoverable_code,
      }),
    moveEstado: (order) => writeDecision(sql, order, { estado_contable: order.estado_contable }),
  }
}
