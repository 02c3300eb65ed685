import { escapeMarkup } from '../markup.ts'
import type { ActionOf } from '../portal/folio-pages.ts'
import { type Fields, form, hidden, input, portalPage, submit, table } from '../portal/page.ts'
import type { Taxpayer } from '../state/types.ts'
import { type Certification, type Review, stepCode } from './register.ts'
import { isDone, rowsOf } from './steps.ts'
import { POSTULATION, SET_FIELDS } from './tipos.ts'

/** Pages of `/cvc_cgi/dte/pe_*`. The fields and the sentences are those that clients read; the rest is ours. */
const TITLE = 'Postulación Factura Electrónica'

export function rutPage(next: string, action: ActionOf, more: Fields = {}, label = 'Continuar'): Buffer {
  return portalPage(
    TITLE,
    form('form1', action(next), more, `RUT: ${input('RUT_EMP')} - ${input('DV_EMP')}\n${submit(label)}`),
  )
}

export function conditionsPage(company: Fields, action: ActionOf): Buffer {
  return portalPage(
    TITLE,
    '<p>El contribuyente declara conocer las condiciones para postular como emisor electrónico y que cumple con ellas.</p>' +
      form('form1', action('pe_datos_empresa'), company, submit('Acepto las condiciones')),
  )
}

/** Whoever uses the free system is told what it loses (OPERATIONS 1). */
export function companyDataPage(company: Fields, taxpayer: Taxpayer, action: ActionOf): Buffer {
  const warning = taxpayer.sfg
    ? '<p><b>ATENCION: el contribuyente está inscrito en el Sistema de Facturación Gratuito del SII. Al certificarse con software propio o de mercado perderá la calidad de usuario de ese sistema para la emisión de facturas.</b></p>'
    : ''
  const boxes = POSTULATION.map(({ field, label }) => checkbox(field, label)).join('<br>\n')
  return portalPage(
    TITLE,
    `${table([
      ['RUT', escapeMarkup(taxpayer.rut)],
      ['Razón Social', escapeMarkup(taxpayer.name)],
    ])}\n${warning}\n${form('form1', action('pe_confirma'), company, `${boxes}\n${submit('Confirmar Postulación')}`)}`,
  )
}

const checkbox = (field: string, label: string) =>
  `<input name="${field}" type="checkbox" value="S"> ${escapeMarkup(label)}`

export function generatePage(company: Fields, certification: Certification, action: ActionOf): Buffer {
  const sections = certification.set?.sections ?? []
  const obtained = sections.map(({ kind, attention }) => [escapeMarkup(`${kind} ${attention}`), 'OBTENIDO'])
  const offered = SET_FIELDS.filter(({ tipo }) => certification.tipos.includes(tipo))
  const boxes = offered.map(({ field, label }) => checkbox(field, label)).join('<br>\n')
  const told: Fields = { ...company, AUTORIZADA: 'S', TOTAL: offered.length }
  return portalPage(
    TITLE,
    `${table([['Set Obtenido', 'Estado'], ...obtained])}\n<p>Al generar un nuevo set de pruebas queda nulo el anterior. El set vence a los dos meses.</p>\n` +
      form('form1', action('pe_generar2'), told, `${boxes}\n${submit('Generar Set')}`),
  )
}

/** The words of a state, and the code that the hidden field of its row carries (S01 not declared, S21 declared). */
export function stateOf(review: Review | undefined): { readonly words: string; readonly code: string } {
  if (review === undefined) return { words: 'POR REALIZAR', code: 'S01' }
  if (review.code === null) return { words: 'EN REVISION', code: 'S21' }
  return review.code === 'SOK' ? { words: 'REVISADO CONFORME', code: 'SOK' } : { words: 'RECHAZADO SRH', code: 'SRH' }
}

export interface RowAnswer {
  readonly kind: string
  readonly refusal: string
}

/** `pe_avance2` and, with what it refuses of each row, `pe_avance3`. */
export function advancePage(
  company: Fields,
  certification: Certification,
  action: ActionOf,
  answers: readonly RowAnswer[] = [],
): Buffer {
  const rows = rowsOf(certification)
  const lines = rows.map(({ kind, code, label }, at) => {
    const review = certification.declared[kind]
    const state = stateOf(review)
    const refused = answers.find((answer) => answer.kind === kind)?.refusal
    const open = review === undefined || review.code === 'SRH'
    const number = at + 1
    const fields = open
      ? `${input(`NUM_ENV${number}`, '')} ${input(`FEC_ENV${number}`, '')} ${hidden({ [`SET${number}`]: code, [`EST${number}`]: state.code })}`
      : escapeMarkup(review?.track_id ?? '')
    const words = `<b>${escapeMarkup(refused ?? state.words)}</b>`
    const why = refused === undefined ? reasons(review) : ''
    return [escapeMarkup(label), words + why, fields]
  })
  const told: Fields = { ...company, TOTREG: rows.length, PASO: stepCode(certification.step) }
  const next = isDone(certification)
    ? form(
        'form2',
        action('pe_avance4'),
        { ...company, TOTREG: 0, PASO: stepCode(certification.step) },
        submit('Avanzar Siguiente Paso'),
      )
    : ''
  return portalPage(
    'Declarar Avance',
    `${stepSentence(certification)}\n${form('form1', action('pe_avance3'), told, `${table([['Set', 'Estado', 'Número de Envío y Fecha (DD-MM-AAAA)'], ...lines])}\n${submit('Confirmar Revisión')}`)}\n${next}`,
  )
}

const stepSentence = ({ rut, step }: Certification) =>
  `<p>La empresa ${escapeMarkup(rut)} se encuentra en el paso <b>${escapeMarkup(step)}</b></p>`

function reasons(review: Review | null | undefined): string {
  const lines = review?.refusals ?? []
  return lines.length === 0 ? '' : `<br>${lines.map((line) => escapeMarkup(line)).join('<br>')}`
}

/** `pe_avance6`: only shows. */
export function progressPage(certification: Certification): Buffer {
  const rows = rowsOf(certification).map(({ kind, label }) => {
    const review = certification.declared[kind]
    return [
      escapeMarkup(label),
      `<b>${stateOf(review).words}</b>${reasons(review)}`,
      escapeMarkup(review?.track_id ?? ''),
    ]
  })
  const samples = certification.samples_review
  const printed =
    certification.step === 'DOCUMENTOS IMPRESOS'
      ? [['DOCUMENTOS IMPRESOS', `<b>${stateOf(samples ?? undefined).words}</b>${reasons(samples)}`, '']]
      : []
  const exchanged =
    certification.step === 'INTERCAMBIO DE INFORMACION'
      ? [
          [
            'INTERCAMBIO DE INFORMACION',
            `<b>${certification.exchange?.approved_at == null ? 'POR REALIZAR' : 'REVISADO CONFORME'}</b>`,
            '',
          ],
        ]
      : []
  return portalPage(
    'Ver Avance',
    `${stepSentence(certification)}\n${table([['Etapa', 'Estado', 'Número de Envío'], ...rows, ...exchanged, ...printed])}`,
  )
}

/** The first page of the declaration: a message that must be acknowledged (`OK_MSG`). */
export function complianceNotice(company: Fields, action: ActionOf): Buffer {
  return portalPage(
    'Declaración de Cumplimiento',
    '<p>La declaración de cumplimiento debe ser efectuada por el representante legal y no puede deshacerse.</p>' +
      form(
        'form1',
        action('pe_avance8'),
        { ...company, OK_MSG: 'S' },
        '<input type="submit" name="Aceptar" value="Continuar con la Declaración">',
      ),
  )
}

/** What the representante declares. The eight are the SII's in number; their words are ours. */
export const COMMITMENTS: readonly string[] = [
  'Que cuenta con procedimientos para el respaldo de los documentos tributarios electrónicos',
  'Que resguarda los archivos de folios y los certificados digitales',
  'Que imprime los documentos según la normativa vigente',
  'Que envía al SII y a sus receptores los documentos que emite',
  'Que recibe, revisa y responde los documentos de sus proveedores',
  'Que cuenta con un plan de contingencia',
  'Que mantendrá actualizados sus datos de contacto ante el SII',
  'Que conoce las obligaciones de los emisores electrónicos',
]

export function compliancePage(company: Fields, action: ActionOf): Buffer {
  const boxes = COMMITMENTS.map((label, at) => checkbox(`OPC${at + 1}`, label)).join('<br>\n')
  return portalPage(
    'Declaración de Cumplimiento',
    form(
      'form1',
      action('pe_avance9'),
      company,
      `${boxes}\n<input type="submit" name="CONFIRMAR" value="Confirmar Declaración">\n<input type="button" name="Salir" value="No Confirmar">`,
    ),
  )
}
