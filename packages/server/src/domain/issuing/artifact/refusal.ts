import { Problem } from '../../../kernel/problem.ts'
import type { DocumentStatus } from '../document/schema.ts'

const WHY: Partial<Record<DocumentStatus, string>> = {
  queued: 'It is not signed yet: the PDF and the XML exist a moment after the document is created.',
  failed: 'It failed before it was signed, so there is no PDF or XML of it. POST …/retry tries again.',
}

/** A document without a signed XML has nothing to hand out: not yet, or not at all. */
export function noArtifact(status: DocumentStatus): Problem {
  const message = WHY[status]
  return new Problem('artifact_not_available', { ...(message && { message }), details: { status } })
}
