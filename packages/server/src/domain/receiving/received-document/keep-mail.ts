import { newId } from '../../../kernel/id.ts'
import type { EmpresaScope } from '../../../kernel/scope.ts'
import type { JobTransaction } from '../../job.ts'
import { takeMail } from './jobs.ts'
import { findAlias, insertMail } from './mail-store.ts'

export { findAlias }

/** Puts a mail in safety and asks for it to be taken in: both or neither, before its sender is told anything. */
export async function keepMail(
  tx: Pick<JobTransaction, 'sql' | 'now' | 'enqueue'>,
  scope: EmpresaScope,
  mail: { readonly sender: string | null; readonly raw: Buffer },
): Promise<void> {
  const id = newId('reception_mail')
  await insertMail(tx.sql, scope, { id, received_at: tx.now(), ...mail })
  const { empresa_id } = scope
  await tx.enqueue(takeMail, { payload: { mail_id: id }, empresa_id, lane: empresa_id })
}
