import { completeDraft, emitDteSync, latin1Bytes, XML_DECLARATION } from '@timbre/dte/emission'
import type { SigningOrder, SigningResult } from '../../ports/signing.ts'

type Wanted = SigningOrder['documents'][number]

function signOne({ caf, signer, at }: SigningOrder, { id, draft, folio }: Wanted): SigningResult {
  try {
    const dte = completeDraft(draft, folio)
    const emitted = emitDteSync({ dte, caf, signer, tmst_ted: at, tmst_firma: at })
    if (!emitted.ok) return { id, refusal: emitted.refusal.message }
    return { id, xml: latin1Bytes(XML_DECLARATION + emitted.value.xml) }
  } catch (error) {
    // The engine is pure: what it throws on, it throws on every time. It must not hold up those beside it.
    return { id, refusal: error instanceof Error ? error.message : 'the engine gave up.' }
  }
}

/** An order on the calling thread, from its first document to its last. */
export function signDocuments(order: SigningOrder): SigningResult[] {
  return order.documents.map((document) => signOne(order, document))
}
