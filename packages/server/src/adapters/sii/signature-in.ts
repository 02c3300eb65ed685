import type { SiiDocument } from '../../ports/sii-document.ts'

/**
 * The signature of one document in an envelope of ours, by which the SII knows the very document. The envelope is our
 * own writing: each DTE stands whole between its tags, its identifier in the form that the engine gives it.
 */
export function signatureIn(envelope: Uint8Array, { tipo_dte, folio }: SiiDocument): string | null {
  // Searched as bytes: one of thousands of documents is asked about at a time, and a text would be a copy of all.
  const bytes = Buffer.from(envelope.buffer, envelope.byteOffset, envelope.byteLength)
  const at = bytes.indexOf(`<TipoDTE>${tipo_dte}</TipoDTE><Folio>${folio}</Folio>`, 'latin1')
  const end = at < 0 ? -1 : bytes.indexOf('</DTE>', at, 'latin1')
  if (end < 0) return null
  const value = bytes.toString('latin1', at, end)
  const open = value.lastIndexOf('<SignatureValue>')
  const close = value.indexOf('</SignatureValue>', open)
  return open < 0 || close < 0 ? null : value.slice(open + '<SignatureValue>'.length, close)
}

/** Who sends an envelope of ours, by its carátula: the SII takes it from nobody else. */
export function senderIn(envelope: Uint8Array): string | null {
  const head = Buffer.from(envelope.buffer, envelope.byteOffset, Math.min(envelope.byteLength, 4_096)).toString(
    'latin1',
  )
  return /<RutEnvia>([^<]{3,12})<\/RutEnvia>/.exec(head)?.[1] ?? null
}
