import type { EmpresaScope } from '../../../kernel/scope.ts'
import type { SiiCertification } from '../../../ports/sii-certification.ts'
import type { JobContext, JobTransaction } from '../../job.ts'
import type { EmpresaRow } from '../../platform/empresa/row.ts'
import type { BlockName } from '../../platform/onboarding/copy.ts'
import type { StepRow } from '../../platform/onboarding/open-step.ts'

export interface StageContext {
  readonly ctx: JobContext
  readonly scope: EmpresaScope
  readonly row: EmpresaRow
  readonly step: StepRow
  readonly sii: SiiCertification
}

export type StageOutcome =
  /** Something was recorded, and there is more to do at once. */
  | { readonly outcome: 'again' }
  /** The SII has it in hand, or a person has; `block` says for whoever looks what is waited for. */
  | { readonly outcome: 'wait'; readonly words?: string | null; readonly block?: BlockName }
  | { readonly outcome: 'done' }
  /** The SII said no, or would: the step fails with its words, and begins anew when somebody asks for it. */
  | {
      readonly outcome: 'refused'
      readonly block?: BlockName
      readonly sentence: string
      readonly details?: Readonly<Record<string, unknown>>
      /** Done with the failure, in its transaction: what another try must not find any more. */
      readonly clear?: (tx: JobTransaction) => Promise<void>
    }
  /** Only the taxpayer knows what is missing. */
  | { readonly outcome: 'inputs'; readonly missing: readonly string[] }
  /** The SII offers no wire for it, or something is not understood: a person of ours does it. */
  | { readonly outcome: 'operator'; readonly why: string }

/**
 * One act of a step: at most one thing is asked of the SII, outside any transaction, and what came of it is recorded before
 * the next. It finds out from its rows, and where an answer may have been lost from the SII, what was done already: a process
 * that dies anywhere leaves nothing that is done twice.
 */
export type Stage = (at: StageContext) => Promise<StageOutcome>

export const AGAIN: StageOutcome = { outcome: 'again' }

/** What is said of an act that did not come about. */
export function notDone(
  answer:
    | { readonly outcome: 'refused'; readonly sentence: string }
    | { readonly outcome: 'operator'; readonly why: string },
): StageOutcome {
  return answer.outcome === 'operator'
    ? { outcome: 'operator', why: answer.why }
    : { outcome: 'refused', sentence: answer.sentence }
}
