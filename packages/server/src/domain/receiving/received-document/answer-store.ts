import type { AnsweredDte, ReceivedEnvelope } from '@timbre/dte'
import type { Sql } from '../../../kernel/db.ts'
import { newId } from '../../../kernel/id.ts'
import type { EmpresaScope } from '../../../kernel/scope.ts'
import { ownedBy } from '../../../kernel/tenant.ts'

const ANSWER_KINDS = ['recepcion_envio', 'resultado_dte', 'envio_recibos'] as const
export type AnswerKind = (typeof ANSWER_KINDS)[number]

/** The facts of a RecepcionEnvio, but for its number. */
export type EnvelopeFacts = Omit<ReceivedEnvelope, 'code' | 'received_at'>

/** The facts of a ResultadoDTE. */
export interface ResultFacts {
  readonly document: AnsweredDte
  readonly accepted: boolean
  readonly reason: string | null
}

/** The facts of an EnvioRecibos. */
export interface ReceiptFacts {
  readonly document: AnsweredDte
  readonly place: string | null
  readonly person_rut: string | null
}

export interface NewAnswer {
  readonly kind: AnswerKind
  readonly reception_id: string
  readonly received_document_id: string | null
  readonly recipient: string | null
  readonly facts: EnvelopeFacts | ResultFacts | ReceiptFacts
}

export interface AnswerRow extends NewAnswer {
  readonly id: string
  readonly number: number
  readonly xml: Buffer | null
  readonly failure: string | null
  readonly created_at: Date
  readonly sent_at: Date | null
}

export async function insertAnswer(
  sql: Sql,
  { account_id, empresa_id, mode }: EmpresaScope,
  answer: NewAnswer,
  created_at: Date,
): Promise<string> {
  const id = newId('received_answer')
  await sql`
    insert into received_answer (account_id, empresa_id, mode, id, kind, reception_id, received_document_id, recipient,
      facts, created_at)
    values (${account_id}, ${empresa_id}, ${mode}, ${id}, ${answer.kind}, ${answer.reception_id},
      ${answer.received_document_id}, ${answer.recipient}, ${JSON.stringify(answer.facts)}::json, ${created_at})`
  return id
}

export async function findAnswer(sql: Sql, scope: EmpresaScope, id: string): Promise<AnswerRow | null> {
  const [row] = await sql<AnswerRow>`select * from received_answer where ${ownedBy(scope)} and id = ${id}`
  return row ?? null
}

/** Signed once: what is sent again after a crash is the very same file. */
export async function saveAnswerXml(sql: Sql, scope: EmpresaScope, id: string, xml: Uint8Array): Promise<void> {
  await sql`update received_answer set xml = ${Buffer.from(xml)} where ${ownedBy(scope)} and id = ${id} and xml is null`
}

/** False when another run recorded its end first. */
export async function recordAnswerEnd(
  sql: Sql,
  scope: EmpresaScope,
  id: string,
  end: { readonly sent_at: Date | null; readonly failure: string | null },
): Promise<boolean> {
  const rows = await sql<{ id: string }>`
    update received_answer set sent_at = ${end.sent_at}, failure = ${end.failure}
    where ${ownedBy(scope)} and id = ${id} and sent_at is null and failure is null returning id`
  return rows.length > 0
}
