import { callerOf } from '../auth/tokens.ts'
import type { Door, DoorRequest } from '../door.ts'
import { joinRut } from '../rut.ts'
import type { Simulator } from '../simulator.ts'
import { elements, respuesta } from '../soap/respuesta.ts'
import { soapDoors } from '../soap/service.ts'
import { uploadKey } from '../state/state.ts'
import { may } from '../taxpayers.ts'
import { queueResultMail } from '../uploads/result-mail.ts'

/** `reenvioCorreo`: sends the e-mail with the result of an envelope again. The words of its answers are ours. */
export const CORREO_DOORS: readonly Door[] = soapDoors({
  door: 'correo',
  name: 'wsDTECorreo',
  hosts: ['maullin.sii.cl', 'palena.sii.cl'],
  path: '/DTEWS/services/wsDTECorreo',
  operations: [
    { name: 'reenvioCorreo', parts: ['Token', 'RutEmpresa', 'DvEmpresa', 'TrackId'], answer: resend },
    { name: 'getEnv', parts: [], answer: (_ctx, _args, { ambiente }) => ambiente },
  ],
})

function resend(
  ctx: Simulator,
  [token = '', rut, digit, trackId = '']: readonly string[],
  { ambiente }: DoorRequest,
): string {
  const caller = callerOf(ctx, token, 'dte', ambiente)
  if (!caller.ok) return header(caller.estado, caller.glosa)
  const company = joinRut(rut, digit)
  if (company === null) return header('-4', 'ERROR: DATOS')
  if (!may(ctx, caller.rut, 'enviar', company)) return header('106', 'USUARIO NO AUTORIZADO EN LA EMPRESA')
  const upload = ctx.state.uploads.get(uploadKey(ambiente, trackId.trim()))
  if (upload === undefined || upload.company_rut !== company) return header('-11', 'ENVIO NO ENCONTRADO')
  if (upload.verdict === null) return header('1', 'ENVIO AUN NO PROCESADO')
  queueResultMail(ctx, upload)
  return header('0', 'CORREO REENVIADO')
}

function header(estado: string, glosa: string): string {
  return respuesta(['RESP_HDR', elements(['ESTADO', estado], ['GLOSA', glosa])])
}
