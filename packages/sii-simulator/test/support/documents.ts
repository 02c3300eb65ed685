import { documentKey } from '../../src/state/state.ts'
import type { SiiDocument } from '../../src/state/types.ts'
import type { World } from './world.ts'

/** A document as if it had come and been accepted, without the work of signing one. */
export function plant(world: World, change: Partial<SiiDocument> = {}, text = ''): SiiDocument {
  const document: SiiDocument = {
    ambiente: 'produccion',
    emisor: '77123456-9',
    emisor_name: 'Proveedor SpA',
    tipo: 33,
    folio: 7,
    receptor: '76543210-3',
    receptor_name: 'Empresa SpA',
    fecha: '2026-10-05',
    monto: 1190,
    neto: 1000,
    exento: 0,
    iva: 190,
    forma_pago: 2,
    references: [],
    signature_value: 'x',
    outcome: 'accepted',
    findings: [],
    track_id: '0260000001',
    received_at: world.simulator.clock.now(),
    notes: [],
    ...change,
  }
  const key = documentKey(document.ambiente, document.emisor, document.tipo, document.folio)
  world.simulator.state.documents.put(key, document)
  world.simulator.state.document_files.put(key, Buffer.from(text, 'latin1'))
  return document
}
