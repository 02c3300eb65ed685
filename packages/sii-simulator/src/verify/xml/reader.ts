import { CUT_SHORT, XmlFault } from './fault.ts'
import { Names, NOTHING_DECLARED } from './names.ts'
import type { Instruction, XmlNode } from './node.ts'

type Building = { -readonly [Key in keyof XmlNode]: XmlNode[Key] } & {
  elements: Building[]
  content: (Building | string | Instruction)[]
}

const NAME =
  /[:A-Z_a-z\xc0-\xd6\xd8-\xf6\xf8-\u02ff\u0370-\u037d\u037f-\u1fff\u200c-\u200d\u2070-\u218f\u2c00-\u2fef\u3001-\ud7ff\uf900-\ufdcf\ufdf0-\ufffd][-.0-9:A-Z_a-z\xb7\xc0-\xd6\xd8-\xf6\xf8-\u037d\u037f-\u1fff\u200c-\u200d\u203f\u2040\u2070-\u218f\u2c00-\u2fef\u3001-\ud7ff\uf900-\ufdcf\ufdf0-\ufffd]*/y
const MAX_DEPTH = 100
/** Each element that declares one copies those around it. */
const MAX_NAMESPACES = 50
const NAMED: ReadonlyMap<string, string> = new Map([
  ['amp', '&'],
  ['lt', '<'],
  ['gt', '>'],
  ['quot', '"'],
  ['apos', "'"],
])

/** Reads well-formed text into a tree, from the root to its end. */
export class Reader {
  readonly source: string
  at = 0
  line = 1
  /** Up to where lines were counted. */
  counted = 0
  readonly names = new Names((message) => this.fail(message))

  constructor(source: string) {
    this.source = source
  }

  fail(message: string, at = this.at): never {
    throw new XmlFault(message, this.source, at)
  }

  document(from: number): XmlNode {
    this.at = from
    this.misc()
    if (this.at >= this.source.length) this.fail('LPX-00201: no root element')
    const root = this.element()
    this.misc()
    if (this.at < this.source.length) this.fail('LPX-00245: extra data after end of document')
    return root
  }

  /** White space, comments and instructions around the root. */
  misc(): void {
    for (;;) {
      this.space()
      if (this.source.startsWith('<!--', this.at)) this.comment()
      else if (this.source.startsWith('<?', this.at)) this.instruction()
      else return
    }
  }

  space(): number {
    const start = this.at
    for (; ; this.at++) {
      const code = this.source.charCodeAt(this.at)
      if (code !== 0x20 && code !== 0x0a && code !== 0x0d && code !== 0x09) return this.at - start
    }
  }

  comment(): void {
    const end = this.source.indexOf('--', this.at + 4)
    if (end === -1 || this.source[end + 2] !== '>') this.fail('LPX-00215: "--" inside a comment')
    this.at = end + 3
  }

  instruction(): Instruction {
    this.at += 2
    const target = this.name()
    if (target.toLowerCase() === 'xml') this.fail('LPX-00209: PI names starting with XML are reserved')
    const end = this.source.indexOf('?>', this.at)
    if (end === -1) this.fail('LPX-00221: unterminated processing instruction')
    if (end > this.at && this.space() === 0) this.fail('LPX-00210: expected space after the target of an instruction')
    const data = unix(this.source.slice(this.at, end))
    this.at = end + 2
    return { target, data }
  }

  name(): string {
    NAME.lastIndex = this.at
    const found = NAME.exec(this.source)
    if (found === null) this.fail('LPX-00231: invalid character in a name')
    this.at += found[0].length
    return found[0]
  }

  /** The root and all under it, without recursion: a hostile file nests as deep as it likes. */
  element(): XmlNode {
    const root = this.startTag(null, NOTHING_DECLARED)
    if (root.closed) return root.node
    const scopes = [root.scope]
    let node = root.node
    for (;;) {
      const next = this.source.indexOf('<', this.at)
      if (next === -1) this.fail(CUT_SHORT)
      if (next > this.at) pushText(node, this.text(next))
      const second = this.source.charCodeAt(next + 1)
      this.at = next
      if (second === 0x2f) {
        this.endTag(node)
        if (node.parent === null) return node
        node = node.parent as Building
        scopes.pop()
      } else if (second === 0x21) this.declaration(node)
      else if (second === 0x3f) node.content.push(this.instruction())
      else {
        if (scopes.length > MAX_DEPTH) this.fail('LPX-00004: elements are nested too deep')
        const opened = this.startTag(node, scopes[scopes.length - 1] as ReadonlyMap<string, string>)
        if (!opened.closed) {
          node = opened.node
          scopes.push(opened.scope)
        }
      }
    }
  }

  /** A comment or a CDATA section. */
  declaration(node: Building): void {
    if (this.source.startsWith('<!--', this.at)) {
      this.comment()
      return
    }
    if (!this.source.startsWith('<![CDATA[', this.at)) this.fail('LPX-00210: expected an element, a comment or CDATA')
    const end = this.source.indexOf(']]>', this.at)
    if (end === -1) this.fail(CUT_SHORT)
    if (end > this.at + 9) pushText(node, unix(this.source.slice(this.at + 9, end)))
    this.at = end + 3
  }

  text(end: number): string {
    const raw = this.source.slice(this.at, end)
    if (raw.includes(']]>')) this.fail('LPX-00210: "]]>" in text')
    return raw.includes('&') ? this.references(unix(raw)) : unix(raw)
  }

  references(raw: string): string {
    return raw.replace(/&([^;&]*;?)/g, (_, reference: string) => {
      if (!reference.endsWith(';')) this.fail('LPX-00241: entity reference is not well formed')
      const name = reference.slice(0, -1)
      const named = NAMED.get(name)
      if (named !== undefined) return named
      const code = /^#(?:x([0-9a-fA-F]+)|([0-9]+))$/.exec(name)
      if (code === null) this.fail(`LPX-00118: undefined general entity "${name}"`)
      const point = code[1] === undefined ? Number(code[2]) : Number.parseInt(code[1], 16)
      if (!isCharacter(point)) this.fail('LPX-00217: invalid character reference')
      return String.fromCodePoint(point)
    })
  }

  startTag(parent: Building | null, around: ReadonlyMap<string, string>) {
    const start = this.at
    this.countLines(start)
    this.at++
    const qualified = this.name()
    let attributes: [string, string][] | undefined
    for (;;) {
      const spaced = this.space() > 0
      const code = this.source.charCodeAt(this.at)
      if (code === 0x3e || code === 0x2f) break
      if (!spaced) this.fail('LPX-00210: expected space before an attribute')
      const name = this.name()
      this.space()
      if (this.source[this.at] !== '=') this.fail('LPX-00210: expected "=" after the name of an attribute')
      this.at++
      this.space()
      attributes ??= []
      attributes.push([name, this.attributeValue()])
    }
    const closed = this.source.charCodeAt(this.at) === 0x2f
    if (closed && this.source[++this.at] !== '>') this.fail('LPX-00210: expected ">"')
    this.at++
    const { declared, plain } = this.names.separate(attributes)
    if (declared.size > 0 && around.size + declared.size > MAX_NAMESPACES) this.fail('LPX-00004: too many namespaces')
    const scope = declared.size === 0 ? around : new Map([...around, ...declared])
    const [prefix, name] = this.names.split(qualified)
    const node: Building = {
      name,
      prefix,
      namespace: this.names.resolve(prefix, scope),
      attributes: plain,
      declared,
      parent,
      elements: [],
      content: [],
      start,
      end: closed ? this.at : 0,
      line: this.line,
    }
    this.names.checkAttributes(plain, scope)
    parent?.elements.push(node)
    parent?.content.push(node)
    return { node, scope, closed }
  }

  attributeValue(): string {
    const quote = this.source[this.at]
    if (quote !== '"' && quote !== "'") this.fail('LPX-00218: expected a quoted value')
    const end = this.source.indexOf(quote, this.at + 1)
    if (end === -1) this.fail(CUT_SHORT)
    const raw = this.source.slice(this.at + 1, end)
    if (raw.includes('<')) this.fail('LPX-00219: "<" in the value of an attribute')
    this.at = end + 1
    const spaced = unix(raw).replace(/[\n\t]/g, ' ')
    return spaced.includes('&') ? this.references(spaced) : spaced
  }

  endTag(node: Building): void {
    const written = node.prefix === '' ? node.name : `${node.prefix}:${node.name}`
    this.at += 2
    if (!this.source.startsWith(written, this.at))
      this.fail(`LPX-00225: end-element tag does not match start-element tag "${written}"`)
    this.at += written.length
    this.space()
    if (this.source[this.at] !== '>')
      this.fail(`LPX-00225: end-element tag does not match start-element tag "${written}"`)
    this.at++
    node.end = this.at
  }

  countLines(to: number): void {
    for (let next = this.source.indexOf('\n', this.counted); next !== -1 && next < to; ) {
      this.line++
      this.counted = next + 1
      next = this.source.indexOf('\n', this.counted)
    }
  }
}

/** Text that a comment or CDATA cut in two is one text. */
function pushText(node: Building, value: string): void {
  const last = node.content.length - 1
  const before = node.content[last]
  if (typeof before === 'string') node.content[last] = before + value
  else node.content.push(value)
}

/** Line ends as XML gives them to a reader. */
function unix(raw: string): string {
  return raw.includes('\r') ? raw.replace(/\r\n?/g, '\n') : raw
}

function isCharacter(point: number): boolean {
  if (point < 0x20) return point === 0x09 || point === 0x0a || point === 0x0d
  return point <= 0xd7ff || (point >= 0xe000 && point <= 0xfffd) || (point >= 0x10000 && point <= 0x10ffff)
}
