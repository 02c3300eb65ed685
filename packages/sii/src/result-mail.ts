import { canonicalRut } from '@timbre/dte/values'
import { childOf, childrenOf, type Outcome, parseXml, textAt, type XmlElement } from '@timbre/dte/xml'
import { readSiiInstant } from './dates.ts'
import type { Finding, JudgedDocument } from './envelope-status.ts'

/** The e-mail in which the SII says what it made of an envelope (RespSII_v10.xsd). The DTE channel says why only here. */
export interface ResultMail {
  readonly emisor_rut: string
  readonly sender_rut: string
  readonly track_id: string
  readonly estado: string
  readonly received_at: Date | null
  readonly by_tipo: readonly {
    readonly tipo_dte: number
    readonly informed: number
    readonly accepted: number
    readonly rejected: number
    readonly reparos: number
  }[]
  /** Why the whole envelope was refused. */
  readonly envelope_findings: readonly Finding[]
  /** Only those with something to say of them: a document that is not here was accepted, if the envelope was. */
  readonly documents: readonly JudgedDocument[]
}

const MAX_BYTES = 4 * 1024 * 1024

/** Reads the file attached to the mail. Whoever calls has made sure of who sent it: the file itself is not signed. */
export function readResultMail(bytes: Uint8Array): Outcome<ResultMail, 'not_a_result' | 'unreadable'> {
  const parsed = parseXml(bytes, { max_bytes: MAX_BYTES, undeclared: 'ISO-8859-1' })
  if (!parsed.ok) return refuse('not_a_result', 'It is no well-formed XML.')
  const { root } = parsed.value
  if (root.name !== 'RESULTADO_ENVIO') return refuse('not_a_result', 'Its root is not RESULTADO_ENVIO.')
  const who = childOf(root, 'IDENTIFICACION')
  const [emisor_rut, sender_rut] = ['RUTEMISOR', 'RUTENVIA'].map((name) => canonicalRut(textAt(who, name) ?? ''))
  const track_id = textAt(who, 'TRACKID') ?? ''
  const estado = textAt(who, 'ESTADO') ?? ''
  if (!emisor_rut || !sender_rut || !/^\d{1,20}$/.test(track_id) || estado === '') {
    return refuse('unreadable', 'It does not say which envelope it is about.')
  }
  const by_tipo = childrenOf(childOf(root, 'ESTADISTICA') ?? root, 'SUBTOTAL').map(subtotalOf)
  const revision = childOf(root, 'REVISIONENVIO')
  const documents = (revision ? childrenOf(revision, 'REVISIONDTE') : []).map(documentOf)
  if (!all(by_tipo) || !all(documents)) return refuse('unreadable', 'A counter or a document in it cannot be read.')
  const errors = childOf(root, 'ERRORENVIO')
  return {
    ok: true,
    value: {
      emisor_rut,
      sender_rut,
      track_id,
      estado,
      received_at: readSiiInstant(textAt(who, 'TMSTRECEPCION') ?? ''),
      by_tipo,
      envelope_findings: errors ? childrenOf(errors, 'DETERRENVIO').map(findingOf) : [],
      documents,
    },
  }
}

const refuse = (rule: 'not_a_result' | 'unreadable', message: string) =>
  ({ ok: false, refusal: { path: '', rule, message } }) as const

const all = <T>(values: readonly (T | null)[]): values is readonly T[] => values.every((value) => value !== null)

function subtotalOf(row: XmlElement): ResultMail['by_tipo'][number] | null {
  const [tipo_dte, informed] = [integer(row, 'TIPODOC'), integer(row, 'INFORMADO')]
  if (tipo_dte === null || informed === null) return null
  // The schema leaves out a counter that is zero.
  const [accepted, rejected, reparos] = [integer(row, 'ACEPTA'), integer(row, 'RECHAZO'), integer(row, 'REPARO')]
  return { tipo_dte, informed, accepted: accepted ?? 0, rejected: rejected ?? 0, reparos: reparos ?? 0 }
}

function documentOf(row: XmlElement): JudgedDocument | null {
  const [tipo_dte, folio] = [integer(row, 'TIPODTE'), integer(row, 'FOLIO')]
  const estado = textAt(row, 'ESTADO') ?? ''
  const findings = childrenOf(row, 'DETALLE').map(findingOf)
  const outcome = outcomeOf(estado, findings)
  if (tipo_dte === null || folio === null || outcome === null) return null
  return { tipo_dte, folio, estado, glosa: estado, outcome, findings }
}

/**
 * The schema takes any text for the state (see UNVERIFIED): a code, or words. Where neither is known, the level of the
 * findings tells: 3 refuses, 1 and 2 observe (SII, códigos de error de la validación).
 */
function outcomeOf(estado: string, findings: readonly Finding[]): JudgedDocument['outcome'] | null {
  const plain = estado.normalize('NFD').replace(/\p{M}/gu, '').toUpperCase()
  if (/\bRCH\b|RECHAZ|NO ACEPTAD/.test(plain)) return 'rejected'
  if (/\b(?:RPR|RLV)\b|REPARO/.test(plain)) return 'reparo'
  if (/\bDOK\b|ACEPTAD/.test(plain)) return 'accepted'
  const levels = findings.map(({ code }) => /-([123])-/.exec(code ?? '')?.[1])
  if (levels.includes('3')) return 'rejected'
  return levels.length > 0 && levels.every((level) => level === '1' || level === '2') ? 'reparo' : null
}

/** `(DTE-3-505) Firma DTE Incorrecta`, `REF L[5] -3-750 …`, `LSX-00265: …`. */
const CODE = /\b([A-Z]{3,4})(?: ?L\[\d+\] ?)?-(?:([1-3])-)?(\d{1,5})\b/

function findingOf({ text }: XmlElement): Finding {
  const glosa = text.replace(/\s+/g, ' ').trim()
  const match = CODE.exec(glosa)
  if (match === null) return { code: null, glosa }
  const [, section = '', level, number = ''] = match
  return { code: level === undefined ? `${section}-${number}` : `${section}-${level}-${number}`, glosa }
}

function integer(row: XmlElement, name: string): number | null {
  const text = textAt(row, name) ?? ''
  return /^\d{1,10}$/.test(text) ? Number(text) : null
}
