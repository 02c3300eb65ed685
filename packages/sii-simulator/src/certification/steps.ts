import type { Simulator } from '../simulator.ts'
import { type Certification, type Declarable, keepCertification, STEPS, type Step } from './register.ts'
import { ROWS } from './tipos.ts'

/** The sets that a company at the first step must have approved: those it was handed. */
export function rowsOf(certification: Certification): readonly (typeof ROWS)[number][] {
  if (certification.step === 'SIMULACION') return ROWS.filter(({ kind }) => kind === 'simulacion')
  if (certification.step !== 'SET DE PRUEBAS') return []
  const kinds = new Set<string>(certification.set?.sections.map(({ kind }) => kind) ?? [])
  return ROWS.filter(({ kind }) => kinds.has(kind))
}

/** Whether everything that a step asks for is there. */
export function isDone(certification: Certification): boolean {
  const approved = (kind: Declarable) => certification.declared[kind]?.code === 'SOK'
  switch (certification.step) {
    case 'SET DE PRUEBAS':
    case 'SIMULACION': {
      const rows = rowsOf(certification)
      return rows.length > 0 && rows.every(({ kind }) => approved(kind))
    }
    case 'INTERCAMBIO DE INFORMACION':
      return certification.exchange?.approved_at != null
    case 'DOCUMENTOS IMPRESOS':
      return certification.samples_review?.code === 'SOK'
    default:
      return false
  }
}

export function moveTo(ctx: Simulator, certification: Certification, step: Step): Certification {
  return keepCertification(ctx, { ...certification, step, step_at: ctx.clock.now() })
}

export function stepAfter(step: Step): Step {
  return STEPS[STEPS.indexOf(step) + 1] ?? 'AUTORIZADA'
}
