import type { ExplanationCode } from './copy.ts'

/** What an answer says about the thing that was asked: a document, an envelope or a query. */
export type SiiOutcome = 'ok' | 'in_progress' | 'reparo' | 'rejected' | 'failed'

export type Row = readonly [ExplanationCode, SiiOutcome]

const OK = (code: ExplanationCode): Row => [code, 'ok']
const WAIT = (code: ExplanationCode): Row => [code, 'in_progress']
const REPARO = (code: ExplanationCode): Row => [code, 'reparo']
const NO = (code: ExplanationCode): Row => [code, 'rejected']
const FAIL = (code: ExplanationCode): Row => [code, 'failed']

const IN_PROGRESS = WAIT('sii_in_progress')
const QUERY_DATA = FAIL('sii_query_invalid')
const INTERNAL = FAIL('sii_unavailable')
const SESSION = FAIL('session_expired')
const LOGIN = FAIL('sii_login_rejected')
const CONFLICT = FAIL('response_conflicts')
const UNKNOWN_DOCUMENT = FAIL('response_document_unknown')

/**
 * The SII's codes, by the service that answers. Sources: SII manuals "Envío automático de DTE" v1.5 (upload),
 * "Autenticación automática" v1.9 (auth, token), "Consulta estado de DTE" v1.10 (envio, envio_query, documento),
 * "Envío automático AEC" v1.0 and "Web service RPETC" v1.2 (aec_upload, rtc_*), "Registro de aceptación o reclamo"
 * v1.2 (reclamo, cedible), and the boleta API's OpenAPI document (boleta).
 */
// biome-ignore format: a service's codes side by side are read at a glance
export const CODES = {
  upload: {
    0: OK('sii_received'), 1: FAIL('sender_not_authorized'), 2: FAIL('file_size'), 3: FAIL('file_truncated'), 5: SESSION,
    6: FAIL('emisor_not_authorized'), 7: NO('schema_invalid'), 8: NO('signature_invalid'), 9: INTERNAL,
    99: OK('envelope_already_received'), other: INTERNAL,
  },
  aec_upload: {
    0: OK('sii_received'), 1: FAIL('sender_not_authorized'), 2: FAIL('file_size'), 4: QUERY_DATA, 5: SESSION,
    6: FAIL('emisor_not_authorized'), 9: INTERNAL, 10: INTERNAL,
  },
  auth: {
    '00': OK('sii_authenticated'), '-1': INTERNAL, '-2': INTERNAL, '01': LOGIN, '02': LOGIN, '03': LOGIN, '04': LOGIN,
    '05': FAIL('signature_invalid'), '06': LOGIN, '07': INTERNAL, '08': SESSION, '09': INTERNAL,
    // In practice 10 is a signature the server could not verify, whatever its text says.
    10: LOGIN, 11: LOGIN, 12: FAIL('certificate_invalid'), '-3': LOGIN, 21: LOGIN,
  },
  token: { '001': SESSION, '002': SESSION, '003': SESSION },
  envio: {
    REC: WAIT('sii_received'), SOK: IN_PROGRESS, CRT: IN_PROGRESS, FOK: IN_PROGRESS, PRD: IN_PROGRESS, PDR: IN_PROGRESS,
    EPR: WAIT('sii_processed'), RLV: REPARO('sii_observed'), RPR: REPARO('sii_observed'), RSC: NO('schema_invalid'),
    RFR: NO('signature_invalid'), RCT: NO('envelope_header_invalid'), RPT: NO('document_already_received'),
    RCH: NO('information_invalid'), RCO: NO('information_inconsistent'), VOF: FAIL('file_lost'),
    DNK: NO('document_data_mismatch'),
  },
  envio_query: {
    '-1': INTERNAL, '-2': INTERNAL, '-3': FAIL('sender_not_authorized'), '-4': QUERY_DATA, '-5': QUERY_DATA,
    '-6': FAIL('sender_not_authorized'), '-7': QUERY_DATA, '-8': QUERY_DATA, '-9': QUERY_DATA, '-10': QUERY_DATA,
    '-11': FAIL('envelope_not_found'), '-12': INTERNAL, '-13': QUERY_DATA, '-14': QUERY_DATA,
    106: FAIL('sender_not_authorized'), 107: FAIL('sender_not_authorized'), 'HTTP 404': FAIL('envelope_not_found'),
  },
  documento: {
    DOK: OK('sii_accepted'), DNK: NO('document_data_mismatch'), FAU: FAIL('folio_not_received'),
    FNA: NO('folio_not_authorized'), FAN: NO('folio_annulled'), EMP: NO('emisor_not_authorized'),
    TMD: OK('document_text_corrected'), TMC: OK('document_text_corrected'), MMD: OK('document_amount_corrected'),
    MMC: OK('document_amount_corrected'), AND: OK('document_annulled'), ANC: OK('document_annulled'),
    // The same answers by their number (ERR_CODE).
    0: OK('sii_accepted'), 1: NO('document_data_mismatch'), 3: FAIL('folio_not_received'),
    4: NO('folio_not_authorized'), 5: NO('folio_annulled'), 6: NO('emisor_not_authorized'),
    10: OK('document_text_corrected'), 11: OK('document_text_corrected'), 12: OK('document_amount_corrected'),
    13: OK('document_amount_corrected'), 14: OK('document_annulled'), 15: OK('document_annulled'),
  },
  boleta: {
    DOK: OK('sii_accepted'), RPR: REPARO('sii_observed'), RLV: REPARO('sii_observed'), RCH: NO('information_invalid'),
  },
  rtc_envio: {
    UPL: IN_PROGRESS, RCP: WAIT('sii_received'), SOK: IN_PROGRESS, FSO: IN_PROGRESS, COK: IN_PROGRESS, VDC: IN_PROGRESS,
    VCS: IN_PROGRESS, EOK: OK('cesion_registered'), RSC: NO('schema_invalid'), RFS: NO('signature_invalid'),
    RCR: NO('cesion_invalid'), RDC: NO('cesion_document_invalid'), RCS: NO('cesion_invalid'), EAN: NO('cesion_annulled'),
  },
  rtc_query: {
    0: OK('sii_received'), 1: QUERY_DATA, 2: FAIL('cesion_not_found'), 3: SESSION, 4: SESSION, 5: SESSION, 6: INTERNAL,
    7: INTERNAL, 8: INTERNAL, 9: INTERNAL, 10: FAIL('sender_not_authorized'), '-15': FAIL('not_a_party'),
  },
  reclamo: {
    0: OK('response_registered'), 1: UNKNOWN_DOCUMENT, 2: UNKNOWN_DOCUMENT, 3: FAIL('response_not_applicable'),
    4: FAIL('response_not_applicable'), 5: CONFLICT, 6: CONFLICT, 7: OK('response_already_registered'),
    8: FAIL('response_too_late'), 9: UNKNOWN_DOCUMENT, 10: UNKNOWN_DOCUMENT, 11: CONFLICT, 12: CONFLICT, 13: CONFLICT,
    14: FAIL('not_a_party'), 15: OK('response_listed'), 16: OK('response_none_yet'),
    17: FAIL('response_of_receptor_only'), 18: UNKNOWN_DOCUMENT, 19: CONFLICT, '-1': INTERNAL,
  },
  cedible: {
    1: UNKNOWN_DOCUMENT, 2: UNKNOWN_DOCUMENT, 10: UNKNOWN_DOCUMENT, 18: UNKNOWN_DOCUMENT,
    20: FAIL('document_not_cedible'), 21: FAIL('document_not_cedible'), 22: FAIL('document_not_yet_cedible'),
    23: OK('document_cedible'), 24: FAIL('document_not_cedible'), 25: OK('document_cedible'),
  },
} as const satisfies Record<string, Readonly<Record<string, Row>>>

/**
 * Findings of the document's validation, as the result e-mail and the boleta API name them: section, level, number.
 * The level is not part of the key: 3 refuses, 1 and 2 only observe. Sections: ENV envelope, CRT its cover, CAF folio
 * range, TED timbre, DTE document, HED header, DET lines, REF references.
 */
export const VALIDATION: Readonly<Record<string, ExplanationCode>> = {
  'ENV-0': 'schema_invalid',
  'CRT-11': 'sender_differs_from_envelope',
  'CRT-19': 'resolucion_mismatch',
  'CAF-516': 'folio_range_wrong_environment',
  'CAF-517': 'folio_range_expired',
  'TED-510': 'timbre_invalid',
  'TED-647': 'timbre_date_out_of_range',
  'DTE-100': 'document_already_received',
  'DTE-101': 'folio_already_used',
  'DTE-505': 'signature_invalid',
  'DTE-601': 'folio_annulled',
  'DTE-650': 'date_out_of_range',
  'HED-211': 'reference_invalid',
  'HED-232': 'net_amount_missing',
  'HED-305': 'issued_before_authorization',
  'HED-861': 'acteco_not_registered',
  'DET-200': 'line_amount_mismatch',
  'DET-854': 'line_name_missing',
  'REF-415': 'reference_required',
  'REF-750': 'reference_not_received',
  'REF-751': 'reference_other_receptor',
  'REF-780': 'reference_amount_mismatch',
}

/** What an unlisted number of a known section is about. */
export const SECTIONS: Readonly<Record<string, ExplanationCode>> = {
  ENV: 'schema_invalid',
  CRT: 'envelope_header_invalid',
  CAF: 'folio_not_authorized',
  TED: 'timbre_invalid',
  HED: 'header_invalid',
  DET: 'line_invalid',
  DETL: 'line_invalid',
  REF: 'reference_invalid',
  LSX: 'schema_invalid',
  CHR: 'character_not_allowed',
  SCH: 'wrong_channel',
}

/** Glosas that arrive without a code, or whose words say more than it. Compared without accents or case. */
export const GLOSAS: readonly (readonly [RegExp, ExplanationCode])[] = [
  [/rut envia (diferente|distinto)|no autorizado a firmar/, 'sender_differs_from_envelope'],
  [/archivo ya fue enviado|envio (repetido|duplicado)/, 'envelope_already_received'],
  [/folio ya (fue )?(recibido|utilizado)/, 'folio_already_used'],
  [/dte repetido/, 'document_already_received'],
  [/(fecha|numero).{0,12}resolucion/, 'resolucion_mismatch'],
  [/firma.{0,20}timbre|timbre.{0,30}(invalid|incorrect)/, 'timbre_invalid'],
  [/firma.{0,20}(incorrecta|invalida)|error.{0,6}firma/, 'signature_invalid'],
  [/caf.{0,20}vencid|folios? vencid/, 'folio_range_expired'],
  [/folio.{0,20}anulad/, 'folio_annulled'],
  [/folio.{0,12}no autorizad/, 'folio_not_authorized'],
  [/actividad economica|acteco/, 'acteco_not_registered'],
  [/referenciado.{0,12}no (ha sido )?recibido/, 'reference_not_received'],
  [/valor detalle distinto|precio \* cantidad/, 'line_amount_mismatch'],
  [/monto total.{0,20}(no cuadra|distinto|incorrecto)|totales? no cuadra/, 'totals_mismatch'],
  [/sin comuna origen|comuna de? ?origen/, 'emisor_address_missing'],
  [/rut.{0,12}receptor.{0,20}(invalid|no existe|erroneo)/, 'receptor_invalid'],
  [/token (no existe|inactivo)|no esta autenticado/, 'session_expired'],
  [/usuario no (tiene permiso|autorizado)/, 'sender_not_authorized'],
  [/caracter(es)? (no valido|invalido)/, 'character_not_allowed'],
  [/error (interno|500|501)|sistema (bloqueado|no disponible)/, 'sii_unavailable'],
  [/schema|esquema|lsx-\d/, 'schema_invalid'],
]
