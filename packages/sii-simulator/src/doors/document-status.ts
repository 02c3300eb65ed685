import { attention } from '../attention.ts'
import { callerOf } from '../auth/tokens.ts'
import { type DocumentQuestion, documentEstado, ESTADOS } from '../documents/estado.ts'
import type { Door } from '../door.ts'
import type { Ambiente, SiiHost } from '../hosts.ts'
import { joinRut } from '../rut.ts'
import type { Simulator } from '../simulator.ts'
import { elements, respuesta } from '../soap/respuesta.ts'
import { soapDoors } from '../soap/service.ts'

const HOSTS: readonly SiiHost[] = ['maullin.sii.cl', 'palena.sii.cl']

export const DOCUMENT_STATUS_DOORS: readonly Door[] = [
  ...soapDoors({
    door: 'document_status',
    name: 'QueryEstDte',
    hosts: HOSTS,
    path: '/DTEWS/QueryEstDte.jws',
    operations: [
      {
        name: 'getEstDte',
        parts: [
          'RutConsultante',
          'DvConsultante',
          'RutCompania',
          'DvCompania',
          'RutReceptor',
          'DvReceptor',
          'TipoDte',
          'FolioDte',
          'FechaEmisionDte',
          'MontoDte',
          'Token',
        ],
        answer(ctx, [, , rut, digit, receptor, receptorDigit, tipo, folio, date, monto, token = ''], { ambiente }) {
          const asked = questionOf({ ambiente, rut, digit, receptor, receptorDigit, tipo, folio, date, monto })
          return answerPlain(ctx, asked, token, ambiente)
        },
      },
    ],
  }),
  ...soapDoors({
    door: 'document_status_advanced',
    name: 'QueryEstDteAv',
    hosts: HOSTS,
    path: '/DTEWS/services/QueryEstDteAv',
    operations: [
      {
        name: 'getEstDteAv',
        parts: [
          'RutEmpresa',
          'DvEmpresa',
          'RutReceptor',
          'DvReceptor',
          'TipoDte',
          'FolioDte',
          'FechaEmisionDte',
          'MontoDte',
          'FirmaDte',
          'Token',
        ],
        answer(
          ctx,
          [rut, digit, receptor, receptorDigit, tipo, folio, date, monto, firma = '', token = ''],
          { ambiente },
        ) {
          const asked = questionOf({ ambiente, rut, digit, receptor, receptorDigit, tipo, folio, date, monto })
          return answerAdvanced(ctx, asked && { ...asked, signature_value: firma }, token, ambiente)
        },
      },
    ],
  }),
]

type Raw = { ambiente: Ambiente } & Partial<
  Record<'rut' | 'digit' | 'receptor' | 'receptorDigit' | 'tipo' | 'folio' | 'date' | 'monto', string | undefined>
>

function questionOf(raw: Raw): DocumentQuestion | null {
  const emisor = joinRut(raw.rut, raw.digit)
  const receptor = joinRut(raw.receptor, raw.receptorDigit)
  // DDMMAAAA; both services take the same form.
  const date = /^(\d{2})-?(\d{2})-?(\d{4})$/.exec(raw.date?.trim() ?? '')
  const [tipo, folio, monto] = [raw.tipo, raw.folio, raw.monto].map((text) =>
    /^\s*\d{1,18}\s*$/.test(text ?? '') ? Number(text) : null,
  )
  if (!emisor || !receptor || !date || tipo == null || folio == null || monto == null) return null
  const fecha = `${date[3]}-${date[2]}-${date[1]}`
  return { ambiente: raw.ambiente, emisor, receptor, tipo, folio, monto, fecha, signature_value: null }
}

function answerPlain(ctx: Simulator, asked: DocumentQuestion | null, token: string, ambiente: Ambiente): string {
  const caller = callerOf(ctx, token, 'dte', ambiente)
  if (!caller.ok) return respuesta(['RESP_HDR', elements(['ESTADO', caller.estado], ['GLOSA', caller.glosa])])
  if (!asked) return respuesta(['RESP_HDR', elements(['ESTADO', '-4'], ['GLOSA', 'ERROR: DATOS'])])
  const { estado } = documentEstado(ctx, asked)
  const [code, glosa, error] = ESTADOS[estado]
  return respuesta([
    'RESP_HDR',
    elements(
      ['ESTADO', estado],
      ['GLOSA_ESTADO', glosa],
      ['ERR_CODE', code],
      ['GLOSA_ERR', error],
      ['NUM_ATENCION', attention(ctx)],
    ),
  ])
}

/** No sample of this answer is at hand: its fields are those that public clients read (unverified). */
function answerAdvanced(ctx: Simulator, asked: DocumentQuestion | null, token: string, ambiente: Ambiente): string {
  const caller = callerOf(ctx, token, 'dte', ambiente)
  const header = (estado: string | number, glosa: string) =>
    ['RESP_HDR', elements(['ESTADO', estado], ['GLOSA', glosa])] as const
  if (!caller.ok) return respuesta(header(caller.estado, caller.glosa))
  if (!asked) return respuesta(header('-4', 'ERROR: DATOS'))
  const { estado, document } = documentEstado(ctx, asked)
  const body = elements(
    ['RECIBIDO', document ? 'SI' : 'NO'],
    ['ESTADO', estado],
    ['GLOSA', ESTADOS[estado][2]],
    ['TRACKID', document?.track_id ?? 0],
    ['NUMATENCION', attention(ctx)],
  )
  return respuesta(['RESP_BODY', body], header(0, 'OK'))
}
