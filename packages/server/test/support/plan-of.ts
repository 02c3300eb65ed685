import type { Connections, Sql } from '../../src/kernel/db.ts'
import { compose } from '../../src/kernel/statement-text.ts'

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

/** The steps of the plans that a connection which plans once makes, before it knows any values; nothing is run. */
export async function steadyPlansOf(
  steady: Connections,
  read: (sql: Sql) => Promise<unknown>,
): Promise<readonly (readonly PlanStep[])[]> {
  return steady.transact(async (_sql, client) => {
    const plans: PlanStep[][] = []
    await read((async (strings: TemplateStringsArray, ...values: unknown[]) => {
      const { statement, values: given } = compose(strings, values)
      await client.query(`prepare planned as ${statement.text}`)
      const nulls = given.map(() => 'null').join(', ')
      const { rows } = await client.query(`explain (format json) execute planned (${nulls})`)
      await client.query('deallocate planned')
      plans.push(stepsIn(rows[0]['QUERY PLAN'][0].Plan))
      return []
    }) as Sql)
    return plans
  })
}

/** What of a table is read from its first row to its last. */
export const readWhole = (plan: readonly PlanStep[]) =>
  plan.flatMap((step) => (step['Node Type'] === 'Seq Scan' ? [step['Relation Name'] ?? ''] : []))
