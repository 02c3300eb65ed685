import type { Sql } from '../../../kernel/db.ts'
import { newId } from '../../../kernel/id.ts'
import type { EmpresaScope } from '../../../kernel/scope.ts'
import type { InspectedAnswer } from '../../../ports/inspection.ts'
import type { SignatureVerdict } from './verdict.ts'

export interface AnswerArrival {
  readonly sender: string | null
  readonly file_name: string
  readonly bytes: Uint8Array
  readonly received_at: Date
}

/** Keeps the signed file of an answer that moved a document. */
export async function insertExchangeAnswer(
  sql: Sql,
  { account_id, empresa_id, mode }: EmpresaScope,
  arrival: AnswerArrival,
  { answer }: InspectedAnswer,
  { signature, signer_rut }: SignatureVerdict,
): Promise<void> {
  await sql`
    insert into exchange_answer (account_id, empresa_id, mode, id, kind, sender, file_name, responde_rut, signature,
      signer_rut, xml, received_at)
    values (${account_id}, ${empresa_id}, ${mode}, ${newId('exchange_answer')}, ${answer.kind}, ${arrival.sender},
      ${arrival.file_name}, ${answer.responde_rut}, ${signature}, ${signer_rut}, ${Buffer.from(arrival.bytes)},
      ${arrival.received_at})`
}
