import { callerOf } from '../auth/tokens.ts'
import { isoStamp } from '../clock.ts'
import { type Answer, type Door, type DoorRequest, html } from '../door.ts'
import { joinRut } from '../rut.ts'
import type { Simulator } from '../simulator.ts'
import { elements } from '../soap/respuesta.ts'
import { may, standingOf, taxpayerOf } from '../taxpayers.ts'
import { type Multipart, readMultipart } from '../uploads/multipart.ts'
import { receiveUpload } from '../uploads/receive.ts'
import { readRoot } from '../uploads/root.ts'
import { occasionOf } from '../weather/occasion.ts'

const NAME = 'dte_upload'
const MAX_FILE = 24 * 1024 * 1024
const MIN_FILE = 50

/** What the upload answers besides the RUTs and the file's name. */
type Outcome = { status: number; track_id?: string; errors?: readonly string[] }

export const DTE_UPLOAD_DOOR: Door = {
  name: NAME,
  hosts: ['maullin.sii.cl', 'palena.sii.cl'],
  method: 'POST',
  path: '/cgi_dte/UPL/DTEUpload',
  max_bytes: MAX_FILE + 64 * 1024,
  async handle(ctx, request) {
    // The upload manual: this agent is what makes the answer XML; a browser gets pages.
    if (!request.headers['user-agent']?.includes('PROG 1.0') || !request.cookies.TOKEN) return noSession()
    const form = await readMultipart(request, MAX_FILE)
    if (!form) return receptionOf(ctx, { fields: {}, file: null }, { status: 3 })
    return receptionOf(ctx, form, judge(ctx, request, form, request.cookies.TOKEN))
  },
}

/** Status codes as in the upload manual 1.5; 4, missing parameters, is only told for AEC files (unverified here). */
function judge(ctx: Simulator, request: DoorRequest, form: Multipart, token: string): Outcome {
  const { ambiente } = request
  const caller = callerOf(ctx, token, 'dte', ambiente)
  if (!caller.ok) return { status: 5 }
  const sender = joinRut(form.fields.rutSender, form.fields.dvSender)
  const company = joinRut(form.fields.rutCompany, form.fields.dvCompany)
  if (!sender || !company || !form.file) return { status: 4 }
  const { bytes: file, name: file_name } = form.file
  if (file.length < MIN_FILE || file.length > MAX_FILE) return { status: 2 }
  const taxpayer = taxpayerOf(ctx, company)
  if (taxpayer === null || !standingOf(taxpayer, ambiente).authorised) return { status: 6 }
  if (sender !== caller.rut || !may(ctx, sender, 'enviar', company)) return { status: 1 }
  const occasion = occasionOf(NAME, request)
  const scripted = ctx.scripts.take(occasion, ['upload_status'])[0]
  if (scripted) return { status: scripted.status ?? 9 }
  const root = readRoot(file)
  if (!root.ok) return root
  // Boletas come this way only for their certification sets; in producción they have their own door.
  if (root.kind === 'EnvioBOLETA' && ambiente === 'produccion') {
    return { status: 7, errors: ['SCH-00001: schema EnvioBOLETA_v11.xsd is not accepted here'] }
  }
  const { kind } = root
  const received = {
    ambiente,
    channel: 'dte' as const,
    kind,
    sender_rut: sender,
    company_rut: company,
    file_name,
    file,
  }
  const reception = receiveUpload(ctx, received, occasion)
  if (!reception.duplicate) return { status: 0, track_id: reception.track_id }
  const { times, track_id } = reception
  return { status: 99, errors: [`Archivo ya fue enviado ${times} veces con Trackid ${track_id}`] }
}

function noSession(): Answer {
  return html(
    '<HTML> <HEAD> <TITLE>Error 501</TITLE> </HEAD> <BODY> <div align="center"><center> <table border="0" width="630"> <tr> <td colspan="2"></td></tr></table></center></div></BODY></HTML>',
  )
}

function receptionOf(ctx: Simulator, { fields, file }: Multipart, outcome: Outcome): Answer {
  const line = (name: string, value: string | number) => `${elements([name, value])}\n`
  const errors = (outcome.errors ?? []).map((error) => line('ERROR', error)).join('')
  const body =
    line('RUTSENDER', `${fields.rutSender ?? ''}-${fields.dvSender ?? ''}`) +
    line('RUTCOMPANY', `${fields.rutCompany ?? ''}-${fields.dvCompany ?? ''}`) +
    line('FILE', file?.name ?? '') +
    line('TIMESTAMP', isoStamp(ctx.clock.now())) +
    line('STATUS', outcome.status) +
    (outcome.track_id ? line('TRACKID', outcome.track_id) : '') +
    (errors ? `<DETAIL>\n${errors}</DETAIL>\n` : '')
  return { type: 'text/xml', body: `<?xml version="1.0" ?>\n<RECEPCIONDTE>\n${body}</RECEPCIONDTE>\n` }
}
