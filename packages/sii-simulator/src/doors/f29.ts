import { dayFirstStamp, santiago } from '../clock.ts'
import { type Answer, type Door, type DoorRequest, json } from '../door.ts'
import { FILING_STATES, filingOf, previousPeriod } from '../f29/filings.ts'
import { proposeF29 } from '../f29/proposal.ts'
import { isCall, readFacadeCall, textIn } from '../facade/call.ts'
import { purchasesOf, salesOf } from '../register/documents.ts'
import { joinRut } from '../rut.ts'
import type { Simulator } from '../simulator.ts'

const NAMESPACE = 'cl.sii.sdi.lob.iva.propuestaf29.data.api.interfaces.'
const INTERFACES: ReadonlyMap<string, string> = new Map([
  ['facadeService', 'FacadeService'],
  ['facadeAdapterService', 'FacadeAdapterService'],
  ['riacFacadeService', 'RiacFacadeService'],
])
const PPM_RATE = '0.125'

/** The proposal of the F29 and what was filed. The company is the session: it must be its own. */
export const F29_DOORS: readonly Door[] = [
  {
    name: 'f29',
    hosts: ['www4.sii.cl'],
    method: 'POST',
    path: /\/propuestaf29ui\/services\/data\/(?<service>\w+)\/(?<method>\w+)/,
    handle: answer,
  },
]

interface Question {
  readonly ctx: Simulator
  readonly rut: string
  readonly data: Readonly<Record<string, unknown>>
  /** `AAAAMM` of `mes` and `anno`, which travel apart as text. */
  readonly period: string
}

/** Each says which field names the company; those without take the session's. */
const METHODS: Readonly<Record<string, { rut?: string; form?: string; answer: (question: Question) => unknown }>> = {
  getPeriodosF29: { answer: periods },
  getDeclaracionConEstados: { rut: 'rut', form: 'formId', answer: filed },
  getDeclaracionConCondicionesYTipoPropuesta: { rut: 'rutContribuyente', form: 'formCodigo', answer: proposal },
  getTasaPPMO: { rut: 'rutContribuyente', answer: ppmRate },
  getPpmEnPlazo: { rut: 'rut', form: 'formId', answer: () => 'S' },
  getComplementosAsistentes: { answer: () => [] },
  getBoletasHonorario: { answer: () => [] },
  getDeclaracionVigente: {
    answer: ({ ctx, rut, data }) => ({ existe: filingOf(ctx, rut, textIn(data, 'periodo')) !== null }),
  },
}

/** They exist and nobody outside has seen what they take: to answer as if they worked would be a guess. */
const WRITES: readonly string[] = [
  'guardarDeclaracion',
  'guardarPropuesta',
  'guardarBorradorIntentoPago',
  'declaracionSinPago',
  'crearPagoPec',
]

function answer(ctx: Simulator, request: DoorRequest): Answer {
  const { service = '', method = '' } = request.params
  const call = readFacadeCall(ctx, request, false)
  if (!isCall(call)) return call
  const namespace = `${NAMESPACE}${INTERFACES.get(service) ?? service}/${method}`
  const refuse = (description: string) =>
    json({ data: null, metaData: { namespace, errors: [{ id: '0', descripcion: description }] } })
  if (call.namespace !== namespace) return refuse(`Namespace invalido, se esperaba ${namespace}`)
  if (WRITES.includes(method)) return refuse(`${method}: su contrato no es público y el simulador no lo inventa`)
  const known = Object.hasOwn(METHODS, method) ? METHODS[method] : undefined
  if (known === undefined) return refuse(`Metodo ${method} no existe`)
  const { data } = call
  const rut = known.rut === undefined ? call.person : joinRut(textIn(data, known.rut), textIn(data, 'dv'))
  if (rut === null || rut !== call.person)
    return refuse(`Ocurrio un error de negocio. Consulta RUT[${textIn(data, known.rut ?? 'rut')}] no esta autorizado`)
  if (known.form !== undefined && textIn(data, known.form) !== '2')
    return refuse(`Ocurrio un error de negocio. Formulario ${textIn(data, known.form)} no existe`)
  const period = `${textIn(data, 'anno')}${textIn(data, 'mes').padStart(2, '0')}`
  return json({ data: known.answer({ ctx, rut, data, period }), metaData: { namespace, errors: null } })
}

/** The months that may be declared: the last three years up to the last one that ended. */
function periods({ ctx }: Question) {
  const today = santiago(ctx.clock.now()).date
  const last = previousPeriod(today.slice(0, 7).replace('-', ''))
  const [year, month] = [Number(last.slice(0, 4)), Number(last.slice(4))]
  return {
    mesDesde: month,
    yearDesde: year - 3,
    mesHasta: month,
    yearHasta: year,
    periodoData: [{ formularioId: 2, version: 2 }],
  }
}

function filed({ ctx, rut, period }: Question) {
  const filing = filingOf(ctx, rut, period)
  if (filing === null) return []
  return [
    {
      estadoDeclaracionId: filing.estado,
      monto: filing.monto,
      folio: filing.folio,
      estado: FILING_STATES[filing.estado] ?? null,
      declFechaCreacion: dayFirstStamp(filing.at, '/'),
      enNegocio: null,
      codigo: null,
      tingcodingreso: null,
    },
  ]
}

function codesOf({ ctx, rut, period }: Question): Readonly<Record<string, string>> {
  return proposeF29({
    sales: salesOf(ctx, rut).filter((entry) => entry.period === period),
    purchases: purchasesOf(ctx, rut).filter((entry) => entry.period === period && entry.state === 'REGISTRO'),
    carried: filingOf(ctx, rut, previousPeriod(period))?.remanente ?? 0,
    ppm_rate: PPM_RATE,
  })
}

/** Codes that a proposal always brings; the others only where they say something. */
const ALWAYS: readonly string[] = ['115', '504', '511', '519', '520', '562', '563', '584']

function proposal(question: Question) {
  const codes = Object.entries(codesOf(question))
    .filter(([code, value]) => ALWAYS.includes(code) || value !== '0')
    .map(([codigo, valor]) => ({ codigo, valor }))
  return {
    listCodPropuestos: codes,
    listCodAdministrativos: [],
    listCodBase: [{ codigo: '15', valor: question.period }],
    tipopropuesta: 40,
    tipopropuestadescrip: null,
    listCondiciones: [],
    complementoDetalleDTE: true,
    documentosDelGiro: true,
    estado: 0,
  }
}

function ppmRate(question: Question) {
  const codes = codesOf(question)
  return {
    cod750: null,
    cod563: codes[563],
    cod115: PPM_RATE,
    cod62: codes[62],
    tasaIDPC: null,
    periodo: question.period,
    fueraDePlazo: false,
  }
}
