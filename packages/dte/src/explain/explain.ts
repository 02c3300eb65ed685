import { CODES, GLOSAS, type Row, SECTIONS, type SiiOutcome, VALIDATION } from './codes.ts'
import { type ExplanationCode, MEANINGS, type Meaning } from './copy.ts'

/** The service of the SII that answered; `validation` is a finding about a document, wherever it was read. */
export type SiiSource = keyof typeof CODES | 'validation'

/** What the SII said: a code, a text, or both. */
export interface SiiAnswer {
  readonly source: SiiSource
  readonly code?: string | number | undefined
  readonly text?: string | undefined
}

export interface Explanation {
  /** Stable: programs may branch on it. */
  readonly code: ExplanationCode
  readonly outcome: SiiOutcome
  /** Dotted path of the caller's own field, with an index where the SII names the line. */
  readonly field: string | null
  readonly act: Meaning['act']
  readonly retriable: boolean
  readonly message: string
  readonly hint: string
  /** The SII's own words, untouched. */
  readonly sii: { readonly source: SiiSource; readonly code: string | null; readonly text: string | null }
}

/** One entry of `detalle_rep_rech[].error[]` in the boleta API. */
export interface BoletaFinding {
  readonly seccion?: string | undefined
  readonly linea?: number | undefined
  readonly nivel?: number | undefined
  readonly codigo?: number | undefined
  readonly descripcion?: string | undefined
  readonly detalle?: string | undefined
}

interface Finding {
  readonly section: string
  /** 3 refuses; 1 and 2 observe. A schema error carries no level and refuses. */
  readonly level: number
  readonly number: number
  readonly line: number | null
}

/** `DTE-3-505`, `REF L[5] -3-750`, `LSX-00265`. */
const FINDING = /\b([A-Z]{3,4})(?: ?L\[(\d+)\] ?)?-(?:([1-3])-)?(\d{1,5})\b/g

/** Explains one answer. It never fails: an unknown code gets the most that can be said of it. */
export function explain(answer: SiiAnswer): Explanation {
  const finding = findFinding(answer)
  const [code, outcome] = finding ? meaningOfFinding(finding, answer.text) : meaningOfState(answer)
  return compose(code, outcome, answer, placeLine(MEANINGS[code].field, finding?.line ?? null))
}

/** Explains every finding named in a longer text, such as the SII's result e-mail; at least one explanation. */
export function explainText(text: string): readonly Explanation[] {
  const codes = [...new Set(Array.from(text.matchAll(FINDING), ([code]) => code))].filter((code) => read(code))
  if (codes.length === 0) return [explain({ source: 'validation', text })]
  return codes.map((code) => explain({ source: 'validation', code, text: sentenceAround(text, code) }))
}

/** Explains a finding of the boleta API, which gives the parts of the code apart. */
export function explainBoletaFinding(finding: BoletaFinding): Explanation {
  const { seccion = '', nivel = 3, codigo = 0, descripcion, detalle } = finding
  const text = [descripcion, detalle].filter(Boolean).join(': ')
  return explain({ source: 'validation', code: `${seccion}-${nivel}-${codigo}`, text: text || undefined })
}

function findFinding({ source, code, text }: SiiAnswer): Finding | null {
  if (code !== undefined) {
    const finding = read(String(code))
    if (finding) return finding
  }
  // A text that names a finding says more than the state it came with, unless that state is not about a document.
  const speaks = source === 'validation' || source === 'envio' || source === 'boleta' || source === 'documento'
  return speaks && text ? read(text) : null
}

function read(text: string): Finding | null {
  const [match = null] = text.matchAll(FINDING)
  const section = match?.[1] === 'DETL' ? 'DET' : match?.[1]
  if (!match || !section || !(section in SECTIONS || section === 'DTE')) return null
  const line = match[2] ? Number(match[2]) : null
  return { section, level: match[3] ? Number(match[3]) : 3, number: Number(match[4]), line }
}

function meaningOfFinding({ section, level, number }: Finding, text: string | undefined): Row {
  const outcome = level === 3 ? 'rejected' : 'reparo'
  const known = VALIDATION[`${section}-${number}`] ?? meaningOfGlosa(text) ?? SECTIONS[section]
  return [known ?? (outcome === 'rejected' ? 'sii_rejected' : 'sii_observed_other'), outcome]
}

function meaningOfState({ source, code, text }: SiiAnswer): Row {
  if (source !== 'validation') {
    const rows: Readonly<Record<string, Row>> = CODES[source]
    const row = code === undefined ? undefined : (rows[String(code).trim().toUpperCase()] ?? rows.other)
    if (row) return row
  }
  const glosa = meaningOfGlosa(text)
  if (glosa) return [glosa, MEANINGS[glosa].retriable ? 'failed' : 'rejected']
  return source === 'validation' ? ['sii_rejected', 'rejected'] : ['sii_unknown_answer', 'in_progress']
}

function meaningOfGlosa(text: string | undefined): ExplanationCode | undefined {
  if (!text) return undefined
  const plain = text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase().replace(/\s+/g, ' ')
  return GLOSAS.find(([pattern]) => pattern.test(plain))?.[1]
}

/** The words for a meaning, of an answer that ended this way. */
export function compose(
  code: ExplanationCode,
  outcome: SiiOutcome,
  answer: SiiAnswer,
  field: string | null = MEANINGS[code].field,
): Explanation {
  const meaning: Meaning = MEANINGS[code]
  const observed = outcome === 'reparo' && !code.startsWith('sii_observed')
  return {
    code,
    outcome,
    field,
    act: observed ? 'none' : meaning.act,
    retriable: outcome !== 'reparo' && meaning.retriable,
    message: observed
      ? `El documento es válido, pero el SII dejó una observación. ${meaning.message}`
      : meaning.message,
    hint: observed ? `No lo emitas de nuevo; tenlo en cuenta para el próximo. ${meaning.hint}` : meaning.hint,
    sii: {
      source: answer.source,
      code: answer.code === undefined ? null : String(answer.code),
      text: answer.text ?? null,
    },
  }
}

/** The SII counts lines from 1, the API's arrays from 0. */
function placeLine(field: string | null, line: number | null): string | null {
  return field && line ? field.replace('[]', `[${line - 1}]`) : field
}

/** The line of the mail that holds the code: its glosa, without its neighbours'. */
function sentenceAround(text: string, code: string): string {
  return (
    text
      .split(/\r?\n/)
      .find((line) => line.includes(code))
      ?.trim() ?? text
  )
}
