import { Problem } from '../../../kernel/problem.ts'
import type { Artifact } from '../../../kernel/schema.ts'
import type { EmpresaContext, OperatorContext } from '../../context.ts'
import { findEmisor } from '../../platform/empresa/emisor.ts'
import { isStepKey, STEP_KEYS, stepOf } from '../../platform/onboarding/lanes.ts'
import { readBody } from '../../platform/onboarding/read.ts'
import { isClosed } from '../../platform/onboarding/settle.ts'
import { tiposOfCertification } from '../../platform/onboarding/walk.ts'
import type { FileRow } from './file.ts'
import { listLatestFiles } from './file-store.ts'
import { askedOf, type InputKey, isInputKey } from './inputs.ts'
import { previewOf } from './preview.ts'
import { digestOf } from './samples.ts'
import type { Certification, SamplePath } from './schema.ts'
import { showCases, showFile, showInputs, showSet } from './show.ts'
import { listSamples, readSample, zipSamples } from './shown-samples.ts'
import { findStatements } from './statements.ts'
import { findCertification, listSets } from './store.ts'

/** In the order of the road. */
const byStep = (one: FileRow, other: FileRow): number =>
  STEP_KEYS.indexOf(one.step) - STEP_KEYS.indexOf(other.step) || one.position - other.position

/** What a step that stands still waits to be told. */
function waitedFor(details: Readonly<Record<string, unknown>> | undefined): InputKey[] {
  return Array.isArray(details?.inputs) ? details.inputs.filter(isInputKey) : []
}

/** What is to be certified, what was built for it, and how far that is. */
export async function readCertification(ctx: EmpresaContext): Promise<Certification> {
  const { sql, empresa: scope } = ctx
  const row = await findEmisor(sql, scope)
  if (!row) throw new Problem('empresa_not_found')
  const body = await readBody(ctx, scope, row)
  const steps = body.steps.filter(({ key }) => isStepKey(key) && stepOf(key).certifies)
  const open = steps.some(({ status }) => !isClosed(status))
  const known = await findCertification(sql, scope)
  const files = (await listLatestFiles(sql, scope)).sort(byStep)
  const samples = await listSamples(sql, scope)
  const previews = await Promise.all(
    (await listSets(sql, scope)).map((set) => previewOf({ row, now: ctx.now() }, known, set)),
  )
  const found = previews.flatMap(({ findings }) => findings)
  const findings = (known.findings.length > 0 ? known.findings : found).map(
    ({ rule, section, case_id, line, message }) => ({ rule, section, case_id, line, message }),
  )
  return {
    object: 'certification',
    empresa: { id: row.id, rut: row.rut },
    tipos: open ? tiposOfCertification(row) : [],
    steps,
    sets: previews.map(showSet),
    cases: previews.flatMap((preview) => showCases(preview, files)),
    files: files.filter(({ kind }) => kind !== 'sample').map(showFile),
    samples: { sha256: samples.length === 0 ? null : digestOf(samples), data: samples },
    statements: [...((await findStatements(sql, scope)) ?? [])],
    findings,
    inputs: showInputs(known.inputs, [
      ...previews.flatMap(({ missing }) => askedOf(missing)),
      ...steps.flatMap(({ blocked_reason }) => waitedFor(blocked_reason?.details)),
    ]),
    sii: { words: known.words, said_at: known.said_at?.toISOString() ?? null },
  }
}

/** One printed sample, byte for byte as it is approved and handed in. */
export async function downloadSample(ctx: EmpresaContext, { file_id }: SamplePath): Promise<Artifact> {
  const sample = await readSample(ctx.sql, ctx.empresa, file_id)
  if (!sample) throw new Problem('certification_sample_not_found')
  return sample
}

/** All of them in one file, for a person of ours who hands them in where the SII has no wire. */
export async function downloadSamples(ctx: OperatorContext): Promise<Artifact> {
  const zip = await zipSamples(ctx.sql, ctx.empresa)
  if (!zip) throw new Problem('certification_sample_not_found')
  return zip
}
