import type { AnswerMany, AskInStep, Sql } from './sql.ts'

export type { AnswerMany } from './sql.ts'

interface Asked {
  readonly item: unknown
  /** Its own way to the database, within the share of its account. */
  readonly own: Sql
  readonly resolve: (answer: unknown) => void
  readonly reject: (error: unknown) => void
}

type Answering = AnswerMany<unknown, unknown>

/** Lanes beyond this go in another group: one statement is to stay a small one. */
const MOST = 16

async function askAlone<Item, Answer>(sql: Sql, answer: AnswerMany<Item, Answer>, item: Item): Promise<Answer> {
  const [own] = await answer(sql, [item])
  return own as Answer
}

/** Asks in step with others where this way to the database knows of any (`openSteps`), and alone otherwise. */
export function inStep<Item, Answer>(sql: Sql, answer: AnswerMany<Item, Answer>, item: Item): Promise<Answer> {
  return sql.inStep ? sql.inStep(answer, item) : askAlone(sql, answer, item)
}

/**
 * Lanes that were claimed together do the same at the same time: what they ask for in one turn of the event loop is asked for at
 * once, and as they are answered at once, they ask for the next thing together too. Nobody waits for one who comes later, and
 * where an answer for all of them fails, each asks alone: what is wrong with one of them is wrong with that one.
 */
export function openSteps(shared: Sql): (own: Sql) => Sql {
  let asked = new Map<Answering, Asked[]>()

  async function answerAll(answer: Answering, group: readonly Asked[]): Promise<void> {
    const alone = (one: Asked) => askAlone(one.own, answer, one.item).then(one.resolve, one.reject)
    const [first, second] = group
    if (first && !second) return alone(first)
    const items = group.map(({ item }) => item)
    const together = async () => answer(shared, items)
    const answers = await together().catch(() => null)
    if (answers === null) await Promise.all(group.map(alone))
    else for (const [i, one] of group.entries()) one.resolve(answers[i])
  }

  function drain(): void {
    const groups = asked
    asked = new Map()
    for (const [answer, all] of groups)
      for (let i = 0; i < all.length; i += MOST) void answerAll(answer, all.slice(i, i + MOST))
  }

  return (own) => {
    const ask: AskInStep = <Item, Answer>(answer: AnswerMany<Item, Answer>, item: Item) =>
      new Promise<Answer>((resolve, reject) => {
        if (asked.size === 0) setImmediate(drain)
        const others = asked.get(answer as Answering) ?? []
        asked.set(answer as Answering, others)
        others.push({ item, own, resolve: resolve as (answer: unknown) => void, reject })
      })
    const sql: Sql = (strings, ...values) => own(strings, ...values)
    return Object.assign(sql, { inStep: ask })
  }
}

/** How long one waits for those beside it: far longer than it takes on a busy machine, and only where one of them hangs. */
const PATIENCE_MS = 2_000

/** Work that each does by itself, answered at once where all of it is done within a moment, and after that as each is done. */
export async function sideBySide<Answer>(work: readonly Promise<Answer>[]): Promise<readonly Promise<Answer>[]> {
  if (work.length < 2) return work
  let timer: NodeJS.Timeout | undefined
  const patience = new Promise((resolve) => {
    timer = setTimeout(resolve, PATIENCE_MS)
  })
  await Promise.race([Promise.allSettled(work), patience])
  clearTimeout(timer)
  return work
}
