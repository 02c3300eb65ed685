import type { Caller, DocumentStatus, EnvelopeStatus, SiiClient } from '@timbre/sii'
import { describe, expect, it } from 'vitest'
import type { SiiDocument } from '../../ports/sii-document.ts'
import { askVerdicts, verdictFrom } from './verdicts.ts'

const boleta: SiiDocument = {
  id: 'doc_1',
  tipo_dte: 39,
  folio: 8,
  receptor_rut: '66666666-6',
  issue_date: '2026-11-16',
  total: 1_190,
}

const ESTADOS: Partial<Record<DocumentStatus['state'], string>> = { matches: 'DOK', differs: 'DNK', absent: 'FAU' }

/** The SII refused an envelope as a whole, or the document in it for a reason, and says this of the document itself. */
async function ask(
  estado: string,
  state: DocumentStatus['state'],
  sends: number,
  { finding = null, days = 0 }: { readonly finding?: string | null; readonly days?: number } = {},
) {
  const found = { tipo_dte: boleta.tipo_dte, folio: boleta.folio, outcome: 'rejected', estado: 'RCH', glosa: null }
  const documents = finding === null ? null : [{ ...found, findings: [{ code: finding, glosa: 'DTE Repetido' }] }]
  const envelope = { estado, glosa: 'sus palabras', processed: true, outcome: 'rejected', by_tipo: [], documents }
  const document = { state, estado: ESTADOS[state], glosa: 'Documento No Recibido' }
  const road = {
    envelopeStatus: async () => envelope as unknown as EnvelopeStatus,
    documentStatus: async () => document as DocumentStatus,
  }
  const client = { boleta: road } as unknown as SiiClient
  const question = {
    company_rut: '76543210-3',
    track_id: '1',
    documents: [boleta],
    sends,
    sent_at: new Date('2026-11-16T12:00:00Z'),
    at: new Date(Date.parse('2026-11-16T12:00:00Z') + days * 86_400_000),
  }
  const status = await askVerdicts(client, {} as Caller, { ...question, envelope: async () => null })
  return status.verdicts.get(boleta.id) ?? status.doubted?.get(boleta.id)
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
    expect(await ask('RPT', 'absent', 2, { days: 2 })).toBeUndefined()
    expect(await ask('RPT', 'matches', 2, { days: 9 })).toMatchObject({ outcome: 'accepted' })
  })

  it('as a repetition leaves no document open for ever: one that never shows was refused in the first copy', async () => {
    expect(await ask('RPT', 'absent', 2, { days: 3 })).toMatchObject({ outcome: 'rejected', estado: 'FAU' })
    expect(await ask('RPT', 'differs', 2, { days: 3 })).toEqual({ estado: 'DNK', glosa: 'Documento No Recibido' })
  })

  it('as a repetition, where the SII says that the data differ, leaves that to a person', async () => {
    expect(await ask('RPT', 'differs', 2)).toEqual({ estado: 'DNK', glosa: 'Documento No Recibido' })
    expect(await ask('RCT', 'differs', 2)).toMatchObject({ outcome: 'rejected', estado: 'RCT' })
  })
})

describe('a document of a file that was sent once', () => {
  it('is asked for where the SII refused it as one that it has, or without a reason: it may have come in another file', async () => {
    expect(await ask('EPR', 'matches', 1, { finding: 'DTE-3-100' })).toMatchObject({
      outcome: 'accepted',
      estado: 'DOK',
    })
    expect(await ask('EPR', 'matches', 1)).toMatchObject({ outcome: 'accepted', estado: 'DOK' })
  })

  it('is refused for the reason that the SII gave where it does not have it, or names another reason', async () => {
    const refused = { outcome: 'rejected', finding: 'DTE-3-100' }
    expect(await ask('EPR', 'absent', 1, { finding: 'DTE-3-100' })).toMatchObject(refused)
    expect(await ask('EPR', 'matches', 1, { finding: 'DTE-3-505' })).toMatchObject({ ...refused, finding: 'DTE-3-505' })
  })
})

describe('data that differ from those the SII was asked about', () => {
  it('end a document only where the question carried its signature: the question itself may have been wrong', () => {
    const status = { state: 'differs', estado: 'DNK', glosa: 'g', held: true, track_id: null, attention: null } as const
    expect(verdictFrom(status, { signed: true })).toMatchObject({ outcome: 'rejected', estado: 'DNK' })
    expect(verdictFrom(status, { signed: false })).toBeNull()
  })
})

describe('an envelope of which the SII never told the track id', () => {
  const other = { ...boleta, id: 'doc_2', folio: 9 }
  const sent_at = new Date('2026-11-16T12:00:00Z')
  const askAt = async (at: string) => {
    const held = { state: 'matches', estado: 'DOK', glosa: null }
    const absent = { state: 'absent', estado: 'FAU', glosa: 'Documento No Recibido' }
    const documentStatus = async (_: Caller, { folio }: { folio: number }) => (folio === boleta.folio ? held : absent)
    const question = { company_rut: '76543210-3', track_id: null, documents: [boleta, other], sends: 1, sent_at }
    const client = { boleta: { documentStatus } } as unknown as SiiClient
    return askVerdicts(client, {} as Caller, { ...question, envelope: async () => null, at: new Date(at) })
  }

  it('refuses none of its documents while the SII may still show them', async () => {
    const { verdicts } = await askAt('2026-11-16T12:20:00Z')
    expect([...verdicts.keys()]).toEqual([boleta.id])
  })

  it('has refused what it does not show an hour later', async () => {
    const { verdicts } = await askAt('2026-11-16T13:00:00Z')
    expect(verdicts.get(other.id)).toMatchObject({ outcome: 'rejected', estado: 'FAU' })
  })
})
