import { type AST, parseRegExpLiteral } from '@eslint-community/regexpp'

/** A pattern as the places in it that take a character, and which may come after which. */
export interface Automaton {
  /** What each state takes, one bit for each of `LETTERS`. State 0 is the search itself: it takes anything and stays. */
  readonly takes: readonly bigint[]
  readonly next: readonly ReadonlySet<number>[]
  /** States from which the pattern has matched, whatever comes: nothing behind them can send the engine back. */
  readonly matched: ReadonlySet<number>
  /** Whether one state follows another in two ways: `(a*)*`. */
  readonly doubled: readonly (readonly [number, number])[]
}

/** Characters that stand for all others: no pattern of ours tells two of the rest apart. */
const LETTERS: readonly string[] = [
  ...Array.from({ length: 0x17f }, (_, code) => String.fromCharCode(code)),
  ...'\u0301\u2028\u2029\u2013\u2014\u2019\u201c\u201d\u2022\u2026\u20ac\u2212\ufffd字',
]
const ALL = (1n << BigInt(LETTERS.length)) - 1n

/** A repetition up to here is written out; beyond, its bound is as good as none. */
const WRITTEN_OUT = 64
const MOST_STATES = 1_000

interface Part {
  readonly first: readonly number[]
  readonly last: readonly number[]
  readonly nullable: boolean
  /** The same as `last` and `nullable` where no assertion stands in between, which might fail. */
  readonly sure_last: readonly number[]
  readonly sure_nullable: boolean
}

const EMPTY: Part = { first: [], last: [], nullable: true, sure_last: [], sure_nullable: true }
const ASSERTION: Part = { ...EMPTY, sure_nullable: false }

export class Undecided extends Error {}

class Builder {
  readonly takes: bigint[] = [ALL]
  readonly next: Set<number>[] = [new Set([0])]
  readonly doubled: [number, number][] = []
  /** Bodies of assertions: each is tried at many places, like a search of its own. */
  readonly inner: AST.Alternative[][] = []
  readonly #flags: string
  readonly #known = new Map<string, bigint>()

  constructor(flags: string) {
    this.#flags = flags.replace(/[gyd]/g, '')
  }

  state(source: string): Part {
    if (this.takes.length > MOST_STATES) throw new Undecided('it is too long to be judged')
    const at = this.takes.push(this.lettersOf(source)) - 1
    this.next.push(new Set())
    return { first: [at], last: [at], nullable: false, sure_last: [at], sure_nullable: false }
  }

  lettersOf(source: string): bigint {
    const known = this.#known.get(source)
    if (known !== undefined) return known
    const pattern = new RegExp(`^(?:${source})$`, this.#flags.replace('m', ''))
    let letters = 0n
    for (const [i, letter] of LETTERS.entries()) if (pattern.test(letter)) letters |= 1n << BigInt(i)
    this.#known.set(source, letters)
    return letters
  }

  link(from: readonly number[], to: readonly number[]): void {
    for (const one of from) {
      for (const other of to) {
        if (this.next[one]?.has(other)) this.doubled.push([one, other])
        else this.next[one]?.add(other)
      }
    }
  }

  sequence(parts: readonly Part[]): Part {
    return parts.reduce((a, b) => {
      this.link(a.last, b.first)
      return {
        first: a.nullable ? [...a.first, ...b.first] : a.first,
        last: b.nullable ? [...a.last, ...b.last] : b.last,
        nullable: a.nullable && b.nullable,
        sure_last: b.sure_nullable ? [...a.sure_last, ...b.sure_last] : b.sure_last,
        sure_nullable: a.sure_nullable && b.sure_nullable,
      }
    }, EMPTY)
  }

  either(parts: readonly Part[]): Part {
    return {
      first: parts.flatMap(({ first }) => first),
      last: parts.flatMap(({ last }) => last),
      nullable: parts.some(({ nullable }) => nullable),
      sure_last: parts.flatMap(({ sure_last }) => sure_last),
      sure_nullable: parts.some(({ sure_nullable }) => sure_nullable),
    }
  }

  optional(part: Part): Part {
    return { ...part, nullable: true, sure_nullable: true }
  }

  endless(part: Part): Part {
    this.link(part.last, part.first)
    return part
  }

  repeated({ element, min, max }: AST.Quantifier): Part {
    const copy = () => this.element(element)
    const least = Math.min(min, WRITTEN_OUT)
    if (max > WRITTEN_OUT) {
      const before = Array.from({ length: Math.max(0, least - 1) }, copy)
      const rest = this.endless(copy())
      return this.sequence([...before, min === 0 ? this.optional(rest) : rest])
    }
    let tail = EMPTY
    for (let i = max; i > min; i--) tail = this.optional(this.sequence([copy(), tail]))
    return this.sequence([...Array.from({ length: min }, copy), tail])
  }

  assertion(node: AST.Assertion): Part {
    if (node.kind === 'lookahead' || node.kind === 'lookbehind') this.inner.push(node.alternatives)
    // With the flag m a line begins behind the end of another: that character decides where a search may begin.
    if (node.kind === 'start' && this.#flags.includes('m')) return this.state('[\\n\\r\\u2028\\u2029]')
    return ASSERTION
  }

  element(node: AST.Element): Part {
    switch (node.type) {
      case 'Character':
      case 'CharacterSet':
      case 'CharacterClass':
        return this.state(node.raw)
      case 'Quantifier':
        return this.repeated(node)
      case 'Group':
      case 'CapturingGroup':
        return this.either(
          node.alternatives.map((one) => this.sequence(one.elements.map((each) => this.element(each)))),
        )
      case 'Assertion':
        return this.assertion(node)
      default:
        throw new Undecided(`${node.raw} repeats what was matched, and what that costs is not known`)
    }
  }

  /** Where one begins only behind certain characters, they are a state of their own, for the search passes them. */
  before({ elements: [head, ...rest] }: AST.Alternative): Part {
    if (head?.type !== 'Assertion') return EMPTY
    const [one, ...others] = head.kind === 'lookbehind' ? (head.alternatives[0]?.elements ?? []) : []
    const single = head.kind === 'lookbehind' && head.alternatives.length === 1 && others.length === 0
    if (single && one && ['Character', 'CharacterSet', 'CharacterClass'].includes(one.type)) {
      return this.state(head.kind === 'lookbehind' && head.negate ? `(?!${one.raw})[^]` : one.raw)
    }
    if (head.kind !== 'word' || head.negate) return EMPTY
    const word = this.lettersOf('\\w')
    const { first, nullable } = new Builder(this.#flags).peek(rest)
    return !nullable && first.every((letters) => (letters & ~word) === 0n) ? this.state('\\W') : EMPTY
  }

  peek(elements: readonly AST.Element[]): { first: bigint[]; nullable: boolean } {
    const { first, nullable } = this.sequence(elements.map((one) => this.element(one)))
    return { first: first.map((at) => this.takes[at] as bigint), nullable }
  }
}

const isAnchored = ({ elements: [head] }: AST.Alternative, flags: string): boolean =>
  flags.includes('y') ||
  (!flags.includes('m') && head?.type === 'Assertion' && head.kind === 'start') ||
  (head?.type === 'Group' && head.alternatives.every((one) => isAnchored(one, flags)))

function build(alternatives: readonly AST.Alternative[], flags: string): [Automaton, Builder['inner']] {
  const builder = new Builder(flags)
  const matched = new Set<number>()
  for (const alternative of alternatives) {
    const parts = [builder.before(alternative), ...alternative.elements.map((one) => builder.element(one))]
    const whole = builder.sequence(parts)
    if (!isAnchored(alternative, flags)) builder.link([0], whole.first)
    for (const at of whole.sure_last) matched.add(at)
  }
  const { takes, next, doubled, inner } = builder
  return [{ takes, next, doubled, matched }, inner]
}

/** The automata of a pattern: its own, and that of each assertion in it, which is tried wherever the pattern is. */
export function automataOf(source: string, flags: string): Automaton[] {
  const { pattern } = parseRegExpLiteral(`/${source}/${flags}`)
  const found: Automaton[] = []
  const open: (readonly AST.Alternative[])[] = [pattern.alternatives]
  for (let one = open.pop(); one !== undefined; one = open.pop()) {
    const [automaton, inner] = build(one, flags)
    found.push(automaton)
    open.push(...inner)
  }
  return found
}
