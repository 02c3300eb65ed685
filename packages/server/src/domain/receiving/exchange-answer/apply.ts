import type { AnsweredEnvelope, AnswerLine } from '@timbre/dte'
import type { Sql } from '../../../kernel/db.ts'
import type { EmpresaScope } from '../../../kernel/scope.ts'
import type { Fault, InspectedAnswer } from '../../../ports/inspection.ts'
import { findByFolioForUpdate } from '../../issuing/document/read.ts'
import { type RecordContext, recordReceptorAnswer } from '../../issuing/document/receptor-response.ts'
import type { ReceptorAnswer } from '../../issuing/document/schema.ts'
import type { DocumentRow } from '../../issuing/document/show.ts'
import { documentNamedBy, hasEnvelopeDigest } from '../../issuing/exchange/lookup.ts'
import { type AnswerArrival, insertExchangeAnswer } from './store.ts'
import { verdictOn } from './verdict.ts'

type Action = ReceptorAnswer['action']
type Kind = InspectedAnswer['answer']['kind']

/** What each code means for the document (Formato de Mensaje de Respuesta 1.0). 1 accepts it with discrepancies. */
const RESULTS: Readonly<Record<number, Action>> = { 0: 'accepted', 1: 'accepted', 2: 'claimed' }
const ACTIONS: Readonly<Record<Kind, (state: number) => Action | undefined>> = {
  recepcion_envio: (state) => (state === 0 ? 'delivered' : 'not_delivered'),
  resultado_dte: (state) => RESULTS[state],
  envio_recibos: () => 'receipt_acknowledged',
}

/** Those that the SII took, or has in its hands. */
const ANSWERED: readonly string[] = ['sent', 'accepted', 'reparo', 'annulled']

const nameOf = ({ dte }: AnswerLine) => `tipo ${dte.tipo_dte}, folio ${dte.folio}`

/** What is wrong with the file as a whole, or null. Its RUTs are those of both sides, on every line of it. */
function faultOf({ answer }: InspectedAnswer, { rut }: EmpresaScope): string | null {
  const { responde_rut, recibe_rut, lines } = answer
  if (recibe_rut !== rut) return `It answers ${recibe_rut}, not ${rut}.`
  const strange = lines.find(({ dte }) => dte.emisor_rut !== rut || dte.receptor_rut !== responde_rut)
  if (strange) return `It speaks of ${nameOf(strange)} of ${strange.dte.emisor_rut} to ${strange.dte.receptor_rut}.`
  const told = new Map<string, number>()
  for (const line of lines) {
    const before = told.get(nameOf(line))
    if (before !== undefined && before !== line.state) return `It says two things of ${nameOf(line)}.`
    told.set(nameOf(line), line.state)
  }
  return null
}

/** What a file says of one document, and whether a row is that very one: a stranger may guess a folio, and no more. */
interface Said {
  readonly tipo_dte: number
  readonly folio: number
  readonly state: number
  readonly reason: string | undefined
  /** For whoever reads why it was set aside. */
  readonly name: string
  isAbout(row: DocumentRow): Promise<boolean>
}

function ofLine(line: AnswerLine): Said {
  const { tipo_dte, folio, issue_date, receptor_rut, total } = line.dte
  const isAbout = async (row: DocumentRow) =>
    row.receptor_rut === receptor_rut && row.issue_date === issue_date && row.total === total
  const { state, reason } = line
  return { tipo_dte, folio, state, reason, name: `${nameOf(line)} of ${issue_date} for ${total}`, isAbout }
}

/** An envelope that was answered as a whole holds one document: its name tells which, its digest that it is ours. */
function ofEnvelope(sql: Sql, scope: EmpresaScope, responde_rut: string, envelope: AnsweredEnvelope): Said {
  const { file_name, digest, state, reason } = envelope
  const { tipo_dte, folio } = documentNamedBy(file_name, scope.rut) ?? { tipo_dte: 0, folio: 0 }
  const isAbout = async (row: DocumentRow) =>
    row.receptor_rut === responde_rut && hasEnvelopeDigest(sql, scope, row.id, digest)
  return { tipo_dte, folio, state, reason, name: `the envelope ${file_name}`.slice(0, 120), isAbout }
}

function saidIn(sql: Sql, scope: EmpresaScope, { answer }: InspectedAnswer): Said[] {
  const envelopes = answer.envelopes.map((envelope) => ofEnvelope(sql, scope, answer.responde_rut, envelope))
  // In the order of their folios: two files about the same documents lock them alike.
  return [...answer.lines.map(ofLine), ...envelopes].sort((a, b) => a.tipo_dte - b.tipo_dte || a.folio - b.folio)
}

/**
 * Takes the answer of a receptor to the documents it speaks of. Its signatures are true before this; what contradicts
 * itself, speaks of a document that is not there as it says, or takes back what was answered, moves nothing. Gives why
 * some of it was not taken: then the file is kept as it came.
 */
export async function applyAnswer(
  tx: RecordContext,
  scope: EmpresaScope,
  arrival: AnswerArrival,
  inspected: InspectedAnswer,
): Promise<Fault | null> {
  const aside = (message: string): Fault => ({ reason: 'exchange_answer', message })
  const verdict = verdictOn(inspected, arrival.received_at)
  if (!verdict) return aside('Its certificate was not valid when it signed.')
  const fault = faultOf(inspected, scope)
  if (fault !== null) return aside(fault)
  const refused: string[] = []
  let recorded = 0
  for (const said of saidIn(tx.sql, scope, inspected)) {
    const action = ACTIONS[inspected.answer.kind](said.state)
    const row = await findByFolioForUpdate(tx.sql, scope, said.tipo_dte, said.folio)
    if (!action || !row || !ANSWERED.includes(row.status) || !(await said.isAbout(row))) {
      refused.push(`Nothing here is ${said.name}.`)
      continue
    }
    const at = arrival.received_at.toISOString()
    const answer = { source: 'mail', action, code: null, reason: said.reason || null, ...verdict, at } as const
    const outcome = await recordReceptorAnswer(tx, scope, row, answer)
    if ('row' in outcome) recorded++
    else if (outcome.objection === 'contradicted') refused.push(`The opposite of ${said.name} was answered before.`)
  }
  if (recorded > 0) await insertExchangeAnswer(tx.sql, scope, arrival, inspected, verdict)
  const [first] = refused
  return first === undefined ? null : aside(refused.length === 1 ? first : `${first} And ${refused.length - 1} more.`)
}
