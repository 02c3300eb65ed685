import { declare } from '../certification/declare.ts'
import { makeSet } from '../certification/make-set.ts'
import {
  advancePage,
  COMMITMENTS,
  companyDataPage,
  complianceNotice,
  compliancePage,
  conditionsPage,
  generatePage,
  progressPage,
  type RowAnswer,
  rutPage,
} from '../certification/pages.ts'
import {
  type Certification,
  certificationOf,
  isBefore,
  keepCertification,
  nextAttentions,
  remind,
  stepCode,
} from '../certification/register.ts'
import { isDone, moveTo, stepAfter } from '../certification/steps.ts'
import { NOT_PLAYED, POSTULATION, ROWS, SET_FIELDS } from '../certification/tipos.ts'
import { writeSet } from '../certification/write-set.ts'
import { type Answer, type Door, html } from '../door.ts'
import { openToCertify, represents } from '../taxpayers.ts'
import { BOLETAS } from '../tipos.ts'
import { act, type CertifyingStep, certifying, forCompany, page, refuse, say } from './certification-step.ts'
import type { CompanyStep } from './cgi.ts'

/** Postulación, sets of tests and declaration of the advance (OPERATIONS 1). */
export const CERTIFICATION_DOORS: readonly Door[] = [
  page('pe_ingrut', 'GET', ({ action }) => html(rutPage('pe_condiciones', action))),
  // No source names the program of the conditions.
  page('pe_condiciones', 'POST', (step) =>
    forCompany(step, ({ fields, action }) => html(conditionsPage(fields, action))),
  ),
  page('pe_datos_empresa', 'POST', (step) =>
    forCompany(step, ({ fields, company, action }) => html(companyDataPage(fields, company, action))),
  ),
  act('pe_confirma', (step) => forCompany(step, apply)),
  page('pe_generar', 'GET', ({ action }) => html(rutPage('pe_generar1', action, { CODIGO: 8 }, 'Confirmar Empresa'))),
  page('pe_generar1', 'POST', (step) =>
    certifying(step, ({ fields, certification, action }) => html(generatePage(fields, certification, action))),
  ),
  act('pe_generar2', (step) => certifying(step, handOut)),
  page('pe_avance1', 'GET', ({ action }) => html(rutPage('pe_avance2', action))),
  page('pe_avance2', 'POST', (step) =>
    certifying(step, ({ fields, certification, action }) => html(advancePage(fields, certification, action))),
  ),
  act('pe_avance3', (step) => certifying(step, declareRows)),
  act('pe_avance4', (step) => certifying(step, goOn)),
  page('pe_avance5', 'GET', ({ action }) => html(rutPage('pe_avance6', action))),
  page('pe_avance6', 'POST', (step) => certifying(step, ({ certification }) => html(progressPage(certification)))),
  page('pe_avance7', 'GET', ({ action }) => html(rutPage('pe_avance8', action))),
  page('pe_avance8', 'POST', (step) => certifying(step, (known) => toComply(known, notice))),
  act('pe_avance9', (step) => certifying(step, (known) => toComply(known, comply))),
]

function apply({ ctx, session, form, company }: CompanyStep): Answer {
  const asked = (field: string) => !['', 'N', null].includes(form.get(field))
  const [unknown] = NOT_PLAYED.filter(asked)
  if (unknown !== undefined) return refuse(`El simulador no tiene el set ${unknown} (liquidación y exportación)`)
  const tipos = [...new Set(POSTULATION.filter(({ field }) => asked(field)).flatMap((box) => box.tipos))]
  if (tipos.length === 0) return refuse('Debe seleccionar al menos un documento')
  const lane = tipos.filter((tipo) => !BOLETAS.includes(tipo))
  // Facturas are never certified alone: the basic set has its notes too.
  const invoices = lane.length === 0 ? [] : [...new Set([33, 56, 61, ...lane])]
  const opened = tipos.every((tipo) => company.certifying?.includes(tipo))
  openToCertify(ctx, company, [...invoices, ...tipos])
  const before = certificationOf(ctx, company.rut)
  if (before !== null && before.step !== 'AUTORIZADA')
    return say(`La empresa ${company.rut} ya se encuentra en el paso ${before.step}`)
  // Boletas have a road of their own, which begins elsewhere.
  if (invoices.length === 0)
    return say(`La empresa ${company.rut} ${opened ? 'ya se encuentra' : 'ha quedado'} inscrita en Postulación`)
  keepCertification(ctx, begun(company.rut, session.rut, ctx.clock.now(), invoices, before))
  return say(`La empresa ${company.rut} ha quedado inscrita en Postulación. Ha pasado al paso SET DE PRUEBAS`)
}

function begun(
  rut: string,
  person: string,
  at: number,
  tipos: readonly number[],
  before: Certification | null,
): Certification {
  return {
    rut,
    applied_at: at,
    applied_by: person,
    tipos: [...tipos].sort((a, b) => a - b),
    step: 'SET DE PRUEBAS',
    step_at: at,
    requests: before?.requests ?? 0,
    set: null,
    declared: {},
    exchange: null,
    samples: [],
    samples_review: null,
    complied_by: null,
    resolution_at: null,
  }
}

/** Hands out a set. The one before it is void, with all that was declared of it. */
function handOut({ ctx, form, company, certification }: CertifyingStep): Answer {
  if (certification.step !== 'SET DE PRUEBAS')
    return say(`La empresa ${company.rut} ya se encuentra en el paso ${certification.step}`)
  const chosen = SET_FIELDS.filter(
    ({ field, tipo }) => certification.tipos.includes(tipo) && (field === 'SET01' || form.get(field) === 'S'),
  )
  const kinds = chosen.flatMap((field) => field.kinds)
  const request = certification.requests + 1
  const at = ctx.clock.now()
  const first_attention = nextAttentions(ctx, kinds.length)
  const set = makeSet({ rut: company.rut, request, at, kinds, first_attention })
  keepCertification(ctx, { ...certification, requests: request, set, declared: {} })
  const name = `SIISetDePruebas${company.rut.replace('-', '')}.txt`
  return {
    type: 'text/plain',
    headers: { 'Content-Disposition': `attachment; filename="${name}"` },
    body: writeSet(set),
  }
}

const MOST_ROWS = 20

/** `NUM_ENVn` and `FEC_ENVn` of the row whose hidden `SETn` names the set; empty ones are left as they are. */
function declareRows({ ctx, request, form, action, fields, ...step }: CertifyingStep): Answer {
  let { certification } = step
  const answers: RowAnswer[] = []
  for (let at = 1; at <= MOST_ROWS; at++) {
    const track_id = (form.get(`NUM_ENV${at}`) ?? '').trim()
    const row = ROWS.find(({ code }) => code === form.get(`SET${at}`))
    if (track_id === '' || row === undefined) continue
    const date = (form.get(`FEC_ENV${at}`) ?? '').trim()
    const outcome = declare(ctx, request, certification, row.kind, { track_id, date })
    certification = outcome.certification
    if (outcome.refusal !== null) answers.push({ kind: row.kind, refusal: outcome.refusal })
  }
  return html(advancePage(fields, certification, action, answers))
}

/** `PASO` says which page the button was on: pressed twice, it moves once. */
function goOn({ ctx, form, company, certification }: CertifyingStep): Answer {
  const { step } = certification
  const here = `La empresa ${company.rut} ya se encuentra en el paso ${step}`
  const pressed = form.get('PASO') ?? stepCode(step)
  if (pressed !== stepCode(step) || !isBefore(step, 'DECLARACION DE CUMPLIMIENTO')) return say(here)
  if (!isDone(certification)) return refuse('La empresa no puede avanzar: falta algo por quedar REVISADO CONFORME')
  const next = stepAfter(step)
  moveTo(ctx, certification, next)
  return say(
    next === 'DECLARACION DE CUMPLIMIENTO'
      ? `La empresa ${company.rut} ha finalizado con la certificación. Ha pasado al paso ${next}`
      : `La empresa ${company.rut} ha pasado al paso ${next}`,
  )
}

function toComply(step: CertifyingStep, handle: (step: CertifyingStep) => Answer): Answer {
  const { ctx, session, company, certification } = step
  if (isBefore(certification.step, 'DECLARACION DE CUMPLIMIENTO'))
    return refuse(
      `La empresa ${company.rut} no ha finalizado su certificación. No podrá efectuar la Declaración de Cumplimiento.`,
    )
  if (certification.step !== 'DECLARACION DE CUMPLIMIENTO')
    return say(`La empresa ${company.rut} ya efectuó la Declaración de Cumplimiento`)
  if (!represents(ctx, session.rut, company.rut))
    return refuse('Solo el representante legal puede efectuar la Declaración de Cumplimiento')
  return handle(step)
}

const notice = ({ form, fields, action }: CertifyingStep) =>
  html(form.get('OK_MSG') === 'S' ? compliancePage(fields, action) : complianceNotice(fields, action))

function comply({ ctx, session, form, company, certification, fields, action }: CertifyingStep): Answer {
  const marked = COMMITMENTS.filter((_, at) => form.get(`OPC${at + 1}`) === 'S')
  // The second button of the page says no; a browser sends the one that was pressed.
  if (marked.length < COMMITMENTS.length || form.get('CONFIRMAR') === null || form.get('Salir') !== null)
    return html(compliancePage(fields, action))
  const at = ctx.clock.now() + ctx.settings().resolution_delay_ms
  moveTo(ctx, { ...certification, complied_by: session.rut, resolution_at: at }, 'AUTORIZACION')
  remind(ctx, company.rut, at)
  return say(`La Declaración de Cumplimiento de la empresa ${company.rut} fue efectuada`)
}
