import { santiago } from '../clock.ts'
import type { Simulator } from '../simulator.ts'
import type { Taxpayer } from '../state/types.ts'
import { taxpayerOf } from '../taxpayers.ts'
import { queueReviewMail } from './mail.ts'
import {
  boletaCertificationsOf,
  certificationOf,
  type Declarable,
  forgetDue,
  keepBoletas,
  keepCertification,
  nextDue,
  type Review,
} from './register.ts'
import { reviewBoletaSet, reviewDeclared } from './review.ts'
import { boletaLabel } from './set.ts'
import { ROWS } from './tipos.ts'

/** Gives every review and resolution whose hour has come its end, in the order of the rows of the page. */
export async function settleCertifications(ctx: Simulator): Promise<void> {
  for (let due = nextDue(ctx, ctx.clock.now()); due !== null; due = nextDue(ctx, ctx.clock.now())) {
    const { key, rut } = due
    for (const { kind, label } of ROWS) settleDeclared(ctx, rut, kind, label)
    settleSamples(ctx, rut)
    settleResolution(ctx, rut)
    settleBoletas(ctx, rut)
    forgetDue(ctx, key)
    // Many companies may be due at once.
    await new Promise(setImmediate)
  }
}

const isDue = (ctx: Simulator, review: Review | null | undefined): review is Review =>
  review != null && review.code === null && review.review_at <= ctx.clock.now()

function settleDeclared(ctx: Simulator, rut: string, kind: Declarable, label: string): void {
  const certification = certificationOf(ctx, rut)
  const review = certification?.declared[kind]
  if (certification === null || !isDue(ctx, review)) return
  const ended = endOf(review, () => reviewDeclared(ctx, certification, kind))
  keepCertification(ctx, { ...certification, declared: { ...certification.declared, [kind]: ended } })
  queueReviewMail(ctx, rut, label, ended)
}

/** A review that fails over a file refuses it, and says why: it must not fail every request that follows. */
function endOf(review: Review, look: () => readonly string[]): Review {
  let refusals: readonly string[]
  try {
    refusals = review.scripted === null ? look() : [review.scripted]
  } catch (failure) {
    console.error(failure)
    refusals = [`El simulador no supo revisar el envio: ${failure}`]
  }
  return { ...review, code: refusals.length === 0 ? 'SOK' : 'SRH', refusals: refusals.slice(0, 200) }
}

/** What the samples lack was seen when they were handed in; only a script refuses them now. */
function settleSamples(ctx: Simulator, rut: string): void {
  const certification = certificationOf(ctx, rut)
  const review = certification?.samples_review
  if (certification === null || !isDue(ctx, review)) return
  const ended = endOf(review, () => [])
  keepCertification(ctx, { ...certification, samples_review: ended })
  queueReviewMail(ctx, rut, 'DOCUMENTOS IMPRESOS', ended)
}

/** The resolution: the company may emit in producción what it certified, and leaves the free system. */
function settleResolution(ctx: Simulator, rut: string): void {
  const certification = certificationOf(ctx, rut)
  const due = certification?.resolution_at ?? null
  if (certification === null || due === null || certification.step !== 'AUTORIZACION' || due > ctx.clock.now()) return
  const taxpayer = taxpayerOf(ctx, rut)
  if (taxpayer === null) return
  const resolution = { number: ctx.state.next('resolution', 101), date: santiago(due).date }
  ctx.state.atomically(() => {
    enable(ctx, taxpayer, certification.tipos, {
      sfg: false,
      resolutions: { ...taxpayer.resolutions, produccion: taxpayer.resolutions.produccion ?? resolution },
    })
    keepCertification(ctx, { ...certification, step: 'AUTORIZADA', step_at: due })
  })
}

function settleBoletas(ctx: Simulator, rut: string): void {
  for (const boletas of boletaCertificationsOf(ctx, rut)) {
    const { review, set, step, enabled_at, tipo } = boletas
    const [section] = set.sections
    if (isDue(ctx, review) && section !== undefined) {
      const ended = endOf(review, () => reviewBoletaSet(ctx, rut, section, review.track_id ?? ''))
      keepBoletas(ctx, rut, { ...boletas, review: ended, step: ended.code === 'SOK' ? 'P90' : 'P01' })
      queueReviewMail(ctx, rut, boletaLabel(tipo), ended)
    }
    const taxpayer = taxpayerOf(ctx, rut)
    if (
      step === 'P91' &&
      enabled_at !== null &&
      enabled_at <= ctx.clock.now() &&
      taxpayer !== null &&
      !has(taxpayer, tipo)
    )
      enable(ctx, taxpayer, [tipo], {})
  }
}

const has = ({ authorised, tipos }: Taxpayer, tipo: number) => authorised && (tipos === null || tipos.includes(tipo))

/** One that may emit nothing yet may emit these; one that may emit some may emit these too. */
function enable(ctx: Simulator, taxpayer: Taxpayer, tipos: readonly number[], more: Partial<Taxpayer>): void {
  const before = taxpayer.authorised ? taxpayer.tipos : []
  const after = before === null ? null : [...new Set([...before, ...tipos])].sort((a, b) => a - b)
  ctx.state.taxpayers.put(taxpayer.rut, { ...taxpayer, ...more, authorised: true, tipos: after })
}
