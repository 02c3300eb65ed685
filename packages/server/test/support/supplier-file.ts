// Documents and envelopes of a supplier, as files.

import { buildSobre, type DteDraft, latin1Bytes, type Signer, type UnissuedDte } from '@timbre/dte'
import { signAloneSync } from '../../../dte/src/envelope/sign.ts'
import { SIGNER, sampleDraft, signedUnissued, signedXml } from './signed-document.ts'

/** A factura of a supplier to a RUT, with keys of nobody. */
export function draftTo(receptor_rut: string, changes: Partial<DteDraft> = {}): DteDraft {
  const draft = sampleDraft(33)
  return { ...draft, receptor: { ...draft.receptor, rut: receptor_rut }, ...changes }
}

/** A lone DTE as a file. */
export function dteFile(receptor_rut: string, folio: number, changes?: Partial<DteDraft>, signer?: Signer): Buffer {
  return signedXml(draftTo(receptor_rut, changes), folio, signer).xml
}

/** A liquidación or an export as a file. */
export function unissuedFile(rut: string, dte: UnissuedDte, signer?: Signer): Buffer {
  return signedUnissued({ ...dte, receptor: { ...dte.receptor, rut } }, signer)
}

/** A lone DTE under the genuine timbre of another, its characters changed and signed anew by whoever wants to. */
export function forgedFile(genuine: Buffer, change: (documento: string) => string, signer: Signer): Buffer {
  const [, written = ''] = /(<Documento [\s\S]*<\/Documento>)/.exec(genuine.toString('latin1')) ?? []
  const changed = change(written)
  const [, id = ''] = / ID="([^"]+)"/.exec(changed) ?? []
  const xml = signAloneSync({ container: 'DTE', body: 'Documento', id, xml: changed }, signer)
  return Buffer.from(latin1Bytes(xml))
}

/** An EnvioDTE around documents of others, as they are. */
export async function envelopeOf(receptor_rut: string, files: readonly Buffer[]): Promise<Buffer> {
  const bare = (text: string) => text.slice(text.indexOf('<DTE'))
  const sobre = await buildSobre(
    {
      emisor_rut: '76543210-3',
      envia_rut: '11111111-1',
      receptor_rut,
      resolucion: { date: '2014-08-22', number: 80 },
      tmst_firma: '2026-11-10T12:00:00',
      documents: files.map((file) => ({ tipo_dte: 33, xml: bare(file.toString('latin1')), foreign: true })),
    },
    SIGNER,
  )
  if (!sobre.ok) throw new Error(sobre.refusal.message)
  return Buffer.from(latin1Bytes(sobre.value))
}

/** An EnvioDTE with one factura for each folio. */
export async function envelopeFile(
  receptor_rut: string,
  folios: readonly number[],
  changes?: Partial<DteDraft>,
): Promise<Buffer> {
  const draft = draftTo(receptor_rut, changes)
  const sobre = await buildSobre(
    {
      emisor_rut: draft.emisor.rut,
      envia_rut: '11111111-1',
      receptor_rut,
      resolucion: { date: '2014-08-22', number: 80 },
      tmst_firma: '2026-11-10T12:00:00',
      documents: folios.map((folio) => ({
        tipo_dte: draft.tipo_dte,
        xml: signedXml(draft, folio).xml.toString('latin1'),
      })),
    },
    SIGNER,
  )
  if (!sobre.ok) throw new Error(sobre.refusal.message)
  return Buffer.from(latin1Bytes(sobre.value))
}
