import { readJson } from './boleta-json.ts'
import { readSiiInstant } from './dates.ts'
import {
  countOf,
  driftOf,
  type EnvelopeStatus,
  envelopeNotFound,
  envelopeStatus,
  type Finding,
  isRefusedEnvelope,
  type JudgedDocument,
} from './envelope-status.ts'
import { AnswerFault, drift, refused } from './failure.ts'
import type { UploadReceipt } from './reception.ts'
import type { Read, SiiAnswer } from './wire.ts'

type Json = Readonly<Record<string, unknown>>

export function readBoletaReceipt(answer: SiiAnswer): Read<UploadReceipt> {
  // Nobody knows what a second upload of the same boletas does, so an error page is no reason for one.
  const json = readJson(answer, false)
  const estado = textOf(json, 'estado')
  if (isRefusedEnvelope(estado)) throw refused(estado, optional(json, 'descripcion') ?? optional(json, 'glosa'))
  // Any other may be a file that was taken: only what is known to be a refusal says that it was not.
  if (estado !== 'REC') throw drift('estado REC', estado)
  return {
    value: { track_id: trackIdOf(json), duplicate: false, received_at: instantOf(json) },
    estado,
  }
}

export function readBoletaEnvelope(answer: SiiAnswer, track_id: string): Read<EnvelopeStatus> {
  const json = readEnvelopeJson(answer)
  const estado = textOf(json, 'estado')
  const counts = listOf(json, 'estadistica').map((row) => ({
    tipo_dte: numberOf(row, 'tipo'),
    informed: numberOf(row, 'informados'),
    accepted: numberOf(row, 'aceptados'),
    rejected: numberOf(row, 'rechazados'),
    reparos: numberOf(row, 'reparos'),
  }))
  const documents = listOf(json, 'detalle_rep_rech').map(judgedDocument)
  const value = envelopeStatus({ track_id, estado, glosa: null, received_at: instantOf(json), documents, counts })
  requireEachNamed(value, documents)
  return { value, estado, ...driftOf(value) }
}

function readEnvelopeJson(answer: SiiAnswer): Json {
  try {
    return readJson(answer)
  } catch (fault) {
    const said = fault instanceof AnswerFault ? fault.facts : null
    if (said?.estado !== 'HTTP 404' || said.kind !== 'refused' || said.token_refused) throw fault
    throw envelopeNotFound(said.estado, said.glosa ?? null)
  }
}

/** A boleta that is not named was accepted: that holds only while all those that were not are named. */
function requireEachNamed({ by_tipo }: EnvelopeStatus, documents: readonly JudgedDocument[]): void {
  for (const { tipo_dte, outcome, rejected, reparos } of by_tipo) {
    const named = (said: JudgedDocument['outcome']) =>
      documents.filter((document) => document.tipo_dte === tipo_dte && document.outcome === said).length
    if (outcome === 'mixed' && (named('rejected') < rejected || named('reparo') < reparos)) {
      throw drift('detalle_rep_rech of each boleta', 'EPR')
    }
  }
}

/** States of a document in `detalle_rep_rech`. Any other would be a verdict that we cannot read. */
const OUTCOMES: Readonly<Record<string, JudgedDocument['outcome']>> = {
  DOK: 'accepted',
  RPR: 'reparo',
  RLV: 'reparo',
  RCH: 'rejected',
}

function judgedDocument(row: Json): JudgedDocument {
  const estado = textOf(row, 'estado')
  const outcome = OUTCOMES[estado]
  if (outcome === undefined) throw drift(`detalle_rep_rech/estado ${estado.slice(0, 10)}`)
  return {
    tipo_dte: numberOf(row, 'tipo'),
    folio: numberOf(row, 'folio'),
    estado,
    glosa: optional(row, 'descripcion'),
    outcome,
    findings: listOf(row, 'error').map(findingOf),
  }
}

function findingOf(row: Json): Finding {
  const { seccion, nivel, codigo } = row
  const named = typeof seccion === 'string' && seccion !== '' && codigo !== undefined
  const glosa = [optional(row, 'descripcion'), optional(row, 'detalle')].filter(Boolean).join(': ')
  return { code: named ? `${seccion}-${nivel ?? 3}-${codigo}` : null, glosa }
}

/** An array, or nothing: the SII writes null for an empty one. */
function listOf(json: Json, name: string): readonly Json[] {
  const value = json[name] ?? []
  if (!Array.isArray(value) || value.some((row) => typeof row !== 'object' || row === null)) throw drift(name)
  return value as readonly Json[]
}

function textOf(json: Json, name: string): string {
  const value = json[name]
  if (typeof value !== 'string' || value === '') throw drift(name)
  return value
}

const optional = (json: Json, name: string): string | null => {
  const value = json[name]
  return typeof value === 'string' && value !== '' ? value : null
}

function numberOf(json: Json, name: string): number {
  const value = json[name]
  if (typeof value === 'number' && Number.isSafeInteger(value) && value >= 0) return value
  return countOf(typeof value === 'string' ? value : '', name)
}

function trackIdOf(json: Json): string {
  const value = json.trackid ?? json.trackId ?? json.TRACKID
  if (typeof value !== 'string' || !/^\d{1,20}$/.test(value)) throw drift('trackid')
  return value
}

const instantOf = (json: Json): Date | null => readSiiInstant(optional(json, 'fecha_recepcion') ?? '')
