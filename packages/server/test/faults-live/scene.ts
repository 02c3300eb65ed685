// What every scenario of a troubled SII shares: one empresa, what it issues, and the account that is taken at the end.

import { expect } from 'vitest'
import { IN_FULL } from '../support/in-full.ts'
import type { LiveEmpresa, LiveWorld } from '../support/live-world.ts'
import type { HeldUpload } from '../support/simulator-process.ts'

export interface Scene {
  readonly live: LiveWorld
  readonly empresa: LiveEmpresa
}

export const FACTURA = {
  tipo_dte: 33,
  receptor: {
    rut: '77123456-9',
    legal_name: 'Pérez e Hijos Ltda.',
    giro: 'Comercio',
    address: { street: 'Calle Larga 56', comuna: 'Maipú', city: 'Santiago' },
  },
  items: [{ description: 'Resma', quantity: 1, unit_price: 3490 }],
}
export const BOLETA = { tipo_dte: 39, items: [{ description: 'Pan', quantity: 1, unit_price: 1190 }] }

/** The two roads by which documents reach the SII, with the doors along them. */
export const ROADS = [
  { road: 'facturas', body: FACTURA, upload: 'dte_upload', status: 'envelope_status' },
  { road: 'boletas', body: BOLETA, upload: 'boleta_upload', status: 'boleta_envelope_status' },
] as const

/** For faults that both roads meet in the same code: `npm test` leaves out what differs by the road alone. */
export const EITHER_ROAD = IN_FULL ? ROADS : ROADS.slice(0, 1)

/** The same kind of document several times. */
export async function issue({ empresa }: Scene, body: object, count = 1): Promise<string[]> {
  const ids: string[] = []
  for (let nth = 0; nth < count; nth++) ids.push(await empresa.issue(body))
  return ids
}

export async function statuses({ empresa }: Scene, ids: readonly string[]): Promise<string[]> {
  return Promise.all(ids.map(async (id) => (await empresa.document(id)).status))
}

/** What the journal of a document says, oldest first. */
export async function journalOf({ empresa }: Scene, id: string): Promise<[type: string, detail: object][]> {
  const { data } = (await empresa.get(`/documents/${id}/events`)).body
  return data.map(({ type, detail }: { type: string; detail: object }) => [type, detail])
}

/** Counts from here on what the SII is sent, and what it has in the end. */
export async function startAccount({ live, empresa }: Scene) {
  const before = new Set((await live.simulator.uploadsOf(empresa.rut)).map(({ track_id }) => track_id))
  const uploads = async (): Promise<HeldUpload[]> =>
    (await live.simulator.uploadsOf(empresa.rut)).filter(({ track_id }) => !before.has(track_id))
  return {
    /** Files that the SII took meanwhile. */
    uploads,
    /** Each document is accepted here and there, once, in as many files as were told. */
    async allAccepted(ids: readonly string[], files = 1): Promise<void> {
      const documents = await Promise.all(ids.map(empresa.document))
      expect(documents.map(({ status }) => status)).toEqual(ids.map(() => 'accepted'))
      const held = await live.simulator.documentsOf(empresa.rut)
      for (const { tipo_dte, folio, totals } of documents) {
        const there = held.filter((one) => one.tipo === tipo_dte && one.folio === folio)
        expect(there).toMatchObject([{ outcome: 'accepted', monto: totals.total }])
      }
      expect((await uploads()).length).toBe(files)
      const kept = await live.world.db.sql`select id from sii_upload where document_ids && ${[...ids]}::text[]`
      expect(kept).toEqual([])
      const flying = await live.world.db.sql`
        select document_id from document_in_flight where document_id = any(${[...ids]}::text[])`
      expect(flying).toEqual([])
    },
  }
}
