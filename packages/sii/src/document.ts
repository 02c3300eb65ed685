/** A document, as the SII is asked about it. */
export interface DocumentQuestion {
  readonly emisor_rut: string
  readonly receptor_rut: string
  readonly tipo_dte: number
  readonly folio: number
  /** `YYYY-MM-DD` */
  readonly issue_date: string
  /** MntTotal, in pesos. */
  readonly total: number
}

/** What the SII says of a document that it was asked about by its folio. */
export type DocumentState =
  | 'matches'
  | 'differs' // received, but not with these data
  | 'absent'
  | 'folio_not_authorized'
  | 'folio_annulled'
  | 'emisor_not_authorized'
  | 'text_corrected'
  | 'amount_corrected'
  | 'annulled'
  | 'observed'
  | 'rejected'
  | 'unknown'

export interface DocumentStatus {
  readonly estado: string
  readonly glosa: string | null
  /** `unknown` for an estado that is in no manual: its glosa is all there is. */
  readonly state: DocumentState
  /** Whether the SII has the document; null where it cannot be told. */
  readonly held: boolean | null
  /** Of the envelope it came in, where the service tells (QueryEstDteAv). */
  readonly track_id: string | null
  /** The number the SII gives to the question itself. */
  readonly attention: string | null
}

/** SII, Consulta de estado de DTE v1.10; the last three are those of the boleta API. */
const STATES: Readonly<Record<string, readonly [DocumentState, held: boolean]>> = {
  DOK: ['matches', true],
  DNK: ['differs', true],
  FAU: ['absent', false],
  FNA: ['folio_not_authorized', false],
  FAN: ['folio_annulled', false],
  EMP: ['emisor_not_authorized', false],
  TMD: ['text_corrected', true],
  TMC: ['text_corrected', true],
  MMD: ['amount_corrected', true],
  MMC: ['amount_corrected', true],
  AND: ['annulled', true],
  ANC: ['annulled', true],
  RPR: ['observed', true],
  RLV: ['observed', true],
  RCH: ['rejected', true],
}

/** True for the three letters of a state; the services name their own troubles by number. */
export const isDocumentEstado = (estado: string): boolean => /^[A-Z]{3}$/.test(estado)

export function documentStatus(
  estado: string,
  glosa: string | null,
  found: Partial<Pick<DocumentStatus, 'held' | 'track_id' | 'attention'>> = {},
): DocumentStatus {
  const [state, held] = STATES[estado] ?? ['unknown', null]
  return { estado, glosa, state, held, track_id: null, attention: null, ...found }
}

/** A RUT in the two fields in which the SII asks for it. */
export function splitRut(rut: string): readonly [number: string, check_digit: string] {
  const [number = '', check_digit = ''] = rut.split('-')
  return [number, check_digit.toUpperCase()]
}
