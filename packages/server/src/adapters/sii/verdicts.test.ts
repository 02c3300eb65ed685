import type { Caller, DocumentStatus, EnvelopeStatus, SiiClient } from '@timbre/sii'
import { describe, expect, it } from 'vitest'
import type { SiiDocument } from '../../ports/sii-document.ts'
import { askVerdicts } from './verdicts.ts'

const boleta: SiiDocument = {
  id: 'doc_1',
  tipo_dte: 39,
  folio: 8,
  receptor_rut: '66666666-6',
  issue_date: '2026-11-16',
  total: 1_190,
}

/** The SII refused an envelope as a whole, and says this of the document itself. */
async function ask(estado: string, state: DocumentStatus['state'], sends: number) {
  const envelope = { estado, glosa: 'sus palabras', processed: true, outcome: 'rejected', by_tipo: [], documents: null }
  const document = { state, estado: state === 'matches' ? 'DOK' : 'FAU', glosa: 'Documento No Recibido' }
  const road = {
    envelopeStatus: async () => envelope as unknown as EnvelopeStatus,
    documentStatus: async () => document as DocumentStatus,
  }
  const client = { boleta: road } as unknown as SiiClient
  const question = { company_rut: '76543210-3', track_id: '1', documents: [boleta], sends, at: new Date() }
  const status = await askVerdicts(client, {} as Caller, { ...question, envelope: async () => null })
  return status.verdicts.get(boleta.id)
}

describe('a refused envelope', () => {
  it('that was sent once refuses its documents for the reason that the SII gave', async () => {
    expect(await ask('RCT', 'absent', 1)).toMatchObject({ outcome: 'rejected', estado: 'RCT', glosa: 'sus palabras' })
  })

  it('that was sent twice does so too, unless the SII has the document by the first copy', async () => {
    expect(await ask('RCT', 'absent', 2)).toMatchObject({ outcome: 'rejected', estado: 'RCT', glosa: 'sus palabras' })
    expect(await ask('RCT', 'matches', 2)).toMatchObject({ outcome: 'accepted', estado: 'DOK' })
  })

  it('as a repetition decides nothing: the first copy does, however late', async () => {
    expect(await ask('RPT', 'absent', 2)).toBeUndefined()
    expect(await ask('RPT', 'matches', 2)).toMatchObject({ outcome: 'accepted' })
  })
})
