/** Runs one statement and gives its rows. Values travel as parameters, never inside the text. */
export interface Sql {
  <Row>(strings: TemplateStringsArray, ...values: unknown[]): Promise<Row[]>
  /** Where others may ask the same at the same time (`in-step.ts`). */
  readonly inStep?: AskInStep
}

/**
 * Does for several what each of them asked for, and answers them in their order. What it reads of several tenants is one
 * statement in which every row is found under the tenant that asked for it.
 */
export type AnswerMany<Item, Answer> = (
  sql: Sql,
  items: readonly Item[],
) => Promise<readonly (Answer | Promise<Answer>)[]>

/** Asks together with whoever asks the same in the same turn of the event loop. */
export type AskInStep = <Item, Answer>(answer: AnswerMany<Item, Answer>, item: Item) => Promise<Answer>
