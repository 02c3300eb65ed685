import type { Sql } from '../../../kernel/db.ts'
import type { EmpresaScope } from '../../../kernel/scope.ts'
import { ENVELOPE_FILE } from './envelope.ts'
import { findEnvelope } from './store.ts'

/** Tipo and folio of the document whose envelope was attached under this name, or null for no name of ours. */
export function documentNamedBy(file_name: string, rut: string): { tipo_dte: number; folio: number } | null {
  const start = `${ENVELOPE_FILE}${rut}-`
  const [, tipo_dte, folio] = /^T(\d{1,3})-F(\d{1,10})\.xml$/.exec(file_name.slice(start.length)) ?? []
  return file_name.startsWith(start) && tipo_dte && folio ? { tipo_dte: Number(tipo_dte), folio: Number(folio) } : null
}

/** Whether the envelope that was sent of a document carries this signature: only who has the file knows it. */
export async function hasEnvelopeDigest(sql: Sql, scope: EmpresaScope, document_id: string, digest: string) {
  const envelope = await findEnvelope(sql, scope, document_id)
  return envelope?.toString('latin1').includes(`<DigestValue>${digest}</DigestValue>`) ?? false
}
