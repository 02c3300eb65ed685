import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { XmlDocument } from 'libxml2-wasm'
import { describe, expect, it } from 'vitest'
import { canonical } from '../../src/verify/xml/canonical.ts'
import { XmlFault } from '../../src/verify/xml/fault.ts'
import { parseXml } from '../../src/verify/xml/parse.ts'
import { dte, envelope } from './kit.ts'
import { seeded } from './mutants.ts'

const SEED = Number(process.env.SEED ?? 1)
const MUTANTS = Number(process.env.MUTANTS ?? 400)

/** Canonical XML of a file, or null when it is not well formed. */
function ours(bytes: Uint8Array): string | null {
  try {
    return canonical(parseXml(bytes).root, new Map())
  } catch (failure) {
    if (failure instanceof XmlFault) return null
    throw failure
  }
}

/** `whole` takes what stands around the root with it, and is ten times as fast. */
function theirs(bytes: Uint8Array, whole = false): string | null {
  let document: XmlDocument | undefined
  try {
    document = XmlDocument.fromBuffer(bytes)
    return whole ? document.canonicalizeToString() : document.root.canonicalizeToString()
  } catch {
    return null
  } finally {
    document?.dispose()
  }
}

const CASES: Readonly<Record<string, string>> = {
  'attributes in another order': '<a z="1" b:y="2" x="3" xmlns:b="urn:b" b:a="4" xmlns:a="urn:a" a:q="5"/>',
  'single quotes and references': `<a b='"&lt;&#9;&#xA;&apos;'>&lt;&gt;&amp;&quot;&apos;&#13;&#xe1;</a>`,
  'CDATA, comments and instructions': '<?x y?><!-- c --><a>1<![CDATA[<&>]]>2<!-- d -->3<?p q  r?><?s?></a><!-- e -->',
  'line ends of other systems': '<a b="1\r\n2\r3">\r\n\r<c/>\r\n</a>',
  'namespaces declared again':
    '<a xmlns="urn:a" xmlns:p="urn:p"><b xmlns="urn:a"><p:c xmlns:p="urn:p" xmlns=""/><p:d xmlns:p="urn:q"/></b></a>',
  'an undeclared default': '<a xmlns="urn:a"><b xmlns=""><c xmlns="urn:a"/></b></a>',
  'spaces in tags': '<a  b = "1"\n\t></a  >',
}

const WRONG: Readonly<Record<string, string>> = {
  'two roots': '<a/><b/>',
  'text after the root': '<a/>x',
  'crossed tags': '<a><b></a></b>',
  'an open tag': '<a><b></b>',
  'an attribute twice': '<a b="1" b="2"/>',
  'an attribute twice by namespace': '<a xmlns:p="u" xmlns:q="u" p:b="1" q:b="2"/>',
  'attributes that touch': '<a b="1"c="2"/>',
  'an unquoted attribute': '<a b=1/>',
  'a < in an attribute': '<a b="<"/>',
  'an unknown entity': '<a>&nbsp;</a>',
  'an ampersand alone': '<a>a & b</a>',
  'a forbidden character': '<a>\u0001</a>',
  'a reference to one': '<a>&#1;</a>',
  ']]> in text': '<a>]]></a>',
  '-- in a comment': '<a><!-- a -- b --></a>',
  'an undeclared prefix': '<p:a/>',
  'a prefix without a name': '<p: xmlns:p="u"/>',
  'a name that starts with a digit': '<1a/>',
  'an XML declaration inside': '<a><?xml version="1.0"?></a>',
}

describe('the XML of the simulator', () => {
  for (const [what, xml] of Object.entries(CASES))
    it(`canonicalises as libxml2 does: ${what}`, () => {
      const bytes = Buffer.from(xml, 'utf8')
      expect(ours(bytes)).toBe(theirs(bytes))
    })

  for (const [what, xml] of Object.entries(WRONG))
    it(`is not well formed with ${what}`, () => {
      expect(ours(Buffer.from(xml, 'utf8'))).toBeNull()
    })

  it('takes no document type, however harmless', () => {
    expect(ours(Buffer.from('<!DOCTYPE a><a/>', 'utf8'))).toBeNull()
  })

  it('does not follow a file that nests without end', () => {
    expect(ours(Buffer.from('<a>'.repeat(100_000), 'utf8'))).toBeNull()
  })

  it(`says the same as libxml2 of ${MUTANTS} files with one character changed`, () => {
    const random = seeded(SEED)
    const file = envelope([dte()])
    const pieces = [
      '<',
      '>',
      '&',
      '"',
      "'",
      '/',
      ' ',
      '\r\n',
      '=',
      ':',
      '&amp;',
      '&#65;',
      '&#0;',
      '<b/>',
      '<!--x-->',
      'xmlns="u"',
      '<![CDATA[x]]>',
      ']]>',
      '-',
      'é',
    ]
    // libxml2 also refuses a namespace that is no URI; the grammar refuses those here.
    const namespaces = [...file.toString('latin1').matchAll(/xmlns(?::\w+)?="[^"]*"/g)]
    const isNamespace = (at: number) =>
      namespaces.some(({ 0: text, index }) => at >= index && at <= index + text.length)
    const apart: string[] = []
    for (let made = 0; made < MUTANTS; made++) {
      const at = 45 + random(file.length - 45)
      if (isNamespace(at)) continue
      const piece = pieces[random(pieces.length)] as string
      const mutant = Buffer.concat([
        file.subarray(0, at),
        Buffer.from(piece, 'latin1'),
        file.subarray(at + (random(2) === 0 ? 0 : 1)),
      ])
      const [one, other] = [ours(mutant), theirs(mutant, true)]
      if (one !== other) apart.push(`${JSON.stringify(piece)} at ${at}: ${one === null} ${other === null}`)
    }
    expect(apart).toEqual([])
  })
})

describe('the recorded documents of the engine', () => {
  it('canonicalise as libxml2 does', () => {
    const folder = fileURLToPath(new URL('../../../dte/test/golden/', import.meta.url))
    for (const name of readdirSync(folder).filter((one) => one.endsWith('.xml'))) {
      const bytes = readFileSync(folder + name)
      expect([name, ours(bytes)]).toEqual([name, theirs(bytes)])
    }
  })
})
