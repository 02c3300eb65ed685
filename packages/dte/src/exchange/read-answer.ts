import { isCivilDate } from '../dates.ts'
import { accept, type Outcome, refuse } from '../refusal.ts'
import { canonicalRut } from '../rut.ts'
import type { CheckedSignature } from '../signature/verify.ts'
import type { XmlDocument } from '../xml/parse.ts'
import { childOf, childrenOf, textAt, type XmlElement } from '../xml/tree.ts'
import type { AnsweredDte } from './intercambio.ts'

/** What an answer is about: whether a file arrived, whether its documents are accepted, whether their goods came. */
export type AnswerKind = 'recepcion_envio' | 'resultado_dte' | 'envio_recibos'

/** What an answer says of one document. `state` is a code of the kind; a recibo has none but that the goods came. */
export interface AnswerLine {
  readonly dte: AnsweredDte
  readonly state: number
  /** The glosa, in the words of whoever answers. */
  readonly reason: string | undefined
}

/** What an answer says of a whole file, where it names no document in it: most often that it was refused. */
export interface AnsweredEnvelope {
  /** As it was attached. */
  readonly file_name: string
  /** DigestValue of its signature. */
  readonly digest: string
  readonly state: number
  readonly reason: string | undefined
}

export interface ReadAnswer {
  readonly kind: AnswerKind
  /** Who answers, and whom. */
  readonly responde_rut: string
  readonly recibe_rut: string
  /** Local time. */
  readonly signed_at: string | undefined
  readonly lines: readonly AnswerLine[]
  readonly envelopes: readonly AnsweredEnvelope[]
}

export type AnswerRule = 'not_an_answer' | 'unreadable'

/** Roots of what taxpayers answer each other with (Formato de Mensaje de Respuesta 1.0; Recibos, Ley 19.983). */
export const ANSWER_ROOTS: readonly string[] = ['RespuestaDTE', 'EnvioRecibos']

/**
 * Reads an answer from what its signatures cover and from nowhere else. The caller has verified them; each of them must
 * be true. One line that cannot be read refuses the file: half an answer may say the opposite of the whole.
 */
export function readAnswer(
  { root }: XmlDocument,
  signatures: readonly CheckedSignature[],
): Outcome<ReadAnswer, AnswerRule> {
  const outer = signatures.find(({ container }) => container === root)
  if (!outer || !ANSWER_ROOTS.includes(root.name)) return refuse('not_an_answer', 'It is no signed answer.', root.name)
  const { signed } = outer
  const found = root.name === 'EnvioRecibos' ? recibosOf(signed, signatures) : respuestasOf(signed)
  const caratula = childOf(signed, 'Caratula')
  const responde_rut = rutAt(caratula, 'RutResponde')
  const recibe_rut = rutAt(caratula, 'RutRecibe')
  if (!found || !responde_rut || !recibe_rut) {
    return refuse('unreadable', 'It does not say who answers whom, about which document and what.', root.name)
  }
  const signed_at = textAt(caratula, 'TmstFirmaResp') ?? textAt(caratula, 'TmstFirmaEnv')
  return accept({ ...found, responde_rut, recibe_rut, signed_at })
}

type Found = Pick<ReadAnswer, 'kind' | 'lines' | 'envelopes'>

function whole(
  kind: AnswerKind,
  lines: readonly (AnswerLine | null)[],
  envelopes: readonly (AnsweredEnvelope | null)[] = [],
): Found | null {
  const read = { kind, lines: lines.filter((one) => one !== null), envelopes: envelopes.filter((one) => one !== null) }
  const [found, asked] = [read.lines.length + read.envelopes.length, lines.length + envelopes.length]
  return found === 0 || found < asked ? null : read
}

/** One kind a file (RespuestaEnvioDTE_v10.xsd): a choice of RecepcionEnvio or of ResultadoDTE. */
function respuestasOf(resultado: XmlElement): Found | null {
  const receptions = childrenOf(resultado, 'RecepcionEnvio')
  const results = childrenOf(resultado, 'ResultadoDTE')
  if (receptions.length > 0 && results.length > 0) return null
  if (results.length > 0) {
    return whole(
      'resultado_dte',
      results.map((result) => lineOf(result, 'TipoDTE', 'EstadoDTE', 'EstadoDTEGlosa')),
    )
  }
  const bare = receptions.filter((reception) => childOf(reception, 'RecepcionDTE') === undefined)
  return whole('recepcion_envio', receptions.flatMap(receptionLines), bare.map(envelopeOf))
}

function envelopeOf(reception: XmlElement): AnsweredEnvelope | null {
  const file_name = textAt(reception, 'NmbEnvio') ?? ''
  const digest = textAt(reception, 'Digest') ?? ''
  const state = integerAt(reception, 'EstadoRecepEnv')
  if (file_name === '' || digest === '' || state === null) return null
  return { file_name, digest, state, reason: textAt(reception, 'RecepEnvGlosa') }
}

/** The documents of a file that was received; of one that was refused as a whole, each has its refusal. */
function receptionLines(reception: XmlElement): readonly (AnswerLine | null)[] {
  const envelope = integerAt(reception, 'EstadoRecepEnv')
  const glosa = textAt(reception, 'RecepEnvGlosa')
  return childrenOf(reception, 'RecepcionDTE').map((document) => {
    const line = lineOf(document, 'TipoDTE', 'EstadoRecepDTE', 'RecepDTEGlosa')
    if (!line || envelope === null || envelope === 0) return envelope === null ? null : line
    return line.state === 0 ? { ...line, state: envelope, reason: glosa } : line
  })
}

/** Each receipt is signed alone and again with its set: what lies in the set without a signature of its own is none. */
function recibosOf(set: XmlElement, signatures: readonly CheckedSignature[]): Found | null {
  const lines = childrenOf(set, 'Recibo').map((recibo) => {
    const own = signatures.find(({ container }) => container === recibo)
    const dte = own && dteAt(own.signed, 'TipoDoc')
    return dte ? { dte, state: 0, reason: textAt(own.signed, 'Recinto') } : null
  })
  return whole('envio_recibos', lines)
}

function lineOf(element: XmlElement, tipo: 'TipoDTE' | 'TipoDoc', state: string, glosa: string): AnswerLine | null {
  const dte = dteAt(element, tipo)
  const code = integerAt(element, state)
  return dte && code !== null ? { dte, state: code, reason: textAt(element, glosa) } : null
}

function dteAt(element: XmlElement, tipo: 'TipoDTE' | 'TipoDoc'): AnsweredDte | null {
  const tipo_dte = integerAt(element, tipo)
  const folio = integerAt(element, 'Folio')
  const total = integerAt(element, 'MntTotal')
  const emisor_rut = rutAt(element, 'RUTEmisor')
  const receptor_rut = rutAt(element, 'RUTRecep')
  const issue_date = textAt(element, 'FchEmis') ?? ''
  if (tipo_dte === null || folio === null || total === null || !isCivilDate(issue_date)) return null
  return emisor_rut && receptor_rut ? { tipo_dte, folio, issue_date, emisor_rut, receptor_rut, total } : null
}

const rutAt = (element: XmlElement | undefined, name: string) => canonicalRut(textAt(element, name) ?? '') ?? undefined

/** Digits that a number holds exactly; folios have ten and amounts eighteen at most. */
function integerAt(element: XmlElement, name: string): number | null {
  const text = textAt(element, name) ?? ''
  return /^-?\d{1,15}$/.test(text) ? Number(text) : null
}
