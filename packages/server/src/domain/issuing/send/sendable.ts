import type { DocumentStatus } from '../document/schema.ts'

const SENDABLE: readonly DocumentStatus[] = ['sent', 'accepted', 'reparo']

/**
 * What may be mailed: a document the receptor can rely on, or will be able to. Before it is sent it has no force, and
 * one that was refused or annulled would be paid by mistake.
 */
export function isSendable(status: DocumentStatus): boolean {
  return SENDABLE.includes(status)
}
