import { attention } from '../attention.ts'
import { callerOf } from '../auth/tokens.ts'
import type { Door } from '../door.ts'
import type { Ambiente } from '../hosts.ts'
import { joinRut } from '../rut.ts'
import type { Simulator } from '../simulator.ts'
import { elements, respuesta } from '../soap/respuesta.ts'
import { soapDoors } from '../soap/service.ts'
import { uploadKey } from '../state/state.ts'
import { may } from '../taxpayers.ts'
import { estadoOf, GLOSAS } from '../uploads/stage.ts'

/** `getEstUp`: where an envelope stands and, once it was processed, how many documents of each tipo passed. */
export const ENVELOPE_STATUS_DOORS: readonly Door[] = soapDoors({
  door: 'envelope_status',
  name: 'QueryEstUp',
  hosts: ['maullin.sii.cl', 'palena.sii.cl'],
  path: '/DTEWS/QueryEstUp.jws',
  operations: [
    {
      name: 'getEstUp',
      parts: ['RutCompania', 'DvCompania', 'TrackId', 'Token'],
      answer: (ctx, [rut, digit, trackId = '', token = ''], { ambiente }) =>
        answer(ctx, joinRut(rut, digit), trackId.trim(), token, ambiente),
    },
  ],
})

function answer(ctx: Simulator, company: string | null, trackId: string, token: string, ambiente: Ambiente): string {
  const caller = callerOf(ctx, token, 'dte', ambiente)
  if (!caller.ok) return refused(caller.estado, caller.glosa)
  if (!company || !/^\d{1,15}$/.test(trackId)) return refused('-4', 'ERROR: DATOS')
  if (!may(ctx, caller.rut, 'enviar', company)) return refused('106', 'USUARIO NO AUTORIZADO EN LA EMPRESA')
  const upload = ctx.state.uploads.get(uploadKey(ambiente, trackId))
  // What the SII says of a track id that it does not have is (unverified).
  if (!upload || upload.company_rut !== company || upload.channel !== 'dte') {
    return respuesta(['RESP_HDR', elements(['ESTADO', '-11'], ['ERR_CODE', '2'], ['SQL_CODE', '0'], ['SRV_CODE', '1'])])
  }
  const estado = estadoOf(upload, ctx.clock.now())
  const header = elements(
    ['TRACKID', upload.track_id],
    ['ESTADO', estado],
    ['GLOSA', GLOSAS[estado] ?? estado],
    ['NUM_ATENCION', attention(ctx)],
  )
  const counters = estado === 'EPR' ? (upload.verdict?.counters ?? []) : []
  if (counters.length === 0) return respuesta(['RESP_HDR', header])
  const body = counters.map(({ tipo, informados, aceptados, rechazados, reparos }) =>
    elements(
      ['TIPO_DOCTO', tipo],
      ['INFORMADOS', informados],
      ['ACEPTADOS', aceptados],
      ['RECHAZADOS', rechazados],
      ['REPAROS', reparos],
    ),
  )
  // The body comes first, and is flat: runs of counters without anything around each.
  return respuesta(['RESP_BODY', body.join('')], ['RESP_HDR', header])
}

function refused(estado: string, glosa: string): string {
  return respuesta(['RESP_HDR', elements(['ESTADO', estado], ['GLOSA', glosa])])
}
