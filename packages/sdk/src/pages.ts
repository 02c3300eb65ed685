import { UnexpectedAnswerError } from './errors.ts'
import type { ItemOf, List, Page, PageCall } from './shapes.ts'

type Query = Readonly<Record<string, unknown>>
type FetchPage<Answer> = (query: Query) => Promise<Answer>

const strangeList = (what: string) =>
  new UnexpectedAnswerError({
    code: 'unexpected_answer',
    message: `The list ${what}: this is not an answer of Timbre.`,
    hint: 'Check baseUrl (or TIMBRE_URL), and whether a proxy stands in between.',
  })

/** The query of the page after one. A list that is read forward goes on from its `after`. */
function following(query: Query, next_cursor: string): Query {
  return query.after === undefined ? { ...query, cursor: next_cursor } : { ...query, after: next_cursor }
}

async function* itemsFrom<Answer extends List<unknown>>(
  first: () => Promise<Page<Answer>>,
): AsyncGenerator<ItemOf<Answer>, undefined> {
  for (let page: Page<Answer> | null = await first(); page !== null; page = await page.next()) {
    yield* page.data as ItemOf<Answer>[]
  }
  return undefined
}

function pageOf<Answer extends List<unknown>>(answer: Answer, query: Query, fetch: FetchPage<Answer>): Page<Answer> {
  const next = () => {
    const { has_more, next_cursor } = answer
    if (!has_more) return null
    // Otherwise the same page would come again and again, or the rest would be missing without a word.
    const here = query.after ?? query.cursor
    if (typeof next_cursor !== 'string' || next_cursor === here) throw strangeList('names no page after it')
    return fetchPage(following(query, next_cursor), fetch)
  }
  // Not enumerable: the page prints and travels as the contract's JSON.
  return Object.defineProperties(answer, {
    next: { value: next },
    [Symbol.asyncIterator]: { value: () => itemsFrom(async () => answer as Page<Answer>) },
  }) as Page<Answer>
}

async function fetchPage<Answer extends List<unknown>>(query: Query, fetch: FetchPage<Answer>): Promise<Page<Answer>> {
  const answer = await fetch(query)
  if (!Array.isArray(answer?.data)) throw strangeList('has no data')
  return pageOf(answer, query, fetch)
}

/** Asks for a list when it is first awaited or looped over, and not before. */
class LazyPages<Answer extends List<unknown>> implements PageCall<Answer> {
  readonly [Symbol.toStringTag] = 'PageCall'
  readonly #fetch: () => Promise<Page<Answer>>
  #first: Promise<Page<Answer>> | undefined

  constructor(fetch: () => Promise<Page<Answer>>) {
    this.#fetch = fetch
  }

  #page(): Promise<Page<Answer>> {
    this.#first ??= this.#fetch()
    return this.#first
  }

  // biome-ignore lint/suspicious/noThenProperty: it is a promise, which begins when somebody waits for it
  then<A = Page<Answer>, B = never>(
    done?: ((page: Page<Answer>) => A | PromiseLike<A>) | null,
    failed?: ((reason: unknown) => B | PromiseLike<B>) | null,
  ): Promise<A | B> {
    return this.#page().then(done, failed)
  }

  catch<B = never>(failed?: ((reason: unknown) => B | PromiseLike<B>) | null): Promise<Page<Answer> | B> {
    return this.#page().catch(failed)
  }

  finally(done?: (() => void) | null): Promise<Page<Answer>> {
    return this.#page().finally(done)
  }

  [Symbol.asyncIterator](): AsyncIterator<ItemOf<Answer>, undefined> {
    return itemsFrom(() => this.#page())
  }
}

export function pages<Answer extends List<unknown>>(query: Query, fetch: FetchPage<Answer>): PageCall<Answer> {
  return new LazyPages(() => fetchPage(query, fetch))
}
