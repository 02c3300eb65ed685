import { existsSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { CODES, SECTIONS, VALIDATION } from './codes.ts'
import { MEANINGS } from './copy.ts'
import { explain, explainBoletaFinding, explainText, type SiiSource } from './explain.ts'
import { explainSettled } from './settled.ts'

const shared = new URL('../../../../../shared/sii/', import.meta.url)
const estados = new URL('data/sii_estados.json', shared)
const missing = !existsSync(estados)
if (missing)
  console.warn('explain.test.ts: ../shared/sii is missing; the tests against its tables and samples are skipped')
const readShared = (path: string) => JSON.parse(readFileSync(new URL(path, shared), 'utf8'))

/** Where each shared table lives in ours. */
const SOURCES: Record<string, SiiSource> = {
  upload_status: 'upload',
  aec_upload_status: 'aec_upload',
  auth_estado: 'auth',
  envio_estado: 'envio',
  token_estado: 'token',
  queryestup_error: 'envio_query',
  documento_estado: 'documento',
  documento_err_code: 'documento',
  boleta_detalle_estado: 'boleta',
  rtc_envio_estado: 'rtc_envio',
  rtc_consulta_estado: 'rtc_query',
  error_codes_seen: 'validation',
}
const GENERIC = [
  'sii_rejected',
  'sii_unknown_answer',
  'sii_observed_other',
  'sii_rejected_without_reason',
  'sii_observed_without_reason',
]

/** Something that is still to come, or that nobody can act on. */
const UNSETTLED = /seguiremos|reintentaremos|volveremos|consultaremos|enviaremos|está revisando|mira el estado/i

describe('the explanation of a settled document', () => {
  const states = [...new Set([CODES.envio, CODES.documento, CODES.boleta].flatMap((rows) => Object.keys(rows)))]
  const findings = [...Object.keys(VALIDATION), ...Object.keys(SECTIONS).map((section) => `${section}-99999`)]
  const answers = [
    ...[...states, 'XYZ'].map((estado) => ({ estado, finding: null, glosa: 'Glosa nunca vista' })),
    ...['EPR', 'XYZ'].map((estado) => ({ estado, finding: null, glosa: '' })),
    ...findings.flatMap((name) => {
      const [section, number] = name.split('-')
      return [1, 3].map((level) => ({ estado: 'EPR', finding: `${section}-${level}-${number}`, glosa: 'g' }))
    }),
  ]

  it.each(['rejected', 'reparo'] as const)(
    '%s: promises nothing that will not happen, whatever was said',
    (outcome) => {
      for (const answer of answers) {
        const { outcome: ended, message, hint, retriable, code } = explainSettled({ outcome, ...answer })
        const name = `${answer.estado} ${answer.finding}: ${code}`
        expect(ended, name).toBe(outcome)
        expect(`${message} ${hint}`, name).not.toMatch(UNSETTLED)
        if (outcome === 'reparo') {
          expect([`${message} ${hint}`, retriable], name).toEqual([expect.stringMatching(/válido/), false])
          expect(message, name).not.toMatch(/rechazó el documento|y lo rechazó/)
        }
      }
    },
  )

  it('says that the SII gave no reason where it gave none, and its words where they are new', () => {
    const codes = (estado: string, glosa: string) =>
      (['rejected', 'reparo'] as const).map((outcome) => explainSettled({ outcome, estado, finding: null, glosa }).code)
    const without_reason = ['sii_rejected_without_reason', 'sii_observed_without_reason']
    expect(codes('EPR', 'Envio Procesado')).toEqual(without_reason)
    expect(codes('FAU', 'Documento No Recibido por el SII')).toEqual(without_reason)
    expect(codes('XYZ', 'Glosa nunca vista')).toEqual(['sii_rejected', 'sii_observed_other'])
    expect(codes('RPR', 'Aceptado con Reparos')[1]).toBe('sii_observed')
    expect(codes('FAN', 'Folio Anulado')[0]).toBe('folio_annulled')
  })
})

describe('explain', () => {
  it.skipIf(missing)('every code of the shared tables has a meaning of its own', () => {
    const tables = readShared('data/sii_estados.json')
    const unexplained = Object.entries(SOURCES).flatMap(([table, source]) =>
      Object.keys(tables[table])
        .filter((code) => GENERIC.includes(explain({ source, code }).code))
        .map((code) => `${table} ${code}`),
    )
    expect(unexplained).toEqual([])
    const reclamo = readShared('data/reclamo.json')
    for (const code of Object.keys(reclamo.codResp))
      expect(explain({ source: 'reclamo', code }).code).not.toBe('sii_unknown_answer')
    for (const code of Object.keys(reclamo.codResp_cedible)) {
      expect(explain({ source: 'cedible', code }).code).not.toBe('sii_unknown_answer')
    }
  })

  it('tells an answer that only the receptor may give from one that the document does not take', () => {
    const codeOf = (code: string) => explain({ source: 'reclamo', code }).code
    expect([3, 4, 14, 17].map((code) => codeOf(String(code)))).toEqual([
      'response_not_applicable',
      'response_not_applicable',
      'not_a_party',
      'response_of_receptor_only',
    ])
  })

  it('takes only the same answer for one that was registered before: another claim of goods is a conflict', () => {
    expect([7, 19].map((code) => explain({ source: 'reclamo', code: String(code) }).code)).toEqual([
      'response_already_registered',
      'response_conflicts',
    ])
  })

  it.skipIf(missing)('an estado of an envelope settles the document as the shared table says', () => {
    const { envio_estado } = readShared('data/sii_estados.json')
    const ours = {
      in_progress: ['in_progress'],
      processed: ['in_progress'],
      reparo: ['reparo'],
      rejected: ['rejected', 'failed'],
    }
    for (const [code, [kind]] of Object.entries<[keyof typeof ours, string]>(envio_estado)) {
      if (kind in ours) expect(ours[kind], code).toContain(explain({ source: 'envio', code }).outcome)
    }
  })

  it('a finding names the field of the caller and what to change', () => {
    const acteco = explain({ source: 'validation', code: 'HED-3-861', text: 'Actividad Economica no registrada' })
    expect(acteco).toMatchObject({
      code: 'acteco_not_registered',
      outcome: 'rejected',
      field: 'empresa.acteco',
      act: 'empresa',
    })
    expect(explain({ source: 'validation', code: 'REF-3-750' })).toMatchObject({
      code: 'reference_not_received',
      field: 'references[].folio',
    })
    expect(explain({ source: 'validation', code: 'CRT-3-19' })).toMatchObject({
      code: 'resolucion_mismatch',
      field: 'empresa.resolucion',
    })
    expect(explain({ source: 'validation', code: 'DTE-3-505' })).toMatchObject({
      code: 'signature_invalid',
      retriable: false,
    })
  })

  it('the line that the SII names becomes an index of the array', () => {
    expect(explain({ source: 'validation', code: 'REF L[5] -3-750' }).field).toBe('references[4].folio')
  })

  it('a finding of level 1 or 2 is a reparo: the document is valid and nobody has to emit it again', () => {
    const reparo = explain({ source: 'validation', code: 'REF-2-780' })
    expect(reparo).toMatchObject({
      code: 'reference_amount_mismatch',
      outcome: 'reparo',
      act: 'none',
      retriable: false,
    })
    expect(reparo.message).toMatch(/^El documento es válido/)
    expect(reparo.hint).toMatch(/^No lo emitas de nuevo/)
  })

  it('a text that names a finding is explained by the finding, not by the state it came with', () => {
    const answer = { source: 'envio', code: 'RCH', text: 'DTE Rechazado (CAF-3-517) CAF vencido' } as const
    expect(explain(answer)).toMatchObject({ code: 'folio_range_expired', outcome: 'rejected' })
  })

  it('a glosa without a code is understood by its words, with or without accents', () => {
    expect(explain({ source: 'validation', text: 'RECHAZO- DTE Sin Comuna Origen' }).field).toBe(
      'empresa.address.comuna',
    )
    expect(explain({ source: 'validation', text: 'Actividad Económica no Registrada' }).code).toBe(
      'acteco_not_registered',
    )
    expect(explain({ source: 'envio', code: '777', text: 'TOKEN NO EXISTE' })).toMatchObject({
      code: 'session_expired',
      retriable: true,
    })
  })

  it('an unknown code gets a useful answer and keeps the words of the SII', () => {
    const unknown = explain({ source: 'validation', code: 'ZZZ-3-999', text: 'Glosa nunca vista' })
    expect(unknown).toMatchObject({
      code: 'sii_rejected',
      outcome: 'rejected',
      sii: { code: 'ZZZ-3-999', text: 'Glosa nunca vista' },
    })
    expect(explain({ source: 'validation', code: 'HED-3-12345' }).code).toBe('header_invalid')
    expect(explain({ source: 'envio', code: 'XYZ' })).toMatchObject({
      code: 'sii_unknown_answer',
      outcome: 'in_progress',
    })
    expect(explain({ source: 'upload', code: '42' }).code).toBe('sii_unavailable')
  })

  it('a mail with several findings gets one explanation each, with its own line of text', () => {
    const found = explainText(
      'Tipo 33 Folio 5\n(HED-3-861) Actividad no registrada\n(REF-3-750) DTE Referenciado no recibido\n',
    )
    expect(found.map(({ code }) => code)).toEqual(['acteco_not_registered', 'reference_not_received'])
    expect(found[0]?.sii.text).toBe('(HED-3-861) Actividad no registrada')
    expect(explainText('sin códigos')).toHaveLength(1)
  })

  it.skipIf(missing)('the findings of the boleta API are explained from their parts', () => {
    const { detalle_rep_rech } = readShared('samples/responses/boleta-envio-estado-EPR.json')
    const [rejected, observed] = detalle_rep_rech
    expect(rejected.error.map(explainBoletaFinding)).toMatchObject([
      { code: 'sender_differs_from_envelope', outcome: 'rejected' },
      { code: 'line_amount_mismatch', outcome: 'rejected' },
    ])
    expect(explainBoletaFinding(observed.error[0])).toMatchObject({ code: 'line_amount_mismatch', outcome: 'reparo' })
  })

  it('every meaning is used, ends as a sentence and says what to do', () => {
    const used = new Set<string>([
      ...Object.values(CODES).flatMap((rows) => Object.values(rows).map(([code]) => code)),
      ...Object.values(VALIDATION),
      ...Object.values(SECTIONS),
      ...GENERIC,
    ])
    const byWords = ['totals_mismatch', 'emisor_address_missing', 'receptor_invalid']
    for (const [code, { message, hint }] of Object.entries(MEANINGS)) {
      expect(message, code).toMatch(/^[A-ZÁÉÍÓÚÑ].*\.$/)
      expect(hint, code).toMatch(/[.`]$/)
      expect(used.has(code) || byWords.includes(code), code).toBe(true)
    }
  })
})
