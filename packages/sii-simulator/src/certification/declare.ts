import { santiago } from '../clock.ts'
import type { DoorRequest } from '../door.ts'
import type { Simulator } from '../simulator.ts'
import type { Upload, UploadKind } from '../state/types.ts'
import { occasionOf } from '../weather/occasion.ts'
import { type Certification, type Declarable, isExpired, keepCertification, type Review, remind } from './register.ts'
import { declaredUpload, salesOf } from './review.ts'
import { sectionOf } from './set.ts'
import { ROWS } from './tipos.ts'

export const CERTIFICATION_DOOR = 'certification'

/** What the page answers to one row; null where it takes it for review. */
export type RowRefusal = string | null

/** `DD-MM-AAAA`, the day on which the envelope came. */
export function declare(
  ctx: Simulator,
  request: DoorRequest,
  certification: Certification,
  kind: Declarable,
  given: { readonly track_id: string; readonly date: string },
): { certification: Certification; refusal: RowRefusal } {
  const refusal = refusalOf(ctx, certification, kind, given)
  if (refusal !== null)
    return {
      certification: STATES.has(refusal) ? kept(ctx, certification, kind, given, refusal) : certification,
      refusal,
    }
  const reviewed = { door: CERTIFICATION_DOOR, label: ROWS.find((row) => row.kind === kind)?.label ?? kind }
  const review = newReview(ctx, request, certification.rut, given.track_id, reviewed)
  const declared = { ...certification.declared, [kind]: review }
  return { certification: keepCertification(ctx, { ...certification, declared }), refusal: null }
}

const WRONG_DATE = 'FECHA NO CORRESPONDE AL ENVIO'
const WRONG_CONTENT = 'CONTENIDO NO CORRESPONDE A LO ESPERADO'
const FAULTY = 'ENVIO CON ERRORES O REPAROS'

/** These the SII keeps as the state of the set, until something else is declared for it. */
const STATES: ReadonlySet<string> = new Set([WRONG_DATE, WRONG_CONTENT, FAULTY])

function kept(
  ctx: Simulator,
  certification: Certification,
  kind: Declarable,
  { track_id }: { readonly track_id: string },
  refusal: string,
): Certification {
  const now = ctx.clock.now()
  const refused: Review = {
    track_id,
    declared_at: now,
    review_at: now,
    code: 'SRH',
    refusals: [refusal],
    scripted: null,
  }
  return keepCertification(ctx, { ...certification, declared: { ...certification.declared, [kind]: refused } })
}

/** What is reviewed, in the words of the page, by which a script may pick it; and the door where it was handed in. */
export interface Reviewed {
  readonly label: string
  readonly door: string
}

/** A review that begins now; scripts may make it slow, or refuse what is right. */
export function newReview(
  ctx: Simulator,
  request: DoorRequest,
  rut: string,
  track_id: string | null,
  { label, door }: Reviewed,
): Review {
  const { text, ...place } = occasionOf(door, request)
  const occasion = { ...place, family: CERTIFICATION_DOOR, text: () => `${text()}\n${label}` }
  const scripts = ctx.scripts.take(occasion, ['review_refuse', 'review_delay'])
  const refuse = scripts.find(({ kind }) => kind === 'review_refuse')
  const delay = scripts.find(({ kind }) => kind === 'review_delay')?.ms ?? ctx.settings().review_delay_ms
  const now = ctx.clock.now()
  remind(ctx, rut, now + delay)
  return {
    track_id,
    declared_at: now,
    review_at: now + delay,
    code: null,
    refusals: [],
    scripted: refuse === undefined ? null : (refuse.finding?.glosa ?? 'El set no fue aprobado en la revision'),
  }
}

function refusalOf(
  ctx: Simulator,
  certification: Certification,
  kind: Declarable,
  { track_id, date }: { readonly track_id: string; readonly date: string },
): RowRefusal {
  const { set, declared, step } = certification
  const before = declared[kind]
  if (before?.code === 'SOK') return 'REVISADO CONFORME'
  if (before !== undefined && before.code === null) return 'EN REVISION'
  if (kind === 'simulacion') {
    if (step !== 'SIMULACION') return 'La empresa no se encuentra en el paso SIMULACION'
  } else {
    if (step !== 'SET DE PRUEBAS') return `La empresa ya se encuentra en el paso ${step}`
    if (sectionOf(set, kind) === null) return 'La empresa no ha obtenido este set'
    if (set !== null && isExpired(set, ctx.clock.now())) return 'SET DE PRUEBAS VENCIDO, DEBE GENERAR UNO NUEVO'
  }
  const upload = declaredUpload(ctx, certification.rut, track_id)
  if (upload === null) return `El envio ${track_id} no se encuentra`
  if (upload.verdict === null) return `El envio ${track_id} no ha sido procesado`
  if (santiago(upload.received_at).date.split('-').reverse().join('-') !== date) return WRONG_DATE
  if (upload.kind !== KINDS[kind]) return WRONG_CONTENT
  if (set !== null && kind !== 'simulacion' && upload.received_at < set.made_at)
    return 'El envio es anterior al set de pruebas'
  if (isFaulty(upload)) return FAULTY
  if (isDeclaredElsewhere(declared, kind, track_id)) return `El envio ${track_id} ya fue declarado en otro set`
  return dependency(certification, kind)
}

const KINDS: Readonly<Record<Declarable, UploadKind>> = {
  basico: 'EnvioDTE',
  guias: 'EnvioDTE',
  exenta: 'EnvioDTE',
  compra: 'EnvioDTE',
  simulacion: 'EnvioDTE',
  ventas: 'LibroCompraVenta',
  compras: 'LibroCompraVenta',
  libro_guias: 'LibroGuia',
}

/** A reparo counts as much as a refusal here: the sets must pass clean. */
export function isFaulty({ verdict }: Upload): boolean {
  if (verdict === null || (verdict.estado !== 'EPR' && verdict.estado !== 'LOK')) return true
  return verdict.documents.some(({ outcome }) => outcome !== 'accepted')
}

function isDeclaredElsewhere(declared: Certification['declared'], kind: Declarable, track_id: string): boolean {
  return Object.entries(declared).some(
    ([other, review]) => other !== kind && review.code !== 'SRH' && Number(review.track_id) === Number(track_id),
  )
}

/** Sets depend on each other: the book of what was not approved is not looked at. The second sentence is ours. */
function dependency(certification: Certification, kind: Declarable): RowRefusal {
  const approved = (of: Declarable) => certification.declared[of]?.code === 'SOK'
  if (kind === 'ventas' && !approved(salesOf(certification)))
    return salesOf(certification) === 'basico'
      ? 'No Tiene un SET Basico Aprobado'
      : 'No Tiene un SET de Factura Exenta Aprobado'
  if (kind === 'libro_guias' && !approved('guias')) return 'No Tiene un SET de Guia de Despacho Aprobado'
  return null
}
