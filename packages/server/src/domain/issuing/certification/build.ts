import type { CertificationSet, Finding, Plan, PlanInputs, PlanStep } from '@timbre/certification'
import type { TipoDte } from '@timbre/dte/values'
import { santiagoDate } from '@timbre/dte/values'
import type { JobTransaction } from '../../job.ts'
import { certificationStock, drawCertificationFolios, fetchCertificationFolios } from '../folio/certification.ts'
import { type Cafs, cafKey, type FileKind, type FileRow, kindOfSection, type NewFile, type SetRow } from './file.ts'
import { insertFiles } from './file-store.ts'
import { askedOf } from './inputs.ts'
import { AGAIN, type StageContext, type StageOutcome } from './stage.ts'
import { saveFindings } from './store.ts'

export type Needs = ReadonlyMap<TipoDte, number>

const FOLIOS = 'folios.'

/** How many folios of each tipo a plan still needs, by what it says is missing. */
export function needsOf({ missing }: Pick<Plan, 'missing'>): Needs {
  return new Map(
    missing
      .filter(({ name }) => name.startsWith(FOLIOS))
      .map(({ name, needed }) => [Number(name.slice(FOLIOS.length)) as TipoDte, needed ?? 0]),
  )
}

/** Asks the SII for folios where there are too few, one range at a time. Null when there are enough. */
export async function bringFolios(at: StageContext, needs: Needs): Promise<StageOutcome | null> {
  const { ctx, scope, row } = at
  const on = santiagoDate(ctx.now())
  for (const [tipo_dte, needed] of needs) {
    const left = await certificationStock(ctx, scope, tipo_dte, on)
    if (left >= needed) continue
    const wanted = { legal_name: row.legal_name, tipo_dte, quantity: needed - left }
    const refusal = await fetchCertificationFolios(ctx, scope, wanted)
    if (!refusal) return AGAIN
    const { sentence, reason } = refusal
    return { outcome: 'refused', block: 'folios_refused', sentence, details: { tipo_dte, reason } }
  }
  return null
}

/** Raised inside a transaction that is to leave nothing behind: the folios that it drew go back. */
class NotBuilt extends Error {
  readonly outcome: StageOutcome
  constructor(outcome: StageOutcome) {
    super('nothing is built')
    this.outcome = outcome
  }
}

async function drawAll(tx: JobTransaction, { scope }: StageContext, needs: Needs) {
  const folios: Partial<Record<TipoDte, number[]>> = {}
  const cafs: Record<string, string> = {}
  const on = santiagoDate(tx.now())
  for (const [tipo_dte, count] of needs) {
    const drawn = await drawCertificationFolios(tx, scope, tipo_dte, count, on)
    // Somebody else drew meanwhile: the next look asks for more.
    if (!drawn) throw new NotBuilt(AGAIN)
    folios[tipo_dte] = drawn.map(({ folio }) => folio)
    for (const { caf_id, folio } of drawn) cafs[cafKey(tipo_dte, folio)] = caf_id
  }
  return { folios, cafs }
}

/** The ranges of the folios that a step of a plan carries. */
function cafsOf(step: PlanStep, cafs: Cafs): Cafs {
  if (step.step !== 'envelope') return {}
  const keys = step.documents.map(({ dte }) => cafKey(dte.tipo_dte, dte.folio))
  return Object.fromEntries(keys.map((key) => [key, cafs[key] as string]))
}

/** What a plan came to once it has its folios. */
export interface Built {
  readonly findings: readonly Finding[]
  readonly files: readonly NewFile[]
  /** Why nothing can be made of it after all. */
  readonly instead?: StageOutcome
}

/**
 * Draws folios, plans with them and stores the files, or leaves nothing behind: whatever the SII would refuse is found first,
 * and then no folio is spent, and the findings name case, line and rule.
 */
export async function storeBuilt(
  at: StageContext,
  needs: Needs,
  build: (drawn: Awaited<ReturnType<typeof drawAll>>, today: string) => Built,
): Promise<StageOutcome> {
  const { ctx, scope } = at
  let findings: readonly Finding[] = []
  try {
    await ctx.transact(async (tx) => {
      const built = build(await drawAll(tx, at, needs), santiagoDate(tx.now()))
      if (built.instead) throw new NotBuilt(built.instead)
      findings = built.findings
      if (findings.length > 0) throw new NotBuilt(foundBefore(findings))
      await insertFiles(tx.sql, scope, built.files, tx.now())
      await saveFindings(tx.sql, scope, [])
    })
  } catch (error) {
    if (!(error instanceof NotBuilt)) throw error
    if (findings.length > 0) await ctx.transact((tx) => saveFindings(tx.sql, scope, findings))
    return error.outcome
  }
  return AGAIN
}

/** The file of a step of a plan, as it is stored until it is signed. */
export function fileOf(
  one: PlanStep,
  position: number,
  cafs: Cafs,
): Pick<NewFile, 'position' | 'file_name' | 'plan' | 'cafs'> {
  return { position, file_name: fileNameOf(one, position), plan: one, cafs: cafsOf(one, cafs) }
}

export interface Build {
  readonly set: SetRow
  readonly content: CertificationSet
  readonly inputs: PlanInputs
  /** Files that stand, of which nothing is made again. */
  readonly kept: readonly FileRow[]
  /** What the file of a section is called, where it is not called as the section. */
  readonly kind?: FileKind
}

/** Steps of a plan as they were sent. */
export function keptSteps(files: readonly FileRow[]): PlanStep[] {
  return files.map(({ plan }) => plan).filter((plan): plan is PlanStep => plan !== null)
}

/** Plans everything that a set asks for and is not there yet, with folios of its own, and stores it. */
export async function buildSet(at: StageContext, { set, content, inputs, kept, kind }: Build): Promise<StageOutcome> {
  const { planSet, checkPlan, PUBLIC_BODIES } = await import('@timbre/certification')
  const { step } = at
  const wanted: PlanInputs = { receptores: PUBLIC_BODIES, kept: keptSteps(kept), ...inputs }
  const draft = planSet(content, wanted)
  const asked = askedOf(draft.missing)
  if (asked.length > 0) return { outcome: 'inputs', missing: asked }
  const needs = needsOf(draft)
  const ours = draft.missing.filter(({ name }) => !name.startsWith(FOLIOS))
  if (ours.length > 0)
    return { outcome: 'refused', block: 'emisor_incomplete', sentence: ours.map(({ name }) => name).join(', ') }
  const waits = await bringFolios(at, needs)
  if (waits) return waits
  return storeBuilt(at, needs, ({ folios, cafs }, today) => {
    const plan = planSet(content, { ...wanted, folios })
    const left_out = plan.not_built.filter((section) => section.kind !== 'exportacion')
    if (left_out.length > 0) return { findings: [], files: [], instead: cannotBuild(left_out) }
    const findings = checkPlan(content, plan, { today, downloaded_on: set.downloaded_on })
    const stands = new Set<PlanStep>(wanted.kept)
    const files = plan.steps.flatMap((one, position): NewFile[] =>
      stands.has(one)
        ? []
        : [
            {
              set_id: set.id,
              step: step.key,
              kind: kind ?? kindOfSection(one.section),
              ...fileOf(one, position, cafs),
            },
          ],
    )
    return { findings, files }
  })
}

function fileNameOf({ section, step }: PlanStep, position: number): string {
  return `${String(position + 1).padStart(2, '0')}-${section.replaceAll('_', '-')}-${step.replaceAll('_', '-')}.xml`
}

function cannotBuild(sections: Plan['not_built']): StageOutcome {
  const why = sections.flatMap(({ title, reasons }) =>
    reasons.map(({ line, text, why }) => `${title}, línea ${line} («${text}»): ${why}`),
  )
  return { outcome: 'operator', why: why.join(' · ') }
}

function foundBefore(findings: readonly Finding[]): StageOutcome {
  const sentence = findings
    .map(({ case_id, line, rule, message }) =>
      [case_id && `caso ${case_id}`, line && `línea ${line}`, rule].filter(Boolean).join(', ').concat(`: ${message}`),
    )
    .join(' · ')
  return { outcome: 'refused', block: 'preflight_failed', sentence, details: { findings } }
}
