import type { SiiDocument } from '../../ports/sii-document.ts'

/**
 * The signature of one document in an envelope of ours, by which the SII knows the very document. The envelope is our
 * own writing: each DTE stands whole between its tags, its identifier in the form that the engine gives it.
 */
export function signatureIn(envelope: Uint8Array, { tipo_dte, folio }: SiiDocument): string | null {
  const text = Buffer.from(envelope.buffer, envelope.byteOffset, envelope.byteLength).toString('latin1')
  const mark = `<TipoDTE>${tipo_dte}</TipoDTE><Folio>${folio}</Folio>`
  const at = text.indexOf(mark)
  const end = at < 0 ? -1 : text.indexOf('</DTE>', at)
  if (end < 0) return null
  const value = text.slice(at, end)
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
