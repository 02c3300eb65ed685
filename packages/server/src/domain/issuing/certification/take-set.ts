import type { CertificationSet } from '@timbre/certification'
import { isCivilDate, santiagoDate } from '@timbre/dte/values'
import { MODES } from '../../../catalog/modes.ts'
import { invalidField, Problem } from '../../../kernel/problem.ts'
import type { EmpresaContext } from '../../context.ts'
import { lockStep, reopenStep } from '../../platform/onboarding/finish.ts'
import type { StepKey } from '../../platform/onboarding/lanes.ts'
import { isClosed } from '../../platform/onboarding/settle.ts'
import type { SetKind } from './file.ts'
import { listFiles } from './file-store.ts'
import { certifiedTipos } from './postulation-stage.ts'
import { readCertification } from './read.ts'
import type { Certification, SetFile } from './schema.ts'
import { lastDayOf } from './set-stage.ts'
import { startCertification } from './start.ts'
import { insertSet } from './store.ts'

interface Read {
  readonly bytes: Uint8Array
  readonly kind: SetKind
  readonly downloaded_on: string
  /** Of every case that would be built. */
  readonly tipos: readonly number[]
}

const EXEMPT = 41

/** Which of the SII's sets it is. Boletas come in a file of their own, one for each tipo. */
function kindOf({ sections }: CertificationSet): SetKind {
  if (!sections.every(({ kind }) => kind === 'boletas')) return 'facturas'
  return sections.every(({ cases }) => cases.every(({ tipo_dte }) => tipo_dte === EXEMPT))
    ? 'boletas_exentas'
    : 'boletas'
}

function tiposIn({ sections }: CertificationSet): number[] {
  const built = sections.filter(({ kind }) => kind !== 'exportacion')
  return [...new Set(built.flatMap(({ cases }) => cases.map(({ tipo_dte }) => tipo_dte)))]
}

/** Reads the file before the transaction opens. What is not understood inside a set is shown, not refused. */
export async function readSetFile(
  ctx: EmpresaContext,
  { file, downloaded_on }: SetFile,
): Promise<{ readonly read: Read }> {
  const { readSet, SetError } = await import('@timbre/certification')
  const today = santiagoDate(ctx.now())
  const day = downloaded_on ?? today
  if (!isCivilDate(day) || day > today) throw invalidField('downloaded_on', 'it must be a day that was.')
  if (lastDayOf({ downloaded_on: day }) < today)
    throw invalidField('downloaded_on', 'the SII has voided that set: it lives two months.')
  const bytes = Buffer.from(file, 'base64')
  try {
    const content = readSet(bytes)
    if (content.sections.every(({ cases, purchases }) => cases.length + purchases.length === 0))
      throw new Problem('invalid_set_file', { param: 'file', details: { rule: 'no_cases' } })
    return { read: { bytes, kind: kindOf(content), downloaded_on: day, tipos: tiposIn(content) } }
  } catch (error) {
    if (!(error instanceof SetError)) throw error
    throw new Problem('invalid_set_file', {
      param: 'file',
      message: `file: ${error.message}`,
      details: { rule: error.rule },
    })
  }
}

const STEP_OF: Readonly<Record<SetKind, StepKey>> = {
  facturas: 'set_de_pruebas',
  boletas: 'habilitacion',
  boletas_exentas: 'habilitacion',
}

/**
 * Takes a set that somebody downloaded at the SII, in place of the one in use: whatever was made of that is void there too. Not
 * while something of it is with the SII, which would review what nobody asks for any more.
 */
export async function takeSet(ctx: EmpresaContext, { read }: { readonly read: Read }): Promise<Certification> {
  const { empresa: scope } = ctx
  const { kind, downloaded_on, bytes } = read
  const { row, step } = await lockStep(ctx, scope, STEP_OF[kind])
  const wanted = kind === 'facturas' ? certifiedTipos(row) : row.doc_types
  const strange = read.tipos.filter((tipo) => !wanted.includes(tipo))
  if (strange.length > 0)
    throw new Problem('invalid_set_file', {
      param: 'file',
      message: `file: it has cases of tipos that the empresa does not certify: ${strange.join(', ')}.`,
      details: { rule: 'tipos_not_certified', tipos: strange },
    })
  const details = { step: step.key, status: step.status }
  if (isClosed(step.status)) throw new Problem('step_not_open', { details })
  const files = await listFiles(ctx.sql, scope, step.key)
  if (step.status !== 'failed' && files.some(({ status }) => status === 'sent' || status === 'in_review'))
    throw new Problem('certification_under_way', { details })
  await insertSet(ctx.sql, scope, { kind, source: 'file', file: bytes, downloaded_on, received_at: ctx.now() })
  if (step.status === 'failed') await reopenStep(ctx, scope, step.key, null)
  else if (step.status === 'in_progress' && !MODES[scope.mode].rehearses_onboarding)
    await startCertification(ctx, scope, { ...step, next_poll_at: null })
  return readCertification(ctx)
}
