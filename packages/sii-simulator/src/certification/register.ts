import type { Simulator } from '../simulator.ts'
import { wide } from '../state/state.ts'
import type { SectionKind, TestSet } from './set.ts'

/** The steps of a certification, in their order. `P01` is the code that the page of the first one carries. */
export const STEPS = [
  'SET DE PRUEBAS',
  'SIMULACION',
  'INTERCAMBIO DE INFORMACION',
  'DOCUMENTOS IMPRESOS',
  'DECLARACION DE CUMPLIMIENTO',
  'AUTORIZACION',
  'AUTORIZADA',
] as const

export type Step = (typeof STEPS)[number]

export const stepCode = (step: Step) => `P0${STEPS.indexOf(step) + 1}`
export const isBefore = (step: Step, other: Step) => STEPS.indexOf(step) < STEPS.indexOf(other)

/** What is declared and reviewed by track id. */
export type Declarable = Exclude<SectionKind, 'boletas' | 'boletas_exentas'> | 'simulacion'

/** Something that was handed in and waits for a review, or has had it. */
export interface Review {
  readonly track_id: string | null
  readonly declared_at: number
  readonly review_at: number
  /** Null until its hour has come. `SOK` conforme, `SRH` refused. */
  readonly code: 'SOK' | 'SRH' | null
  readonly refusals: readonly string[]
  /** A script wants it refused, in these words. */
  readonly scripted: string | null
}

/** The envelope of two documents that the company answers. */
export interface Exchange {
  readonly xml: string
  readonly emisor: string
  readonly set_id: string
  readonly digest: string
  readonly own: ExchangeDocument
  readonly other: ExchangeDocument
  /** By the number of the upload. */
  readonly answers: Readonly<Record<string, string>>
  readonly approved_at: number | null
  readonly refusals: readonly string[]
}

export interface ExchangeDocument {
  readonly tipo: number
  readonly folio: number
  readonly fecha: string
  readonly receptor: string
  readonly monto: number
}

/** A printed sample that came, by what was read from its barcode. */
export interface Sample {
  readonly tipo: number
  readonly folio: number
  readonly cedible: boolean
  readonly bytes: number
}

export interface BoletaCertification {
  readonly tipo: 39 | 41
  readonly mail: string
  readonly set: TestSet
  readonly review: Review | null
  /** `P90` ready to declare, `P91` declared. */
  readonly step: 'P01' | 'P90' | 'P91'
  readonly enabled_at: number | null
}

export interface Certification {
  readonly rut: string
  readonly applied_at: number
  readonly applied_by: string
  /** Tipos of the facturas' lane that were asked for. */
  readonly tipos: readonly number[]
  readonly step: Step
  readonly step_at: number
  /** Sets handed out so far. */
  readonly requests: number
  readonly set: TestSet | null
  readonly declared: Readonly<Partial<Record<Declarable, Review>>>
  readonly exchange: Exchange | null
  readonly samples: readonly Sample[]
  readonly samples_review: Review | null
  readonly complied_by: string | null
  /** When the resolution is due; null before the declaration. */
  readonly resolution_at: number | null
}

type World = Pick<Simulator, 'state'>

const storeOf = (ctx: World) => ctx.state.store<Certification>('certifications')
const boletasOf = (ctx: World) => ctx.state.store<BoletaCertification>('boleta_certifications')

export const certificationOf = (ctx: World, rut: string): Certification | null => storeOf(ctx).get(rut) ?? null
export const allCertifications = (ctx: World): Certification[] => storeOf(ctx).values()
export const boletaCertificationOf = (ctx: World, rut: string, tipo: number): BoletaCertification | null =>
  boletasOf(ctx).get(`${rut}:${tipo}`) ?? null
export const boletaCertificationsOf = (ctx: World, rut: string): BoletaCertification[] =>
  boletasOf(ctx).values(rut === '' ? '' : `${rut}:`)

export function keepCertification(ctx: World, certification: Certification): Certification {
  storeOf(ctx).put(certification.rut, certification)
  return certification
}

export function keepBoletas(ctx: World, rut: string, boletas: BoletaCertification): BoletaCertification {
  boletasOf(ctx).put(`${rut}:${boletas.tipo}`, boletas)
  return boletas
}

const dueOf = (ctx: World) => ctx.state.store<string>('certifications_due')

/** Something of this company is due at that hour: whoever settles looks at it then, and at nobody else. */
export function remind(ctx: World, rut: string, at: number): void {
  dueOf(ctx).put(`${wide(at, 15)}:${rut}`, rut)
}

/** The company of which something is due first; null where nothing is. It stays due until it is said to be settled. */
export function nextDue(ctx: World, now: number): { readonly key: string; readonly rut: string } | null {
  for (const [key, rut] of dueOf(ctx).entries('', { limit: 1 })) {
    if (Number(key.slice(0, 15)) <= now) return { key, rut }
  }
  return null
}

export const forgetDue = (ctx: World, key: string) => dueOf(ctx).remove(key)

/** The attention numbers of the sets go up from one company to the next. */
export function nextAttentions(ctx: World, count: number): number {
  let first = 0
  for (let at = 0; at < count; at++) {
    const number = ctx.state.next('attentions', 4_352_553)
    if (at === 0) first = number
  }
  return first
}

export function isExpired(set: TestSet, now: number): boolean {
  return now >= set.expires_at
}
