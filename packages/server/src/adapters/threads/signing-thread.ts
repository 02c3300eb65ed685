import type { SigningOrder, SigningResult } from '../../ports/signing.ts'
import { signDocuments } from './sign-documents.ts'
import { serveOrders } from './thread-loop.ts'

/** The files travel without being copied. */
const buffersOf = (results: readonly SigningResult[]) =>
  results.flatMap((result) => ('xml' in result ? [result.xml.buffer as ArrayBuffer] : []))

serveOrders(async (order: SigningOrder) => {
  const value = signDocuments(order).map((one) => ('xml' in one ? { ...one, xml: Uint8Array.from(one.xml) } : one))
  return { value, transfer: buffersOf(value) }
})
