import type { Sql } from '../../src/kernel/db.ts'

/** A step of a plan, as PostgreSQL tells it. */
export interface PlanStep {
  readonly 'Node Type': string
  readonly 'Relation Name'?: string
  readonly 'Index Name'?: string
  readonly 'Index Cond'?: string
  readonly 'CTE Name'?: string
  readonly 'Subplan Name'?: string
  readonly Plans?: readonly PlanStep[]
}

const stepsIn = (step: PlanStep): PlanStep[] => [step, ...(step.Plans ?? []).flatMap(stepsIn)]

/** Statements run as they are, and the steps of the plan of each are noted before. */
export function watchPlans(sql: Sql): { sql: Sql; plans: PlanStep[][] } {
  const plans: PlanStep[][] = []
  const watched = (async (strings: TemplateStringsArray, ...values: unknown[]) => {
    const [first = '', ...rest] = strings
    const asked = [`explain (format json) ${first}`, ...rest] as unknown as TemplateStringsArray
    const [row] = await sql<{ 'QUERY PLAN': { Plan: PlanStep }[] }>(asked, ...values)
    plans.push((row?.['QUERY PLAN'] ?? []).flatMap(({ Plan }) => stepsIn(Plan)))
    return sql(strings, ...values)
  }) as Sql
  return { sql: watched, plans }
}

/** What of a table is read from its first row to its last. */
export const readWhole = (plan: readonly PlanStep[]) =>
  plan.flatMap((step) => (step['Node Type'] === 'Seq Scan' ? [step['Relation Name'] ?? ''] : []))
