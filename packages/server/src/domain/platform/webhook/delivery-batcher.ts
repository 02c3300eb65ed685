import { coalesce } from '../../../kernel/coalesce.ts'
import { isDatabaseAway, type Sql } from '../../../kernel/db.ts'
import { type DeliveryName, loadTasks, type Outcome, recordOutcomes, type Task } from './deliver-store.ts'
import { type Health, recordHealth } from './store.ts'

/** Many deliveries are under way at once; their reads and writes reach the database together. */
export interface DeliveryBatcher {
  load(name: DeliveryName): Promise<Task | null>
  /** Resolves to the health of the endpoint where an attempt failed there. */
  record(outcome: Outcome): Promise<Health | null>
}

async function recordBatch(sql: Sql, outcomes: readonly Outcome[]): Promise<(Health | null)[]> {
  await recordOutcomes(sql, outcomes)
  const relevant = outcomes.filter(({ attempt, succeeded, task }) => {
    return attempt !== null && (!succeeded || task.endpoint?.failing)
  })
  const health = relevant.length === 0 ? new Map<string, Health>() : await recordHealth(sql, relevant)
  return outcomes.map(({ task }) => health.get(task.endpoint_id) ?? null)
}

/** An outcome that cannot be written fails alone: were it to fail the batch, the others would be sent again and again. */
async function recordEach(sql: Sql, outcomes: readonly Outcome[]): Promise<(Health | null | Error)[]> {
  try {
    return await recordBatch(sql, outcomes)
  } catch (error) {
    if (outcomes.length === 1 || isDatabaseAway(error)) return outcomes.map(() => error as Error)
    const ends: (Health | null | Error)[] = []
    for (const outcome of outcomes) ends.push(...(await recordEach(sql, [outcome])))
    return ends
  }
}

const MOST = 200

function openBatcher(sql: Sql): DeliveryBatcher {
  const record = coalesce((outcomes: readonly Outcome[]) => recordEach(sql, outcomes), { most: MOST, wait_ms: 10 })
  return {
    load: coalesce((names: readonly DeliveryName[]) => loadTasks(sql, names), { most: MOST }),
    async record(outcome) {
      const end = await record(outcome)
      if (end instanceof Error) throw end
      return end
    },
  }
}

const batchers = new WeakMap<Sql, DeliveryBatcher>()

/** One for each database a process works on. */
export function batcherOf(sql: Sql): DeliveryBatcher {
  const batcher = batchers.get(sql) ?? openBatcher(sql)
  batchers.set(sql, batcher)
  return batcher
}
