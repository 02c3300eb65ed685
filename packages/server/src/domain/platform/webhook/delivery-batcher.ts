import { coalesce } from '../../../kernel/coalesce.ts'
import { isDatabaseAway, type Sql } from '../../../kernel/db.ts'
import { type DeliveryName, loadTasks, type Outcome, recordOutcomes, type Task } from './deliver-store.ts'
import { type Health, noteHealth } from './health-store.ts'

/** Many deliveries are under way at once; what they ask of the database is asked together. */
export interface Desk {
  load(name: DeliveryName): Promise<Task | null>
  /** Gives the state of the endpoint where something went wrong there. */
  record(outcome: Outcome): Promise<Health | null>
}

async function recordTogether(sql: Sql, outcomes: readonly Outcome[]): Promise<(Health | null)[]> {
  await recordOutcomes(sql, outcomes)
  const telling = outcomes.filter(({ attempt, succeeded, task }) => {
    return attempt !== null && (!succeeded || task.endpoint?.failing)
  })
  const health = telling.length === 0 ? new Map<string, Health>() : await noteHealth(sql, telling)
  return outcomes.map(({ task }) => health.get(task.endpoint_id) ?? null)
}

/** What cannot be written fails alone: were it to fail its neighbours, theirs would be sent again and again. */
async function recordEach(sql: Sql, outcomes: readonly Outcome[]): Promise<(Health | null | Error)[]> {
  try {
    return await recordTogether(sql, outcomes)
  } catch (error) {
    if (outcomes.length === 1 || isDatabaseAway(error)) return outcomes.map(() => error as Error)
    const ends: (Health | null | Error)[] = []
    for (const outcome of outcomes) ends.push(...(await recordEach(sql, [outcome])))
    return ends
  }
}

const MOST = 200

function openDesk(sql: Sql): Desk {
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

const desks = new WeakMap<Sql, Desk>()

/** One for each database a process works on. */
export function deskOf(sql: Sql): Desk {
  const desk = desks.get(sql) ?? openDesk(sql)
  desks.set(sql, desk)
  return desk
}
