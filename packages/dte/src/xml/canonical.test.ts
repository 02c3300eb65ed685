import { readdirSync } from 'node:fs'
import fc from 'fast-check'
import { XmlDocument } from 'libxml2-wasm'
import { describe, expect, it } from 'vitest'
import { asFile, emit } from '../../test/support/emitted.ts'
import { makeIdentity } from '../../test/support/keys.ts'
import { describeWithReference, readReference, referencePath } from '../../test/support/shared.ts'
import { canonicalText } from './canonical.ts'
import { decodeXml } from './decode.ts'

/** What libxml2 writes, or undefined for a text that it does not take. */
function libxml2(text: string): string | undefined {
  try {
    using document = XmlDocument.fromBuffer(Buffer.from(text, 'utf8'), { encoding: 'UTF-8' })
    const chunks: Buffer[] = []
    document.canonicalize({ write: (chunk) => chunks.push(Buffer.from(chunk)) && chunk.byteLength, close: () => true })
    return Buffer.concat(chunks).toString('utf8')
  } catch {
    return undefined
  }
}

const TEXTS = [
  'ñ',
  'a > b',
  '&lt;&gt;&amp;',
  '&quot;&apos;',
  '&#13;&#x9;',
  '\r\n\t',
  '"\'',
  '<!-- <b> > -->',
  '&#241;€',
]
const VALUES = ['', 'a > b', '&lt;&quot;&apos;', '&#10;&#9;&#13;', 'x\r\n\ty', "it's", '/>', '&#x20AC;']
const space = fc.constantFrom('', ' ', '\n', '\r\n\t')
const attribute = fc
  .tuple(
    fc.constantFrom('ID', 'b', 'a', 'p:a', 'q:a', 'p:b'),
    space,
    fc.constantFrom(...VALUES),
    fc.constantFrom('"', "'"),
  )
  .filter(([, , value, quote]) => !value.includes(quote))
  .map(([name, blank, value, quote]) => [name, `${blank}=${blank}${quote}${value}${quote}`] as const)
const declaration = fc
  .tuple(
    fc.constantFrom('xmlns', 'xmlns:p', 'xmlns:q', 'xmlns:r'),
    fc.constantFrom('urn:1', 'urn:2', 'http://www.sii.cl/SiiDte'),
  )
  .map(([name, uri]) => [name, `="${uri}"`] as const)
const attributes = fc
  .tuple(fc.array(declaration, { maxLength: 3 }), fc.array(attribute, { maxLength: 4 }))
  .map(([spaces, values]) => [...new Map([...values, ...spaces]).entries()])
const { tree } = fc.letrec<{ tree: string; inside: string }>((tie) => ({
  tree: fc
    .tuple(
      fc.constantFrom('a', 'b', 'p:c', 'q:d'),
      attributes,
      space,
      fc.array(tie('inside'), { maxLength: 3 }),
      fc.boolean(),
    )
    .map(([tag, found, blank, inside, undeclared]) => {
      const written = found.map(([name, rest]) => `${blank || ' '}${name}${rest}`).join('')
      const none = undeclared && !written.includes('xmlns=') ? ' xmlns=""' : ''
      return inside.length === 0
        ? `<${tag}${none}${written}${blank}/>`
        : `<${tag}${none}${written}${blank}>${inside.join('')}</${tag}${blank}>`
    }),
  inside: fc.oneof({ maxDepth: 4 }, fc.constantFrom(...TEXTS), tie('tree')),
}))

describe('the canonical form written here', () => {
  it('is that of libxml2 for every corner of XML a DTE may use (2,000 trees)', () => {
    let compared = 0
    fc.assert(
      fc.property(tree, space, (inner, blank) => {
        const text = `<?xml version="1.0"?>${blank}<r xmlns:p="urn:p" xmlns:q="urn:q">${inner}</r>${blank}<!-- end -->`
        const theirs = libxml2(text)
        if (theirs === undefined) return
        compared++
        expect(canonicalText(text)).toBe(theirs)
      }),
      { numRuns: 2000 },
    )
    expect(compared).toBeGreaterThan(1000)
  })

  it('is left to libxml2 for the rest', () => {
    for (const rest of [
      '<![CDATA[x]]>',
      '<?x y?>',
      '<b xml:space="preserve"/>',
      '<b xmlns="relative"/>',
      '<b xmlns="urn:a&amp;b"/>',
    ]) {
      expect(canonicalText(`<a>${rest}</a>`)).toBeUndefined()
    }
  })

  it('is left to libxml2 where an instruction begins like the declaration, and is none', () => {
    for (const start of ['<?xmla b?>', '<?xml-stylesheet href="a.xsl"?>', '<?xmla\rersion="1.0"?>']) {
      expect(libxml2(`${start}<a/>`)).toContain('<?xml')
      expect(canonicalText(`${start}<a/>`)).toBeUndefined()
    }
  })

  it('is that of libxml2 for every damaged document that is still XML (3,000 cases)', () => {
    const file = asFile(emit(33, 1, makeIdentity().signer).xml).replace(
      '<Detalle>',
      "<!-- '>' --><Detalle\n a='&#10;'>",
    )
    const damage = fc.array(fc.tuple(fc.nat(file.length - 1), fc.constantFrom(...'<>&"\'/= \r\n\tax!-;#')), {
      minLength: 1,
      maxLength: 2,
    })
    fc.assert(
      fc.property(damage, (edits) => {
        const characters = [...file]
        for (const [index, character] of edits) characters[index] = character
        const text = characters.join('')
        const theirs = libxml2(text)
        if (theirs !== undefined && !text.includes('<!DOCTYPE'))
          expect([theirs, undefined]).toContain(canonicalText(text))
      }),
      { numRuns: 3000 },
    )
  })
})

describeWithReference('the canonical form of real files', () => {
  for (const folder of ['dte', 'aec', 'synthetic', 'libros', 'caf']) {
    it(`is written here, and is that of libxml2: ${folder}`, () => {
      for (const name of readdirSync(referencePath('samples', folder)).filter((file) => file.endsWith('.xml'))) {
        const decoded = decodeXml(readReference('samples', folder, name), 'ISO-8859-1')
        if (!decoded.ok) throw new Error(decoded.refusal.message)
        expect(canonicalText(decoded.value.text)).toBe(libxml2(decoded.value.text))
      }
    })
  }
})
