import { newReview } from '../certification/declare.ts'
import { stateOf } from '../certification/pages.ts'
import { certificationOf, keepCertification, type Sample } from '../certification/register.ts'
import { MOST_BYTES, missingSamples, readSample, sampleName } from '../certification/samples.ts'
import { type Answer, type Door, html } from '../door.ts'
import { escapeMarkup } from '../markup.ts'
import { messagePage, portalPage } from '../portal/page.ts'
import { readMultipart } from '../uploads/multipart.ts'
import { type AppStep, app, refuse } from './certification-app.ts'

const NAME = 'certification_samples'
const TITLE = 'Muestras Impresas'
const STEP = 'DOCUMENTOS IMPRESOS'
const MAX_BODY = 4 * MOST_BYTES

/**
 * A stand-in for the browser application of printed samples (`pdfdteInternet`), whose calls nobody has published: all of
 * its addresses are invented. It decodes the stamp of each PDF and compares it with the document's.
 */
export const SAMPLE_DOORS: readonly Door[] = [
  { ...app(NAME, 'POST', '/pdfdteInternet/upload', (step) => inStep(step, take)), max_bytes: MAX_BODY },
  app(NAME, 'POST', '/pdfdteInternet/confirm', (step) => inStep(step, confirm)),
  app(NAME, 'GET', '/pdfdteInternet/status', status),
]

function inStep(step: AppStep, act: (step: AppStep) => Answer | Promise<Answer>): Answer | Promise<Answer> {
  const { step: here, samples_review } = step.certification
  if (here !== STEP) return refuse(`La empresa no se encuentra en el paso ${STEP}, sino en ${here}`)
  if (samples_review !== null && samples_review.code !== 'SRH') return status(step)
  return act(step)
}

async function take({ ctx, request, company }: AppStep): Promise<Answer> {
  const form = await readMultipart(request, MAX_BODY)
  if (form?.file == null) return refuse('El archivo no llegó completo')
  const read = await readSample(ctx, company.rut, form.file.bytes)
  if ('refusal' in read) return refuse(`${form.file.name}: ${read.refusal}`)
  // Decoding takes a while, in which another sample may have come.
  const certification = certificationOf(ctx, company.rut)
  if (certification === null) return refuse('La empresa no está inscrita en Postulación')
  const others = certification.samples.filter((one) => !read.samples.some((sample) => isSame(one, sample)))
  keepCertification(ctx, { ...certification, samples: [...others, ...read.samples] })
  return html(messagePage(TITLE, `Recibido: ${read.samples.map(sampleName).join(', ')}`))
}

const isSame = (one: Sample, other: Sample) =>
  one.tipo === other.tipo && one.folio === other.folio && one.cedible === other.cedible

function confirm({ ctx, request, company, certification }: AppStep): Answer {
  const missing = missingSamples(ctx, certification)
  if (missing.length > 0) return refuse(`Faltan muestras impresas: ${missing.join(', ')}`)
  const samples_review = newReview(ctx, request, company.rut, null, { door: NAME, label: STEP })
  keepCertification(ctx, { ...certification, samples_review })
  return html(messagePage(TITLE, 'Las muestras impresas quedaron EN REVISION'))
}

function status({ ctx, certification }: AppStep): Answer {
  const review = certification.samples_review
  const missing = review === null ? missingSamples(ctx, certification) : []
  const lines = [...(review?.refusals ?? []), ...missing.map((name) => `Falta ${name}`)]
  return html(
    portalPage(
      TITLE,
      `<p><b>${stateOf(review ?? undefined).words}</b></p>\n${lines.map((line) => `<p>${escapeMarkup(line)}</p>`).join('\n')}`,
    ),
  )
}
