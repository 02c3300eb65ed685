import type { XmlAttribute } from './node.ts'

const XML = 'http://www.w3.org/XML/1998/namespace'
const XMLNS = 'http://www.w3.org/2000/xmlns/'
export const NOTHING_DECLARED: ReadonlyMap<string, string> = new Map()
const BARE = { declared: NOTHING_DECLARED, plain: [] as readonly XmlAttribute[] }

/** Names with prefixes, as Namespaces in XML 1.0 has them. What is wrong is told to the reader, which knows where it stands. */
export class Names {
  readonly #fail: (message: string) => never

  constructor(fail: (message: string) => never) {
    this.#fail = fail
  }

  /** Namespace declarations apart from the other attributes. */
  separate(attributes: readonly [string, string][] | undefined) {
    if (attributes === undefined) return BARE
    const declared = new Map<string, string>()
    const plain: XmlAttribute[] = []
    for (const [qualified, value] of attributes) {
      if (qualified === 'xmlns' || qualified.startsWith('xmlns:')) {
        const prefix = qualified.slice(6)
        if (declared.has(prefix)) this.#fail(`LPX-00202: duplicate attribute "${qualified}"`)
        const reserved = prefix === 'xmlns' || value === XMLNS || (prefix === 'xml') !== (value === XML)
        if (reserved || (prefix !== '' && value === '') || prefix.includes(':'))
          this.#fail(`LPX-00234: wrong namespace declaration "${qualified}"`)
        declared.set(prefix, value)
      } else {
        const [prefix, name] = this.split(qualified)
        plain.push({ name, prefix, value })
      }
    }
    return { declared: declared.size === 0 ? NOTHING_DECLARED : declared, plain }
  }

  split(qualified: string): [prefix: string, name: string] {
    const colon = qualified.indexOf(':')
    if (colon === -1) return ['', qualified]
    const name = qualified.slice(colon + 1)
    if (colon === 0 || name === '' || name.includes(':') || /^[-.0-9\xb7]/.test(name))
      this.#fail(`LPX-00234: "${qualified}" is not a qualified name`)
    return [qualified.slice(0, colon), name]
  }

  resolve(prefix: string, scope: ReadonlyMap<string, string>): string {
    const found = scope.get(prefix)
    if (found !== undefined) return found
    if (prefix === '') return ''
    if (prefix === 'xml') return XML
    return this.#fail(`LPX-00234: namespace prefix "${prefix}" is not declared`)
  }

  /** Every prefix is declared, and no two attributes are the same one under two prefixes. */
  checkAttributes(attributes: readonly XmlAttribute[], scope: ReadonlyMap<string, string>): void {
    if (attributes.length === 0) return
    const seen = new Set<string>()
    for (const { prefix, name } of attributes) {
      const key = prefix === '' ? name : `${this.resolve(prefix, scope)} ${name}`
      if (seen.has(key)) this.#fail(`LPX-00202: duplicate attribute "${name}"`)
      seen.add(key)
    }
  }
}
