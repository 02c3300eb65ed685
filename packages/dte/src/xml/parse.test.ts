import fc from 'fast-check'
import { XmlDocument as LibXmlDocument, type XmlElement as LibXmlElement } from 'libxml2-wasm'
import { describe, expect, it } from 'vitest'
import { canonicalSubtree } from './c14n.ts'
import { parseXml } from './parse.ts'
import { rawElements } from './raw.ts'
import { at, textAt, walk, type XmlElement } from './tree.ts'

const utf8 = (text: string) => Buffer.from(text, 'utf8')
const latin1 = (text: string) => Buffer.from(text, 'latin1')
const ruleOf = (bytes: Uint8Array, limits = {}) => {
  const outcome = parseXml(bytes, limits)
  return outcome.ok ? null : outcome.refusal.rule
}
const rootOf = (bytes: Uint8Array): XmlElement => {
  const outcome = parseXml(bytes)
  if (!outcome.ok) throw new Error(outcome.refusal.message)
  return outcome.value.root
}

describe('reading a file', () => {
  it('gives elements by local name with decoded text, attributes and namespaces', () => {
    const root = rootOf(
      utf8('<a xmlns="urn:x" xmlns:p="urn:p" n="1 &lt; 2"><p:b>x &amp; y</p:b><c><![CDATA[<z>]]></c><d/></a>'),
    )
    expect([root.name, root.namespace, root.attributes.n]).toEqual(['a', 'urn:x', '1 < 2'])
    expect([at(root, 'b')?.namespace, textAt(root, 'b'), textAt(root, 'c'), textAt(root, 'd')]).toEqual([
      'urn:p',
      'x & y',
      '<z>',
      '',
    ])
    expect(textAt(root, 'e')).toBeUndefined()
  })

  it('leaves out comments and instructions, wherever they stand', () => {
    expect(textAt(rootOf(utf8('<!-- a --><?x y?><a><b>o<!-- <b>no</b> -->n<?x <b>no</b> ?>e</b></a>')), 'b')).toBe(
      'one',
    )
  })

  it('reads ISO-8859-1, windows-1252 and UTF-8 by what the file declares', () => {
    const file = (encoding: string) => `<?xml version="1.0" encoding="${encoding}"?><a>ñ</a>`
    expect(rootOf(latin1(file('ISO-8859-1'))).text).toBe('ñ')
    expect(rootOf(latin1(file('windows-1252'))).text).toBe('ñ')
    expect(rootOf(utf8(file('UTF-8'))).text).toBe('ñ')
    expect(
      rootOf(Buffer.from([...latin1('<?xml version="1.0" encoding="windows-1252"?><a>'), 0x80, ...latin1('</a>')]))
        .text,
    ).toBe('€')
  })

  it('tells when a file that declares ISO-8859-1 holds UTF-8', () => {
    const outcome = parseXml(utf8('<?xml version="1.0" encoding="ISO-8859-1"?><a>ñ</a>'))
    expect(outcome.ok && [outcome.value.encoding, outcome.value.suspect_encoding, outcome.value.root.text]).toEqual([
      'ISO-8859-1',
      true,
      'Ã±',
    ])
  })

  it('forgives a byte order mark and blank lines before the declaration', () => {
    expect(rootOf(utf8('\ufeff\r\n<?xml version="1.0"?><a>ñ</a>')).text).toBe('ñ')
  })

  it('cuts elements out exactly as they were written', () => {
    const source = `<a><!-- <b>no</b> --><b x='>'>1<b/></b><![CDATA[<b>]]><b/></a>`
    expect(rawElements(source, 'b')).toEqual([`<b x='>'>1<b/></b>`, '<b/>'])
  })
})

describe('refusing a file', () => {
  it('refuses a document type, before any entity can be expanded', () => {
    const levels = Array.from({ length: 12 }, (_, n) => `<!ENTITY e${n + 1} "${`&e${n};`.repeat(10)}">`).join('')
    expect(ruleOf(utf8(`<!DOCTYPE a [<!ENTITY e0 "ha">${levels}]><a>&e12;</a>`))).toBe('dtd')
    expect(ruleOf(utf8('<!DOCTYPE a SYSTEM "file:///etc/passwd"><a/>'))).toBe('dtd')
    expect(ruleOf(utf8('<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]><a>&x;</a>'))).toBe('dtd')
    expect(ruleOf(utf8('<a>&undeclared;</a>'))).toBe('not_well_formed')
  })

  it('refuses by size and by number of nodes before parsing', () => {
    expect(ruleOf(utf8(`<a>${'x'.repeat(100)}</a>`), { max_bytes: 100 })).toBe('too_large')
    expect(ruleOf(utf8(`<a>${'<b/>'.repeat(100)}</a>`), { max_nodes: 100 })).toBe('too_many_nodes')
    expect(
      ruleOf(utf8(`<a ${Array.from({ length: 200 }, (_, n) => `n${n}=""`).join(' ')}/>`), { max_nodes: 100 }),
    ).toBe('too_many_nodes')
  })

  it('refuses a crowd of namespaces, which every element would have to carry', () => {
    const crowd = Array.from({ length: 5000 }, (_, n) => `xmlns:p${n}="urn:${n}"`).join(' ')
    expect(ruleOf(utf8(`<a ${crowd}>${'<b xmlns:q="urn:q"/>'.repeat(5000)}</a>`))).toBe('unsupported_namespace')
    expect(ruleOf(utf8(`<a xmlns:${'p'.repeat(300)}="urn:p"/>`))).toBe('unsupported_namespace')
  })

  it('refuses elements nested without end', () => {
    expect(ruleOf(utf8('<a>'.repeat(100_000)))).toBe('not_well_formed')
  })

  it('refuses a truncated file, wherever it was cut', () => {
    const whole = '<?xml version="1.0"?><a><b c="d">e</b></a>'
    for (let length = 0; length < whole.length; length++) expect(ruleOf(utf8(whole.slice(0, length)))).not.toBeNull()
    expect(ruleOf(utf8('<a><b>e</b>'))).toBe('truncated')
    expect(ruleOf(utf8(''))).toBe('empty')
  })

  it('refuses bytes that are not what the file declares, and encodings the SII does not use', () => {
    expect(ruleOf(latin1('<?xml version="1.0" encoding="UTF-8"?><a>ñ</a>'))).toBe('wrong_encoding')
    expect(ruleOf(latin1('<a>ñ</a>'))).toBe('wrong_encoding')
    expect(ruleOf(latin1('<a>ñ</a>'), { undeclared: 'ISO-8859-1' })).toBeNull()
    expect(ruleOf(Buffer.from('\ufeff<a/>', 'utf16le'))).toBe('unsupported_encoding')
    expect(ruleOf(utf8('<?xml version="1.0" encoding="EBCDIC-CP-ES"?><a/>'))).toBe('unsupported_encoding')
  })

  it('names the line of what is wrong', () => {
    const outcome = parseXml(utf8('<a>\n<b></c></a>'))
    expect(!outcome.ok && outcome.refusal.path).toContain('line 2')
  })
})

const name = fc.constantFrom('a', 'b', 'Documento', 'p:c', 'q:d')
const attributes = fc.dictionary(fc.constantFrom('ID', 'x', 'p:y'), fc.string({ maxLength: 8 }), { maxKeys: 3 })
const declarations = fc.dictionary(
  fc.constantFrom('xmlns', 'xmlns:p', 'xmlns:q', 'xmlns:xsi'),
  fc.constantFrom('urn:1', 'urn:2'),
  { maxKeys: 3 },
)
const quoted = (text: string) => text.replace(/[^ -~ñ]/g, '').replace(/[&<>"]/g, (c) => `&#${c.charCodeAt(0)};`)
const { tree } = fc.letrec<{ tree: string; inside: string }>((tie) => ({
  tree: fc
    .tuple(name, declarations, attributes, fc.array(tie('inside'), { maxLength: 3 }))
    .map(([tag, spaces, values, inside]) => {
      const written = Object.entries({ ...spaces, ...values })
        .map(([key, value]) => ` ${key}="${quoted(value)}"`)
        .join('')
      return `<${tag}${written}>${inside.join('')}</${tag}>`
    }),
  inside: fc.oneof(
    { maxDepth: 4 },
    fc.constantFrom('ñ &amp; "o"', ' ', '<!-- c -->', '<![CDATA[<&]]>', "<e f='1'/>"),
    tie('tree'),
  ),
}))

describe('5,000 generated files', () => {
  it('give the canonical form that libxml2 gives for each subtree (1,000 trees)', () => {
    fc.assert(
      fc.property(tree, (inner) => {
        const bytes = utf8(`<r xmlns:p="urn:p" xmlns:q="urn:q">${inner}</r>`)
        const ours = parseXml(bytes)
        if (!ours.ok) throw new Error(ours.refusal.message)
        using theirs = LibXmlDocument.fromBuffer(bytes)
        const found = [...walk(ours.value.root)]
        const elements = theirs.find('//*') as LibXmlElement[]
        expect(found.length).toBe(elements.length)
        for (const [index, element] of found.entries()) {
          expect(canonicalSubtree(ours.value, element, element.namespaces)).toBe(
            elements[index]?.canonicalizeToString(),
          )
        }
      }),
      { numRuns: 1000 },
    )
  })

  it('never throw and never hang, whatever the bytes (2,000 random, 2,000 damaged)', () => {
    const seed = latin1(
      '<?xml version="1.0" encoding="ISO-8859-1"?><DTE xmlns="urn:x"><Documento ID="A">ñ &amp; <b c="d"/></Documento></DTE>',
    )
    const damaged = fc
      .array(fc.tuple(fc.nat(seed.length - 1), fc.nat(255)), { minLength: 1, maxLength: 6 })
      .map((edits) => {
        const copy = Buffer.from(seed)
        for (const [index, byte] of edits) copy[index] = byte
        return copy
      })
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => void parseXml(bytes)),
      { numRuns: 2000 },
    )
    fc.assert(
      fc.property(damaged, (bytes) => void parseXml(bytes)),
      { numRuns: 2000 },
    )
  })
})
