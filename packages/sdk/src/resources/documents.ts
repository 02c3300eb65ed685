import type { Client } from '../client.ts'
import { type DocumentsResource, documents as generated } from '../generated/resources/documents.ts'
import type { Document, DocumentCreate } from '../generated/types.ts'
import { segment } from '../resource.ts'
import type { CallOptions } from '../shapes.ts'
import { type WaitOptions, waitFor } from '../wait.ts'

export interface Documents extends DocumentsResource {
  /**
   * Issues a document and waits until the SII has said what it thinks of it: `accepted`, `reparo` or `rejected`. A document
   * that could not be processed comes back as `failed`. If the wait ends first, `details.last` of the error is the document.
   */
  createAndWait(input: DocumentCreate, options?: WaitOptions): Promise<Document>
  /** Waits until the SII has said what it thinks of a document that was issued before. */
  wait(document_id: string, options?: WaitOptions): Promise<Document>
}

/** `failed` is no end to the contract, for a retry moves it on; but nothing moves it without one. */
const UNDER_WAY: readonly string[] = ['queued', 'sent']
const isDone = ({ status }: Document) => !UNDER_WAY.includes(status)

/** Documents, with what waits for the SII. */
export function documents(client: Client): Documents {
  const base = generated(client)
  const common = { query: undefined, empresa: true, credential: 'key', answers: 'json' } as const
  const reading = (id: string) => ({
    what: `Document ${id}`,
    isDone,
    read: (options: CallOptions) =>
      client.send(
        {
          ...common,
          method: 'GET',
          path: `/documents/${segment(id, () => 'documents.wait needs document_id')}`,
          keyed: false,
        },
        options,
      ),
  })
  return {
    ...base,
    wait: async (document_id, options = {}) => waitFor<Document>(reading(document_id), options),
    createAndWait: async (input, options = {}) => {
      const first = await client.send(
        { ...common, method: 'POST', path: '/documents', body: input, keyed: true },
        options,
      )
      return waitFor<Document>({ ...reading((first.body as Document).id), first }, options)
    },
  }
}
