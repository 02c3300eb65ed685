import { callerOf } from '../auth/tokens.ts'
import { dayFirstStamp, isoStamp } from '../clock.ts'
import { documentEstado, ESTADOS } from '../documents/estado.ts'
import { type Answer, type Door, type DoorRequest, json, text } from '../door.ts'
import type { SiiHost } from '../hosts.ts'
import { joinRut } from '../rut.ts'
import type { Simulator } from '../simulator.ts'
import { fault } from '../soap/service.ts'
import { uploadKey } from '../state/state.ts'
import type { DocumentVerdict, Finding } from '../state/types.ts'
import { may, standingOf, taxpayerOf } from '../taxpayers.ts'
import { readMultipart } from '../uploads/multipart.ts'
import { receiveUpload } from '../uploads/receive.ts'
import { estadoOf } from '../uploads/stage.ts'
import { occasionOf } from '../weather/occasion.ts'

const UPLOAD = 'boleta_upload'
const UPLOAD_PATH = '/recursos/v1/boleta.electronica.envio'
const MAX_FILE = 8 * 1024 * 1024
const API: readonly SiiHost[] = ['apicert.sii.cl', 'api.sii.cl']

/** The boleta channel: JSON answers, refusals in plain text, reasons folio by folio in the status itself. */
export const BOLETA_DOORS: readonly Door[] = [
  {
    name: UPLOAD,
    hosts: ['pangal.sii.cl', 'rahue.sii.cl'],
    method: 'POST',
    path: UPLOAD_PATH,
    max_bytes: MAX_FILE + 64 * 1024,
    handle: upload,
  },
  {
    // The upload at the wrong host: what it says misleads, and so it does here.
    name: UPLOAD,
    hosts: API,
    method: 'POST',
    path: UPLOAD_PATH,
    max_bytes: MAX_FILE + 64 * 1024,
    handle: () => fault('soapenv:Server', 'Acceso Denegado'),
  },
  {
    name: 'boleta_envelope_status',
    hosts: API,
    method: 'GET',
    path: /\/recursos\/v1\/boleta\.electronica\.envio\/(?<rut>\d{1,8})-(?<dv>[\dkK])-(?<track>\d{1,15})/,
    handle: envelopeStatus,
  },
  {
    name: 'boleta_status',
    hosts: API,
    method: 'GET',
    path: /\/recursos\/v1\/boleta\.electronica\/(?<rut>\d{1,8})-(?<dv>[\dkK])-(?<tipo>\d{1,3})-(?<folio>\d{1,10})\/estado/,
    handle: documentStatus,
  },
]

async function upload(ctx: Simulator, request: DoorRequest): Promise<Answer> {
  const { ambiente } = request
  const token = request.cookies.TOKEN
  if (!token) return text('No trae TOKEN', 400)
  // Seen: with a good token, another agent than this is not let in.
  if (!request.headers['user-agent']?.includes('PROG 1.0')) return unauthorised()
  const caller = callerOf(ctx, token, 'boleta', ambiente)
  if (!caller.ok) return unauthorised()
  const form = await readMultipart(request, MAX_FILE)
  const sender_rut = joinRut(form?.fields.rutSender, form?.fields.dvSender)
  const company_rut = joinRut(form?.fields.rutCompany, form?.fields.dvCompany)
  // The words of these refusals are ours.
  if (!form?.file || !sender_rut || !company_rut) return text('Faltan parametros', 400)
  const { name: file_name, bytes: file } = form.file
  if (file.length === 0 || file.length > MAX_FILE) return text('Tamano de archivo no permitido', 400)
  const taxpayer = taxpayerOf(ctx, company_rut)
  if (taxpayer === null || !standingOf(taxpayer, ambiente).authorised)
    return text('Empresa no autorizada a enviar', 401)
  if (sender_rut !== caller.rut || !may(ctx, sender_rut, 'enviar', company_rut)) {
    return text('Rut que envia no autorizado en la empresa', 401)
  }
  const occasion = occasionOf(UPLOAD, request)
  const scripted = ctx.scripts.take(occasion, ['upload_status'])[0]
  // Its statuses are those of HTTP; a STATUS of the other door is none.
  if (scripted) return text('Error', (scripted.status ?? 0) < 400 ? 500 : (scripted.status ?? 500))
  const kind = 'EnvioBOLETA' as const
  const received = { ambiente, channel: 'boleta' as const, kind, sender_rut, company_rut, file_name, file }
  const { track_id } = receiveUpload(ctx, received, occasion)
  return answered({
    rut_emisor: company_rut,
    rut_envia: sender_rut,
    trackid: Number(track_id),
    fecha_recepcion: isoStamp(ctx.clock.now()),
    estado: 'REC',
    file: file_name,
  })
}

function envelopeStatus(ctx: Simulator, request: DoorRequest): Answer {
  const { ambiente, params, cookies } = request
  const caller = callerOf(ctx, cookies.TOKEN ?? '', 'boleta', ambiente)
  if (!caller.ok) return unauthorised()
  const company = joinRut(params.rut, params.dv)
  const upload = ctx.state.uploads.get(uploadKey(ambiente, params.track ?? ''))
  if (!upload || upload.company_rut !== company || upload.channel !== 'boleta') return text('No existe el envio', 404)
  if (!may(ctx, caller.rut, 'enviar', upload.company_rut)) return unauthorised()
  const estado = estadoOf(upload, ctx.clock.now())
  const remarked = (upload.verdict?.documents ?? []).filter(({ findings }) => findings.length > 0)
  const counters = estado === 'EPR' ? (upload.verdict?.counters ?? []) : []
  return answered({
    rut_emisor: upload.company_rut,
    rut_envia: upload.sender_rut,
    trackid: Number(upload.track_id),
    fecha_recepcion: dayFirstStamp(upload.received_at, '/'),
    estado,
    estadistica: counters,
    detalle_rep_rech: remarked.length > 0 ? remarked.map(remarkOf) : null,
  })
}

function remarkOf({ tipo, folio, outcome, findings }: DocumentVerdict) {
  const [estado, descripcion] = outcome === 'rejected' ? ['RCH', 'Dte Rechazado'] : ['RPR', 'Dte Aceptado con reparos']
  return { tipo, folio, estado, descripcion, error: findings.map(errorOf) }
}

/** `DTE-3-505` is section, level and number; lines are not counted here. */
function errorOf({ code, glosa, detail }: Finding) {
  const [seccion = '', nivel = '0', codigo = '0'] = code.split('-')
  return { seccion, linea: 0, nivel: Number(nivel), codigo: Number(codigo), descripcion: glosa, detalle: detail ?? '' }
}

function documentStatus(ctx: Simulator, request: DoorRequest): Answer {
  const { ambiente, params, query, cookies } = request
  const caller = callerOf(ctx, cookies.TOKEN ?? '', 'boleta', ambiente)
  if (!caller.ok) return unauthorised()
  const emisor = joinRut(params.rut, params.dv)
  const date = /^(\d{2})-(\d{2})-(\d{4})$/.exec(query.get('fechaEmision') ?? '')
  const monto = query.get('monto') ?? ''
  if (!emisor || !date || !/^\d{1,18}$/.test(monto)) return text('Parametros invalidos', 400)
  const { estado } = documentEstado(ctx, {
    ambiente,
    emisor,
    tipo: Number(params.tipo),
    folio: Number(params.folio),
    receptor: joinRut(query.get('rut_receptor'), query.get('dv_receptor')),
    fecha: `${date[3]}-${date[2]}-${date[1]}`,
    monto: Number(monto),
    signature_value: null,
  })
  return answered({ codigo: estado, descripcion: `${ESTADOS[estado][2]}.` })
}

function unauthorised(): Answer {
  return text('NO ESTA AUTENTICADO', 401)
}

/** The service tells how much of an allowance is left; it is not enforced here. */
function answered(value: unknown): Answer {
  return { ...json(value), headers: { 'X-RateLimit-Limit': '600', 'X-RateLimit-Remaining': '599' } }
}
