import { describe, expect, it } from 'vitest'
import { readResultMail } from '../src/index.ts'

const mail = (inside: string, identification = '<TRACKID>0260003916</TRACKID>') =>
  Buffer.from(
    '<?xml version="1.0" encoding="ISO-8859-1"?><RESULTADO_ENVIO><IDENTIFICACION><RUTEMISOR>76543210-3</RUTEMISOR>' +
      `<RUTENVIA>12345678-5</RUTENVIA>${identification}<TMSTRECEPCION>05/10/2026 12:06:50</TMSTRECEPCION>` +
      `<ESTADO>EPR - Envío Procesado</ESTADO></IDENTIFICACION>${inside}</RESULTADO_ENVIO>`,
    'latin1',
  )
const documents = (...rows: readonly string[]) => `<REVISIONENVIO>${rows.join('')}</REVISIONENVIO>`
const row = (estado: string, ...details: readonly string[]) =>
  `<REVISIONDTE><FOLIO>60</FOLIO><TIPODTE>33</TIPODTE><ESTADO>${estado}</ESTADO>` +
  `${details.map((detail) => `<DETALLE>${detail}</DETALLE>`).join('')}</REVISIONDTE>`

describe('the result e-mail', () => {
  it('says which envelope it is about, what was counted and what was found in each document', () => {
    const statistics =
      '<ESTADISTICA><SUBTOTAL><TIPODOC>33</TIPODOC><INFORMADO>2</INFORMADO><RECHAZO>1</RECHAZO><ACEPTA>1</ACEPTA></SUBTOTAL></ESTADISTICA>'
    const rejected = row('RCH - DTE Rechazado', '(DTE-3-505) Firma DTE Incorrecta', 'REF L[5] -3-750 No recibido')
    expect(readResultMail(mail(statistics + documents(rejected)))).toEqual({
      ok: true,
      value: {
        emisor_rut: '76543210-3',
        sender_rut: '12345678-5',
        track_id: '0260003916',
        estado: 'EPR - Envío Procesado',
        received_at: new Date('2026-10-05T15:06:50Z'),
        by_tipo: [{ tipo_dte: 33, informed: 2, accepted: 1, rejected: 1, reparos: 0 }],
        envelope_findings: [],
        documents: [
          {
            tipo_dte: 33,
            folio: 60,
            estado: 'RCH - DTE Rechazado',
            glosa: 'RCH - DTE Rechazado',
            outcome: 'rejected',
            findings: [
              { code: 'DTE-3-505', glosa: '(DTE-3-505) Firma DTE Incorrecta' },
              { code: 'REF-3-750', glosa: 'REF L[5] -3-750 No recibido' },
            ],
          },
        ],
      },
    })
  })

  it('says why a whole envelope was refused', () => {
    const errors = '<ERRORENVIO><DETERRENVIO>LSX-00265: valor malo</DETERRENVIO></ERRORENVIO>'
    const read = readResultMail(mail(errors))
    expect(read.ok && read.value.envelope_findings).toEqual([{ code: 'LSX-00265', glosa: 'LSX-00265: valor malo' }])
  })

  it.each([
    ['DTE Rechazado', [], 'rejected'],
    ['RPR', ['HED-2-100 algo'], 'reparo'],
    ['Aceptado con Reparos', [], 'reparo'],
    ['DTE Aceptado', [], 'accepted'],
    ['Documento no aceptado', [], 'rejected'],
    ['?', ['HED-3-861 algo', 'DET-1-200 algo'], 'rejected'],
    ['?', ['DET-1-200 algo'], 'reparo'],
  ] as const)('takes the state %j with the findings %j for %s', (estado, details, outcome) => {
    const read = readResultMail(mail(documents(row(estado, ...details))))
    expect(read.ok && read.value.documents).toMatchObject([{ outcome }])
  })

  it.each([
    ['unreadable', mail(documents(row('?', 'sin código')))],
    ['unreadable', mail('', '<TRACKID>pronto</TRACKID>')],
    ['unreadable', mail('<ESTADISTICA><SUBTOTAL><TIPODOC>x</TIPODOC></SUBTOTAL></ESTADISTICA>')],
    ['not_a_result', Buffer.from('<RespuestaDTE/>')],
    ['not_a_result', Buffer.from('Estimado contribuyente')],
  ])('is %s rather than guessed at', (rule, bytes) => {
    expect(readResultMail(bytes)).toMatchObject({ ok: false, refusal: { rule } })
  })
})
