import { isFaulty, newReview } from '../certification/declare.ts'
import { makeSet } from '../certification/make-set.ts'
import { stateOf } from '../certification/pages.ts'
import { readEnvelope } from '../certification/read-set-document.ts'
import {
  type BoletaCertification,
  boletaCertificationOf,
  boletaCertificationsOf,
  isExpired,
  keepBoletas,
  nextAttentions,
  remind,
} from '../certification/register.ts'
import { declaredUpload, fileOf } from '../certification/review.ts'
import { boletaLabel } from '../certification/set.ts'
import { writeBoletaSet } from '../certification/write-set.ts'
import { type Answer, type Door, html } from '../door.ts'
import { formOf } from '../form-body.ts'
import { escapeMarkup } from '../markup.ts'
import { messagePage, portalPage } from '../portal/page.ts'
import { openToCertify, represents } from '../taxpayers.ts'
import { type OpenStep, openApp, refuse } from './certification-app.ts'

const NAME = 'certification_boletas'
const TITLE = 'Certificación de Boleta Electrónica'
const ROOT = '/certBolElectDteInternet/'

/**
 * A stand-in for the browser application that certifies boletas. Its two addresses (`?SET=1`, `?SET=2`) and the states
 * P90 and P91 are known; what is asked and answered there is invented.
 */
export const BOLETA_CERTIFICATION_DOORS: readonly Door[] = [
  openApp(NAME, 'POST', ROOT, (step) => (step.request.query.get('SET') === '1' ? handOut(step) : askReview(step))),
  openApp(NAME, 'GET', ROOT, status),
  openApp(NAME, 'POST', `${ROOT}declare`, declareCompliance),
]

/** A set for boletas or for exempt ones. Asking for it opens the tipo in certificación. */
function handOut({ ctx, request, company }: OpenStep): Answer {
  const form = formOf(request)
  const tipo = Number(form.get('tipo'))
  if (tipo !== 39 && tipo !== 41) return refuse('Debe elegir el set de boleta afecta o exenta')
  const mail = (form.get('mail') ?? '').trim().slice(0, 254)
  if (!mail.includes('@')) return refuse('Debe ingresar el correo del proveedor de software')
  const before = boletaCertificationOf(ctx, company.rut, tipo)
  if (before?.step === 'P91') return refuse('La empresa ya declaró el cumplimiento para este documento')
  // What was approved is not voided by a second press of the button.
  if (before?.step === 'P90') return refuse(`El set ya está ${stateOf(before.review ?? undefined).words}`)
  const set = makeSet({
    rut: company.rut,
    request: (before?.set.request ?? 0) + 1,
    at: ctx.clock.now(),
    kinds: [tipo === 39 ? 'boletas' : 'boletas_exentas'],
    first_attention: nextAttentions(ctx, 1),
  })
  keepBoletas(ctx, company.rut, { tipo, mail, set, review: null, step: 'P01', enabled_at: null })
  const [section] = set.sections
  const notes = section?.cases.some(({ correction }) => correction !== undefined) ? [61] : []
  openToCertify(ctx, company, [tipo, ...notes])
  return {
    type: 'text/plain',
    headers: { 'Content-Disposition': `attachment; filename="SetBoletas${tipo}.txt"` },
    body: section === undefined ? '' : writeBoletaSet(section),
  }
}

/** The tipo is that of the boletas in the envelope. */
function askReview({ ctx, request, company }: OpenStep): Answer {
  const track_id = (formOf(request).get('trackid') ?? '').trim()
  const upload = declaredUpload(ctx, company.rut, track_id)
  if (upload === null) return refuse(`El envío ${track_id} no se encuentra`)
  if (upload.verdict === null) return refuse(`El envío ${track_id} no ha sido procesado`)
  // The checker never sees what came through the REST service (PROTOCOLS 8).
  if (upload.kind !== 'EnvioBOLETA' || upload.channel !== 'dte') return refuse('CONTENIDO NO CORRESPONDE A LO ESPERADO')
  if (isFaulty(upload)) return refuse('ENVIO CON ERRORES O REPAROS')
  const tipo = readEnvelope(fileOf(ctx, track_id))[0]?.tipo ?? 0
  const boletas = boletaCertificationOf(ctx, company.rut, tipo)
  if (boletas === null) return refuse('La empresa no ha obtenido este set')
  if (boletas.review !== null && boletas.review.code !== 'SRH')
    return refuse(`El set ya está ${stateOf(boletas.review).words}`)
  if (isExpired(boletas.set, ctx.clock.now())) return refuse('SET DE PRUEBAS VENCIDO, DEBE GENERAR UNO NUEVO')
  keepBoletas(ctx, company.rut, {
    ...boletas,
    review: newReview(ctx, request, company.rut, track_id, { door: NAME, label: boletaLabel(tipo) }),
  })
  return html(messagePage(TITLE, `El set de boletas ${tipo} quedó EN REVISION`))
}

/** With `tipo`, of that one; without, the least advanced of those under way. */
function status({ ctx, request, company }: OpenStep): Answer {
  const asked = request.query.get('tipo')
  const all = boletaCertificationsOf(ctx, company.rut)
  const shown = asked === null ? all : all.filter(({ tipo }) => String(tipo) === asked)
  const [least] = [...shown].sort((a, b) => rank(a) - rank(b))
  if (least === undefined) return refuse('La empresa no ha obtenido un set de boletas')
  const lines = shown.flatMap(({ tipo, review }) => (review?.refusals ?? []).map((line) => `Boleta ${tipo}: ${line}`))
  const state = stateOf(least.review ?? undefined)
  const code = least.review?.code == null ? '' : ` ${least.review.code}`
  return html(
    portalPage(
      TITLE,
      `<p><b>${state.words}${code}</b></p>\n<p>Paso ${least.step}</p>\n${lines.map((line) => `<p>${escapeMarkup(line)}</p>`).join('\n')}`,
    ),
  )
}

const rank = ({ review, step }: BoletaCertification) =>
  review?.code === 'SRH' ? 0 : review === null ? 1 : review.code === null ? 2 : step === 'P90' ? 3 : 4

/** By the representante legal, for every set that is ready. Folios in producción follow after a while. */
function declareCompliance({ ctx, session, company }: OpenStep): Answer {
  const all = boletaCertificationsOf(ctx, company.rut)
  const ready = all.filter(({ step }) => step === 'P90')
  if (ready.length === 0)
    return all.some(({ step }) => step === 'P91')
      ? html(messagePage(TITLE, 'La declaración de cumplimiento ya fue efectuada. Paso P91'))
      : refuse('La empresa no ha finalizado su certificación. No podrá efectuar la Declaración de Cumplimiento')
  if (!represents(ctx, session.rut, company.rut))
    return refuse('Solo el representante legal puede efectuar la Declaración de Cumplimiento')
  const enabled_at = ctx.clock.now() + ctx.settings().resolution_delay_ms
  for (const boletas of ready) keepBoletas(ctx, company.rut, { ...boletas, step: 'P91', enabled_at })
  remind(ctx, company.rut, enabled_at)
  return html(messagePage(TITLE, 'La Declaración de Cumplimiento fue efectuada. Paso P91'))
}
