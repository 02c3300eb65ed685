import { callerOf } from '../auth/tokens.ts'
import { AEC_TEXTS, aecEstado, aecsOf, cesionesOf, receiveAec } from '../cesion/register.ts'
import { dayFirstStamp } from '../clock.ts'
import { type Answer, type Door, type DoorRequest, html } from '../door.ts'
import type { Ambiente, SiiHost } from '../hosts.ts'
import { findDocument } from '../register/documents.ts'
import { joinRut } from '../rut.ts'
import type { Simulator } from '../simulator.ts'
import { elements, respuesta } from '../soap/respuesta.ts'
import { soapDoors } from '../soap/service.ts'
import { uploadKey } from '../state/state.ts'
import type { SiiDocument } from '../state/types.ts'
import { belongsTo, may, taxpayerOf } from '../taxpayers.ts'
import { type Multipart, readMultipart } from '../uploads/multipart.ts'
import { occasionOf } from '../weather/occasion.ts'

const HOSTS: readonly SiiHost[] = ['maullin.sii.cl', 'palena.sii.cl']
const UPLOAD = 'cesion_upload'
/** An AEC may hold images of up to 3 MB (AEC_v10.xsd). */
const MAX_FILE = 16 * 1024 * 1024

type Outcome = { status: number; sender?: string; track_id?: string }

/** The register of cesiones: the upload of an AEC and the questions about it. */
export const CESION_DOORS: readonly Door[] = [
  {
    name: UPLOAD,
    hosts: HOSTS,
    method: 'POST',
    path: '/cgi_rtc/RTC/RTCAnotEnvio.cgi',
    max_bytes: MAX_FILE + 64 * 1024,
    async handle(ctx, request) {
      if (!request.headers['user-agent']?.includes('PROG 1.0'))
        return html('<HTML><HEAD><TITLE>Registro de Cesiones</TITLE></HEAD><BODY></BODY></HTML>')
      const form = await readMultipart(request, MAX_FILE)
      if (form === null) return reception(ctx, { fields: {}, file: null }, { status: 4 })
      return reception(ctx, form, judge(ctx, request, form))
    },
  },
  ...soapDoors({
    door: 'cesion_status',
    name: 'wsRPETCConsulta',
    hosts: HOSTS,
    path: '/DTEWS/services/wsRPETCConsulta',
    namespace: 'http://DefaultNamespace',
    operations: [
      { name: 'getEstEnvio', parts: ['Token', 'TrackId'], answer: envelope },
      // `IdCesion` may come after these, or stay away.
      { name: 'getEstCesion', parts: ['Token', 'RutEmisor', 'DVEmisor', 'TipoDoc', 'FolioDoc'], answer: ceded },
      {
        name: 'getEstCesionRelac',
        parts: ['Token', 'RutEmisor', 'DVEmisor', 'TipoDoc', 'FolioDoc', 'RutEmpresa', 'DVEmpresa'],
        answer: related,
      },
    ],
  }),
]

/** Status codes as in the manual Envío automático de AEC v1.0. */
function judge(ctx: Simulator, request: DoorRequest, { fields, file }: Multipart): Outcome {
  const { ambiente } = request
  const caller = callerOf(ctx, request.cookies.TOKEN ?? '', 'dte', ambiente)
  if (!caller.ok) return { status: 5 }
  const sender = caller.rut
  const company = joinRut(fields.rutCompany, fields.dvCompany)
  if (company === null || file === null || !fields.emailNotif) return { status: 4, sender }
  if (file.bytes.length < 50 || file.bytes.length > MAX_FILE) return { status: 2, sender }
  if (!taxpayerOf(ctx, company)?.authorised) return { status: 6, sender }
  if (!may(ctx, sender, 'enviar', company)) return { status: 1, sender }
  const scripts = ctx.scripts.take(occasionOf(UPLOAD, request), ['upload_status', 'verdict_delay', 'refuse'])
  const scripted = (kind: string) => scripts.find((script) => script.kind === kind)
  if (scripted('upload_status')) return { status: scripted('upload_status')?.status ?? 9, sender }
  const refusal = scripted('refuse')
  const upload = {
    ambiente,
    sender_rut: sender,
    company_rut: company,
    file_name: file.name,
    email: fields.emailNotif,
    refusal: refusal ? (refusal.finding ?? { code: 'RTC-3-905', glosa: 'Cesion rechazada', detail: null }) : null,
  }
  return {
    status: 0,
    sender,
    track_id: receiveAec(ctx, upload, file.bytes, scripted('verdict_delay')?.ms ?? ctx.settings().verdict_delay_ms),
  }
}

function reception(ctx: Simulator, { fields, file }: Multipart, { status, sender, track_id }: Outcome): Answer {
  const lines = [
    ['RUTSENDER', sender ?? '-'],
    ['RUTCOMPANY', `${fields.rutCompany ?? ''}-${fields.dvCompany ?? ''}`],
    ['FILE', file?.name ?? ''],
    ['TIMESTAMP', dayFirstStamp(ctx.clock.now())],
    ['STATUS', status],
    ...(track_id === undefined ? [] : [['TRACKID', track_id] as const]),
  ] as const
  const body = lines.map((line) => `${elements(line)}\n`).join('')
  return { type: 'text/xml', body: `<?xml version="1.0"?>\n<RECEPCIONAEC>\n${body}</RECEPCIONAEC>\n` }
}

function envelope(ctx: Simulator, [token = '', trackId = '']: readonly string[], { ambiente }: DoorRequest) {
  const refused = refusedToken(ctx, token, ambiente)
  if (refused !== null) return refused
  const upload = aecsOf(ctx).get(uploadKey(ambiente, trackId.trim()))
  if (upload === undefined) return header(2, 'Envio no encontrado')
  const estado = aecEstado(upload, ctx.clock.now())
  const body = elements(
    ['TRACKID', Number(upload.track_id)],
    ['ESTADO_ENVIO', estado],
    ['DESC_ESTADO', AEC_TEXTS[estado] ?? estado],
  )
  return respuesta(['RESP_HDR', elements(['SII:ESTADO', 0])], ['RESP_BODY', body])
}

function ceded(ctx: Simulator, args: readonly string[], { ambiente }: DoorRequest) {
  const refused = refusedToken(ctx, args[0] ?? '', ambiente)
  return refused ?? stateOf(ctx, documentAt(ctx, args, ambiente), args[5])
}

/** The same for one company that must have to do with the document; it comes as the last two arguments. */
function related(ctx: Simulator, args: readonly string[], { ambiente }: DoorRequest) {
  const refused = refusedToken(ctx, args[0] ?? '', ambiente)
  if (refused !== null) return refused
  const company = joinRut(args.at(-2), args.at(-1))
  if (company === null) return header(1, 'Error en los datos')
  const caller = callerOf(ctx, args[0] ?? '', 'dte', ambiente)
  if (!caller.ok || !belongsTo(ctx, caller.rut, company)) return header(10, 'Usuario sin permisos en la empresa')
  const document = documentAt(ctx, args, ambiente)
  if (document === null) return header(2, 'Documento no encontrado')
  const { emisor, receptor, tipo, folio } = document
  const holders = cesionesOf(ctx, ambiente, emisor, tipo, folio).flatMap(({ cedente, cesionario }) => [
    cedente,
    cesionario,
  ])
  if (![emisor, receptor, ...holders].includes(company)) return header(-15, 'Empresa no relacionada con el documento')
  return stateOf(ctx, document, args.length > 7 ? args[5] : undefined)
}

function stateOf(ctx: Simulator, document: SiiDocument | null, id: string | undefined): string {
  if (document === null) return header(2, 'Documento no encontrado')
  const cesiones = cesionesOf(ctx, document.ambiente, document.emisor, document.tipo, document.folio)
  const asked = id ? cesiones.filter(({ seq }) => seq === Number(id)) : cesiones
  return asked.length === 0 ? header(2, 'Documento No Cedido') : header(0, 'Documento Cedido')
}

function documentAt(ctx: Simulator, [, rut, digit, tipo, folio]: readonly string[], ambiente: Ambiente) {
  const emisor = joinRut(rut, digit)
  return emisor === null ? null : findDocument(ctx, ambiente, emisor, Number(tipo), Number(folio))
}

function refusedToken(ctx: Simulator, token: string, ambiente: Ambiente): string | null {
  const caller = callerOf(ctx, token, 'dte', ambiente)
  if (caller.ok) return null
  return caller.estado === '002' ? header(3, 'Token Inactivo') : header(4, 'Token No Existe')
}

function header(estado: number, glosa: string): string {
  return respuesta(['RESP_HDR', elements(['SII:ESTADO', estado], ['SII:GLOSA', glosa])], ['RESP_BODY', ''])
}
