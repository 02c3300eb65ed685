import { ANSWERS, checkAnswer } from '../certification/check-answers.ts'
import { newReview } from '../certification/declare.ts'
import { makeExchange } from '../certification/exchange.ts'
import { keepCertification } from '../certification/register.ts'
import { type Answer, type Door, html } from '../door.ts'
import { messagePage } from '../portal/page.ts'
import { may } from '../taxpayers.ts'
import { readMultipart } from '../uploads/multipart.ts'
import { openTrust } from '../verify/certificate.ts'
import { type AppStep, app, inApplication, refuse } from './certification-app.ts'

const MAX_FILE = 1024 * 1024
const NAME = 'certification_exchange'
const TITLE = 'Intercambio de Información'
/** Said again of what was approved before: nothing that comes later takes its place. */
const APPROVED = 'Los archivos de respuesta fueron recibidos. REVISADO CONFORME'
const STEP = 'INTERCAMBIO DE INFORMACION'

/**
 * The application of the exchange at www4. That it hands out an envelope, takes three files and a confirmation is
 * known; what its calls answer is ours.
 */
export const EXCHANGE_DOORS: readonly Door[] = [
  app(NAME, 'GET', '/pfeInternet/downloadFile', (step) => inStep(step, download)),
  ...ANSWERS.map((_, at) =>
    app(NAME, 'POST', `/pfeInternet/uploadFile${at + 1}`, (step) => inStep(step, (known) => take(known, at + 1))),
  ),
  app(NAME, 'POST', '/pfeInternet/confirm', (step) => inStep(step, confirm)),
]

function inStep(step: AppStep, act: (step: AppStep) => Answer | Promise<Answer>): Answer | Promise<Answer> {
  if (step.certification.step !== STEP)
    return refuse(`La empresa no se encuentra en el paso ${STEP}, sino en ${step.certification.step}`)
  return act(step)
}

/** The same envelope each time, until it was answered well. */
async function download({ ctx, company, ...step }: AppStep): Promise<Answer> {
  const made = step.certification.exchange ?? (await makeExchange(ctx, company))
  const { certification } = inApplication(ctx, company.rut) ?? step
  // Another request may have made one meanwhile: the first one stands.
  const exchange = certification.exchange ?? made
  keepCertification(ctx, { ...certification, exchange })
  return {
    type: 'text/xml; charset=iso-8859-1',
    headers: { 'Content-Disposition': `attachment; filename="ENVIO_DTE_${exchange.own.folio}.xml"` },
    body: Buffer.from(exchange.xml, 'latin1'),
  }
}

async function take({ ctx, request, company, certification }: AppStep, number: number): Promise<Answer> {
  const { exchange } = certification
  if (exchange === null) return refuse('Debe descargar primero el set de intercambio')
  if (exchange.approved_at !== null) return html(messagePage(TITLE, APPROVED))
  const form = await readMultipart(request, MAX_FILE)
  if (form?.file == null || form.file.bytes.length === 0 || form.file.bytes.length > MAX_FILE)
    return refuse('El archivo no llegó completo')
  const xml = Buffer.from(form.file.bytes).toString('latin1')
  const answers = { ...exchange.answers, [number]: xml }
  keepCertification(ctx, { ...certification, exchange: { ...exchange, answers } })
  return html(messagePage(TITLE, `Archivo ${ANSWERS[number - 1]} de ${company.rut} recibido`))
}

/** Looks at the three files together; what is wrong can be sent again. */
function confirm({ ctx, request, company, certification }: AppStep): Answer {
  const { exchange } = certification
  if (exchange === null) return refuse('Debe descargar primero el set de intercambio')
  if (exchange.approved_at !== null) return html(messagePage(TITLE, APPROVED))
  const readCertificate = openTrust(ctx.trusted)
  const court = {
    company: company.rut,
    readCertificate,
    maySign: (rut: string) => may(ctx, rut, 'firmar', company.rut),
  }
  const scripted = newReview(ctx, request, company.rut, null, { door: NAME, label: STEP }).scripted
  const refusals = ANSWERS.flatMap((name, at) => {
    const xml = exchange.answers[at + 1]
    return xml === undefined
      ? [`${name} - Falta el archivo`]
      : checkAnswer(at + 1, Buffer.from(xml, 'latin1'), exchange, court)
  })
  if (scripted !== null) refusals.push(scripted)
  const approved_at = refusals.length === 0 ? ctx.clock.now() : null
  keepCertification(ctx, { ...certification, exchange: { ...exchange, refusals, approved_at } })
  return approved_at === null ? refuse(`RECHAZADO: ${refusals.join('. ')}`) : html(messagePage(TITLE, APPROVED))
}
