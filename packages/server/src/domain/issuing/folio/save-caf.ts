import type { Caf } from '@timbre/dte'
import { santiagoDate } from '@timbre/dte/values'
import { MODES } from '../../../catalog/modes.ts'
import { newId } from '../../../kernel/id.ts'
import type { NewEvent } from '../../../kernel/outbox.ts'
import type { EmpresaScope } from '../../../kernel/scope.ts'
import type { Ambiente } from '../../../ports/sii.ts'
import type { BaseContext } from '../../context.ts'
import type { JobTransaction } from '../../job.ts'
import { resumeEmission } from '../document/resume.ts'
import { readAvailability } from './availability.ts'
import { nextCheck } from './expiry.ts'
import type { CafFile } from './fetch-caf.ts'
import { watchExpiry } from './jobs.ts'
import { deleteOffers } from './offer-store.ts'
import type { CafSource } from './schema.ts'
import type { CafRow } from './show.ts'
import { cafOwner } from './stamping-caf.ts'
import { emittingAmbiente, findOverlap, insertCaf, type NewCaf } from './store.ts'

/** The numbers of the keys that the SII signs with. */
const KEY_OF = { certificacion: 100, produccion: 300 } as const

/**
 * Where the folios of a CAF count, by the key that signed it. A sandbox has one ambiente, whoever signed: two documents
 * of it must never share a folio. Where everything is asked of certification, that is where an empresa emits.
 */
export function ambienteOf(
  { ports }: Pick<BaseContext, 'ports'>,
  { mode }: EmpresaScope,
  { key_id }: Pick<Caf, 'key_id'>,
): Ambiente {
  const { ambiente, ambiente_when_emitting } = MODES[mode]
  return key_id === KEY_OF[ports.sii[mode].only ?? 'produccion'] ? ambiente_when_emitting : ambiente
}

/**
 * Puts a CAF into custody, unless some of its folios are in one that is here already: then that one comes back. The
 * caller locked the empresa (`lockEmisor`), so that of two who bring the same folios at once the second sees the first.
 */
export async function saveCaf(
  tx: Pick<JobTransaction, 'sql' | 'now' | 'ports' | 'enqueue'>,
  scope: EmpresaScope,
  { caf, file }: CafFile,
  source: CafSource,
  requested_by: string | null = null,
): Promise<{ readonly saved: boolean; readonly row: CafRow }> {
  const id = newId('caf')
  const made: NewCaf = {
    id,
    tipo_dte: caf.tipo_dte,
    ambiente: ambienteOf(tx, scope, caf),
    from_folio: caf.first_folio,
    to_folio: caf.last_folio,
    authorised_on: caf.authorised_on,
    expires_on: caf.expires_on,
    key_id: caf.key_id,
    source,
    requested_by,
    sealed: Buffer.from(tx.ports.vault.seal(cafOwner(scope, id), file)),
    created_at: tx.now(),
  }
  await deleteOffers(tx.sql, scope, made, { from: made.from_folio, to: made.to_folio })
  const other = await findOverlap(tx.sql, scope, made)
  if (other) return { saved: false, row: other }
  const row = await insertCaf(tx.sql, scope, made)
  // Nobody needs to hear of what a certification leaves over.
  const due_at = row.ambiente === emittingAmbiente(scope) ? nextCheck(row, tx.now()) : null
  if (due_at) await tx.enqueue(watchExpiry, { payload: { caf_id: id }, due_at, empresa_id: scope.empresa_id })
  return { saved: true, row }
}

/** Emits that a range arrived, however it came. Documents that waited for one go on. */
export async function emitReceived(
  tx: Pick<BaseContext, 'sql' | 'now'> & { emit(event: NewEvent): void },
  scope: EmpresaScope,
  row: CafRow,
): Promise<void> {
  tx.emit({
    type: 'folios.received',
    object: await readAvailability(tx.sql, scope, row.tipo_dte, santiagoDate(tx.now())),
    empresa: { id: scope.empresa_id, rut: scope.rut },
    detail: { caf_id: row.id, from: row.from_folio, to: row.to_folio, source: row.source },
  })
  await resumeEmission(tx, scope)
}
