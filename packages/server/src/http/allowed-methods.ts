import router from 'find-my-way'

type Method = router.HTTPMethod

const METHODS: readonly string[] = ['GET', 'HEAD', 'POST', 'PATCH', 'DELETE', 'PUT', 'OPTIONS'] satisfies Method[]

/** An address with parameters as `:name`, and the methods it takes. */
export interface TakenMethods {
  readonly path: string
  readonly methods: readonly string[]
}

/** Addresses by their segments, every parameter under the one name `:`. */
class Segments {
  readonly #next = new Map<string, Segments>()
  #methods: readonly string[] = []

  add(path: readonly string[], methods: readonly string[], from = 0): void {
    const first = path[from]
    if (first === undefined) {
      this.#methods = methods
      return
    }
    const name = first.startsWith(':') ? ':' : first
    const next = this.#next.get(name) ?? new Segments()
    this.#next.set(name, next)
    next.add(path, methods, from + 1)
  }

  /** Adds the methods of all addresses that a request for this one would find, its own included. */
  gather(path: readonly string[], found: Set<string>, from = 0): void {
    const first = path[from]
    if (first === undefined) for (const method of this.#methods) found.add(method)
    else {
      this.#next.get(':')?.gather(path, found, from + 1)
      if (!first.startsWith(':')) this.#next.get(first)?.gather(path, found, from + 1)
    }
  }
}

/** Which methods an address takes, for a request with another one. */
export class AllowedMethods {
  readonly #taken: readonly TakenMethods[]
  readonly #options: router.Config<router.HTTPVersion.V1>
  #router: router.Instance<router.HTTPVersion.V1> | null = null

  constructor(taken: readonly TakenMethods[], options: router.Config<router.HTTPVersion.V1>) {
    const byPath = new Map<string, string[]>()
    for (const { path, methods } of taken) byPath.set(path, [...(byPath.get(path) ?? []), ...methods])
    this.#taken = [...byPath].map(([path, methods]) => ({ path, methods }))
    this.#options = options
  }

  /** Null where the address is unknown, or the method is none of HTTP's usual ones. */
  at(method: string, url: string): readonly string[] | null {
    if (!METHODS.includes(method)) return null
    this.#router ??= this.#openRouter()
    return this.#router.find('GET', url)?.store ?? null
  }

  /**
   * Addresses that a request with a wrong method would not miss: GET /things/search, where search takes POST alone,
   * would be answered as GET /things/{id}.
   */
  shadowed(): (TakenMethods & { readonly shadowed: readonly Method[] })[] {
    const segments = new Segments()
    for (const { path, methods } of this.#taken) segments.add(path.split('/'), methods)
    return this.#taken.flatMap(({ path, methods }) => {
      const found = new Set<string>()
      segments.gather(path.split('/'), found)
      const shadowed = METHODS.filter((method) => found.has(method) && !methods.includes(method))
      return shadowed.length === 0 ? [] : [{ path, methods, shadowed: shadowed as Method[] }]
    })
  }

  /** Made when the first request asks: most processes never need it. */
  #openRouter(): router.Instance<router.HTTPVersion.V1> {
    const opened = router(this.#options)
    for (const { path, methods } of this.#taken) opened.on('GET', path, () => undefined, methods)
    return opened
  }
}
