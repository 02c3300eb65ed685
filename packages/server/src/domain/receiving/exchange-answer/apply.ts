import type { AnswerLine } from '@timbre/dte'
import type { EmpresaScope } from '../../../kernel/scope.ts'
import type { Fault, InspectedAnswer } from '../../../ports/inspection.ts'
import { findByFolioForUpdate } from '../../issuing/document/read.ts'
import { type RecordContext, recordReceptorAnswer } from '../../issuing/document/receptor-response.ts'
import type { ReceptorAnswer } from '../../issuing/document/schema.ts'
import type { DocumentRow } from '../../issuing/document/show.ts'
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

/** Whether the line speaks of this very document: a stranger may guess a folio, and not what it was for. */
function isAbout({ dte }: AnswerLine, row: DocumentRow): boolean {
  const { receptor_rut, issue_date, total } = row
  return (
    ANSWERED.includes(row.status) &&
    receptor_rut === dte.receptor_rut &&
    issue_date === dte.issue_date &&
    total === dte.total
  )
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
  const { kind, lines } = inspected.answer
  const refused: string[] = []
  let recorded = 0
  // In the order of their folios: two files about the same documents lock them alike.
  const ordered = [...lines].sort((a, b) => a.dte.tipo_dte - b.dte.tipo_dte || a.dte.folio - b.dte.folio)
  for (const line of ordered) {
    const action = ACTIONS[kind](line.state)
    const row = await findByFolioForUpdate(tx.sql, scope, line.dte.tipo_dte, line.dte.folio)
    if (!action || !row || !isAbout(line, row)) {
      refused.push(`Nothing here is ${nameOf(line)} of ${line.dte.issue_date} for ${line.dte.total}.`)
      continue
    }
    const at = arrival.received_at.toISOString()
    const answer = { source: 'mail', action, code: null, reason: line.reason || null, ...verdict, at } as const
    const outcome = await recordReceptorAnswer(tx, scope, row, answer)
    if ('row' in outcome) recorded++
    else if (outcome.objection === 'contradicted') refused.push(`The opposite of ${nameOf(line)} was answered before.`)
  }
  if (recorded > 0) await insertExchangeAnswer(tx.sql, scope, arrival, inspected, verdict)
  const [first] = refused
  return first === undefined ? null : aside(refused.length === 1 ? first : `${first} And ${refused.length - 1} more.`)
}
