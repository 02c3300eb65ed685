import { kindOf as documentKindOf, signOf } from '@timbre/dte/values'
import { ID_PREFIXES } from '../../../../catalog/ids.ts'
import type { PayableRow } from '../../../issuing/document/payable.ts'
import type { Direction } from '../row.ts'

export type TargetKind = 'document' | 'received_document' | 'rcv_entry'

/** A document that a movement may pay, wherever it is known from. */
export type Target = PayableRow

const KINDS: readonly TargetKind[] = ['document', 'received_document', 'rcv_entry']

export function targetKindOf(id: string): TargetKind {
  const kind = KINDS.find((one) => id.startsWith(ID_PREFIXES[one]))
  if (!kind) throw new Error(`nothing that a movement pays is called ${id}`)
  return kind
}

export function isCreditNote({ tipo }: Pick<Target, 'tipo'>): boolean {
  return signOf(tipo) === -1
}

/** Which way the money of a document goes. In a factura de compra the emisor is the buyer, and a nota turns it around. */
export function documentDirectionOf({ id, tipo, about }: Pick<Target, 'id' | 'tipo' | 'about'>): Direction {
  const bought = targetKindOf(id) !== 'document' || documentKindOf(about ?? tipo) === 'factura_de_compra'
  return bought === isCreditNote({ tipo }) ? 'in' : 'out'
}

/** Documents that are worth nothing: the SII refused them, a nota annulled them, or the register no longer has them. */
const VOID: readonly string[] = ['rejected', 'failed', 'annulled', 'withdrawn_at_sii']

export function isVoid({ id, status }: Pick<Target, 'id' | 'status'>): boolean {
  // A document that we claimed may have been paid all the same.
  return VOID.includes(status) && targetKindOf(id) !== 'received_document'
}

/** A document that is new here: as much of it as says which movements it may explain. */
export type Arrival = Pick<Target, 'date' | 'total' | 'rut'>
