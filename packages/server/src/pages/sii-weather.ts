import type { Answer } from '../kernel/answer.ts'
import type {
  ServiceWeather,
  SiiServiceName,
  SiiState,
  VerdictPace,
  Weather,
  WeatherPoint,
  WeatherReport,
} from '../ports/sii-weather.ts'
import { type Html, html, trusted } from './html.ts'
import { pageAnswer } from './layout.ts'

const NAMES: Readonly<Record<SiiServiceName, string>> = {
  dte: 'Envío y consulta de facturas, folios y cesiones',
  boleta_api: 'Consulta de boletas',
  boleta_upload: 'Envío de boletas',
  claims: 'Aceptación y reclamo',
  login_certificate: 'Ingreso con certificado',
  login_clave: 'Ingreso con clave',
  portal: 'Registro de compras y ventas, F29',
  mipyme: 'Facturación gratuita',
}

const STATES: Readonly<Record<SiiState, string>> = {
  up: 'Responde bien',
  degraded: 'Con problemas',
  down: 'No responde',
  unknown: 'Sin consultas en la última hora',
}

const COLOURS: Readonly<Record<SiiState, string>> = {
  up: '#2e7d32',
  degraded: '#b26a00',
  down: '#b3261e',
  unknown: '#777777',
}

const AMBIENTES = { produccion: 'Producción', certificacion: 'Certificación' } as const

const decimal = (value: number) => value.toLocaleString('es-CL', { maximumFractionDigits: 1 })

function duration(ms: number | null): string {
  if (ms === null) return '–'
  if (ms < 1_000) return `${ms} ms`
  if (ms < 120_000) return `${decimal(ms / 1_000)} s`
  return ms < 7_200_000 ? `${decimal(ms / 60_000)} min` : `${decimal(ms / 3_600_000)} h`
}

const WIDTH = 480
const HEIGHT = 60

/** Failures in red from the top, the mean time of an answer as a line: a gap is a time in which nobody asked. */
function plot(points: readonly WeatherPoint[], { from, to, label }: { from: number; to: number; label: string }): Html {
  if (points.length === 0) return html`<p class="soft small">${label}: sin consultas.</p>`
  const highest = Math.max(...points.map(({ mean_ms }) => mean_ms), 1)
  const x = ({ at }: WeatherPoint) => (((at.getTime() - from) / (to - from)) * WIDTH).toFixed(1)
  const y = ({ mean_ms }: WeatherPoint) => (HEIGHT - 4 - (mean_ms / highest) * (HEIGHT - 8)).toFixed(1)
  const bars = points
    .filter(({ failures }) => failures > 0)
    .map((point) => {
      const height = ((point.failures / point.calls) * HEIGHT).toFixed(1)
      return `<rect x="${x(point)}" y="0" width="3" height="${height}" fill="#b3261e" opacity=".6"/>`
    })
  const line = points.map((point) => `${x(point)},${y(point)}`).join(' ')
  const dots = points.length === 1 ? `<circle cx="${line.split(',')[0]}" cy="${line.split(',')[1]}" r="2"/>` : ''
  const [calls, failures] = [sum(points, 'calls'), sum(points, 'failures')]
  const told = `${label}: ${calls} consultas, ${failures} sin respuesta, a lo más ${duration(highest)} en promedio`
  return html`<figure><svg viewBox="0 0 ${WIDTH} ${HEIGHT}" preserveAspectRatio="none" width="100%" height="${HEIGHT}" role="img" aria-label="${told}">
${trusted(`${bars.join('')}<polyline points="${line}" fill="none" stroke="currentColor" stroke-width="1.5"/>${dots}`)}
</svg><figcaption class="soft small">${told}.</figcaption></figure>`
}

const sum = (points: readonly WeatherPoint[], of: 'calls' | 'failures') =>
  points.reduce((total, point) => total + point[of], 0)

function serviceOf(service: ServiceWeather, now: number): Html {
  const { state, calls, failures, p50_ms, p95_ms } = service
  return html`<section>
<h3><svg width="12" height="12" aria-hidden="true"><circle cx="6" cy="6" r="5" fill="${COLOURS[state]}"/></svg> ${NAMES[service.service]}</h3>
<p>${STATES[state]}.${calls > 0 && html` En la última hora, ${calls} ${calls === 1 ? 'consulta' : 'consultas'}, ${failures} sin respuesta; la mitad en menos de ${duration(p50_ms)}, casi todas en menos de ${duration(p95_ms)}.`}</p>
${plot(service.day, { from: now - 86_400_000, to: now, label: 'Últimas 24 horas' })}
${plot(service.month, { from: now - 30 * 86_400_000, to: now, label: 'Últimos 30 días' })}
</section>`
}

function paceOf(name: string, { documents, p50_seconds, p95_seconds }: VerdictPace): Html {
  if (documents === 0) return html`<li>${name}: ninguna en las últimas 24 horas.</li>`
  const ms = (seconds: number | null) => duration(seconds === null ? null : seconds * 1000)
  return html`<li>${name}: ${documents} en 24 horas; la mitad en menos de ${ms(p50_seconds)}, casi todas en menos de ${ms(p95_seconds)}.</li>`
}

function environmentOf({ ambiente, services, verdicts }: Weather, now: number): Html {
  const known = services.filter(({ month, day }) => month.length > 0 || day.length > 0)
  return html`<h2>${AMBIENTES[ambiente]}</h2>
${
  known.length === 0
    ? html`<p>Todavía no hemos consultado al SII en este ambiente.</p>`
    : html`<p>Del envío a la respuesta del SII:</p><ul>${paceOf('Facturas, guías y notas', verdicts.dte)}${paceOf('Boletas', verdicts.boleta)}</ul>
${known.map((service) => serviceOf(service, now))}`
}`
}

/** How the SII answers, for whoever wonders whether it is the SII or us. */
export function siiWeatherPage({ measured_at, weather }: WeatherReport): Answer {
  const now = measured_at.getTime()
  const time = measured_at.toLocaleString('es-CL', {
    timeZone: 'America/Santiago',
    dateStyle: 'long',
    timeStyle: 'short',
  })
  return pageAnswer({
    title: 'Cómo responde el SII',
    lang: 'es-CL',
    description: 'Disponibilidad y demora de los servicios del SII, medidas por nosotros.',
    body: html`<h1>Cómo responde el SII</h1>
<p class="lead">Lo que medimos en nuestras propias consultas al SII: cuánto tarda cada servicio, cuándo no responde y cuánto demora en revisar un documento. La línea es el tiempo de respuesta; el rojo, lo que quedó sin respuesta.</p>
${weather.map((environment) => environmentOf(environment, now))}
<p class="soft small">Medido el ${time}, hora de Santiago. Los mismos datos, para programas, en <a href="/v1/sii/status">/v1/sii/status</a>.</p>`,
  })
}
