import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { asFile, emit, parsed } from '../../test/support/emitted.ts'
import { makeIdentity, SIGNER_RUT, TEST_SII_KEYS } from '../../test/support/keys.ts'
import { checkTimbre } from '../caf/check-timbre.ts'
import { TIPO_NUMBERS } from '../document/tipos.ts'
import { buildSobre } from '../envelope/sobre.ts'
import { parseXml } from '../xml/parse.ts'
import { at } from '../xml/tree.ts'
import { digestOf } from './sign.ts'
import { firstRefusal, verifySignatures } from './verify.ts'

const { signer } = makeIdentity()
const ruleOf = (xml: string | Uint8Array) => firstRefusal(verifySignatures(parsed(xml)))?.rule ?? null
const dte = emit(33, 1, signer, { items: [{ description: `It's "5 < 6" & más`, quantity: 1, unit_price: 1000 }] }).xml
const sobre = await buildSobre(
  {
    emisor_rut: '76543210-3',
    envia_rut: SIGNER_RUT,
    resolucion: { date: '2026-09-01', number: 0 },
    tmst_firma: '2026-10-05T12:05:00',
    documents: [
      { tipo_dte: 33, xml: dte },
      { tipo_dte: 61, xml: emit(61, 2, signer).xml },
    ],
  },
  signer,
)
if (!sobre.ok) throw new Error(sobre.refusal.message)
const envelope = sobre.value

describe('verifying what this engine signed', () => {
  it('accepts a DTE of each tipo, its signer and its stamp', () => {
    for (const tipo of TIPO_NUMBERS) {
      const document = parsed(asFile(emit(tipo, 5, signer).xml))
      const outcome = verifySignatures(document)
      const [checked] = outcome.ok ? outcome.value : []
      expect(checked).toMatchObject({ path: 'DTE', refusal: null, signer: { rut: SIGNER_RUT } })
      expect(checked && checkTimbre(document, checked.signed, TEST_SII_KEYS)).toBeNull()
    }
  })

  it('accepts an envelope and every document in it, each by its path', () => {
    const outcome = verifySignatures(parsed(envelope))
    expect(outcome.ok && outcome.value.map(({ path, refusal }) => [path, refusal])).toEqual([
      ['EnvioDTE', null],
      ['EnvioDTE/SetDTE/DTE', null],
      ['EnvioDTE/SetDTE/DTE[2]', null],
    ])
  })

  it('accepts a document taken out of its envelope', () => {
    const [, inner = ''] = /(<DTE [\s\S]*?<\/DTE>)/.exec(envelope) ?? []
    expect(ruleOf(asFile(inner))).toBeNull()
  })
})

describe('verifying what the free portal of the SII gives out', () => {
  const bare = (xml: string) => xml.replace(/<DTE xmlns="[^"]+"/, '<DTE')

  // PROTOCOLS.md 2: the portal signs with the SII's namespace in scope and gives the document out without it.
  it('accepts a DTE whose namespace was left out after it was signed, and no change of it', () => {
    expect(bare(dte)).not.toBe(dte)
    expect(ruleOf(asFile(bare(dte)))).toBeNull()
    expect(ruleOf(asFile(bare(dte).replace(/<MntTotal>\d+/, '<MntTotal>9')))).toBe('digest_mismatch')
    expect(ruleOf(asFile(dte.replace('xmlns="http://www.sii.cl/SiiDte"', 'xmlns="http://example.cl"')))).not.toBeNull()
  })

  it('accepts a set that nobody signed, each document by itself, though two emitters chose the same ID', () => {
    const set = (...documents: readonly string[]) => `<SetDTE>\n${documents.join('\n')}\n</SetDTE>`
    const outcome = verifySignatures(parsed(asFile(set(bare(dte), bare(dte), dte))))
    expect(outcome.ok && outcome.value.map(({ path, refusal }) => [path, refusal])).toEqual([
      ['SetDTE/DTE', null],
      ['SetDTE/DTE[2]', null],
      ['SetDTE/DTE[3]', null],
    ])
    const unsigned = dte.replace(/<Signature [\s\S]*<\/Signature>/, '')
    expect(ruleOf(asFile(set(dte, unsigned)))).toBe('missing_signature')
    expect(ruleOf(asFile(set(dte.replace('<Encabezado>', '<Encabezado ID="F1T33">'))))).toBe('duplicate_id')
  })
})

describe('refusing what was changed', () => {
  it('refuses any change of the document and leaves the other documents of the envelope as they were', () => {
    const outcome = verifySignatures(parsed(envelope.replace('<MntTotal>1190<', '<MntTotal>1191<')))
    expect(outcome.ok && outcome.value.map(({ refusal }) => refusal?.rule ?? null)).toEqual([
      'digest_mismatch',
      'digest_mismatch',
      null,
    ])
  })

  it('refuses a change of what was signed about it', () => {
    const digest = /<DigestValue>([^<]+)</.exec(dte)?.[1] ?? ''
    expect(ruleOf(asFile(dte.replace(digest, digestOf(['other']))))).toBe('digest_mismatch')
    expect(ruleOf(asFile(dte.replace(/<SignatureValue>..../, '<SignatureValue>AAAA')))).toBe('bad_signature')
    const other = emit(33, 1, makeIdentity({ fresh: true }).signer).xml
    const [key_info = ''] = /<KeyInfo>[\s\S]*<\/KeyInfo>/.exec(other) ?? []
    expect(ruleOf(asFile(dte.replace(/<KeyInfo>[\s\S]*<\/KeyInfo>/, key_info)))).toBe('bad_signature')
    const [key_value = ''] = /<KeyValue>[\s\S]*<\/KeyValue>/.exec(other) ?? []
    expect(ruleOf(asFile(dte.replace(/<KeyValue>[\s\S]*<\/KeyValue>/, key_value)))).toBe('key_mismatch')
  })

  it('refuses a signature that is missing, elsewhere or one too many', () => {
    const [signature = ''] = /<Signature [\s\S]*<\/Signature>/.exec(dte) ?? []
    expect(ruleOf(asFile(dte.replace(signature, '')))).toBe('missing_signature')
    expect(ruleOf(asFile(dte.replace(signature, signature + signature)))).toBe('misplaced_signature')
    expect(ruleOf(asFile(dte.replace('</Documento>', `${signature}</Documento>`)))).toBe('misplaced_signature')
    expect(ruleOf('<a/>')).toBe('missing_signature')
  })

  it('refuses every way of wrapping a signed document around a false one', () => {
    const [signed = ''] = /<Documento [\s\S]*<\/Documento>/.exec(dte) ?? []
    const forged = signed.replace('ID="F1T33"', 'ID="X"').replace(/<MntTotal>\d+/, '<MntTotal>9')
    expect(ruleOf(asFile(dte.replace(signed, forged + signed)))).toBe('wrapped_content')
    expect(ruleOf(asFile(dte.replace(signed, signed + forged)))).toBe('wrapped_content')
    expect(ruleOf(asFile(dte.replace(signed, forged)))).toBe('wrong_reference')
    expect(ruleOf(asFile(dte.replace(signed, forged.replace('ID="X"', 'ID="F1T33"'))))).toBe('digest_mismatch')
    const in_object = dte.replace(signed, forged).replace('</KeyInfo>', `</KeyInfo><Object>${signed}</Object>`)
    expect(ruleOf(asFile(in_object))).toBe('unexpected_content')
    const in_extra = dte.replace(signed, `${forged}<Extra>${signed}</Extra>`)
    expect(ruleOf(asFile(in_extra))).toBe('wrong_reference')
  })

  it('refuses more signatures than any file has, side by side or nested, in bounded time', () => {
    const side = `<EnvioDTE><SetDTE ID="S">${'<DTE><Documento/><Signature/></DTE>'.repeat(60_000)}</SetDTE><Signature/></EnvioDTE>`
    expect(ruleOf(side)).toBe('too_many_signatures')
    const nested = `${'<DTE><Documento>'.repeat(100)}x${'</Documento><Signature/></DTE>'.repeat(100)}`
    expect(ruleOf(nested)).toBe('too_many_signatures')
  })

  it('refuses an ID that appears twice', () => {
    expect(ruleOf(asFile(dte.replace('<Encabezado>', '<Encabezado ID="F1T33">')))).toBe('duplicate_id')
    expect(ruleOf(envelope.replace('ID="F2T61"', 'ID="F1T33"'))).toBe('duplicate_id')
  })

  it('refuses any algorithm, transform or reference outside the profile', () => {
    const swap = (from: string, to: string) => ruleOf(asFile(dte.replace(from, to)))
    expect(swap('#rsa-sha1"', '#hmac-sha1"')).toBe('unsupported_algorithm')
    expect(swap('xmldsig#sha1"', 'xmlenc#sha256"')).toBe('unsupported_algorithm')
    expect(
      swap(
        '<CanonicalizationMethod Algorithm="http://www.w3.org/TR/2001/REC-xml-c14n-20010315"',
        '<CanonicalizationMethod Algorithm="http://www.w3.org/2001/10/xml-exc-c14n#"',
      ),
    ).toBe('unsupported_algorithm')
    expect(
      swap(
        '<Transform Algorithm="http://www.w3.org/TR/2001/REC-xml-c14n-20010315"',
        '<Transform Algorithm="http://www.w3.org/TR/1999/REC-xslt-19991116"',
      ),
    ).toBe('unsupported_transform')
    expect(
      swap(
        '</Transforms>',
        '<Transform Algorithm="http://www.w3.org/2000/09/xmldsig#enveloped-signature"></Transform></Transforms>',
      ),
    ).toBe('unsupported_transform')
    expect(swap('URI="#F1T33"', `URI="#xpointer(id('F1T33'))"`)).toBe('unsupported_reference')
    expect(swap('URI="#F1T33"', 'URI="http://example.cl/a.xml"')).toBe('unsupported_reference')
    expect(swap('URI="#F1T33"', 'URI=""')).toBe('wrong_reference')
    expect(swap('</Reference>', '</Reference><Reference URI="#F1T33"></Reference>')).toBe('unexpected_content')
    expect(swap('<X509Data>', '<KeyName>k</KeyName><X509Data>')).toBeNull()
    expect(ruleOf(asFile(dte.replace(/<X509Data>[\s\S]*<\/X509Data>/, '')))).toBe('missing_certificate')
    expect(ruleOf(asFile(dte.replace(/<X509Certificate>..../, '<X509Certificate>AAAA')))).toBe('bad_certificate')
  })

  it('is right about every damaged copy: none verifies, none throws (2,000 cases)', () => {
    const file = Buffer.from(asFile(dte), 'latin1')
    const canonical = parsed(file).canonical
    const damage = fc.array(fc.tuple(fc.nat(file.length - 1), fc.nat(255)), { minLength: 1, maxLength: 3 })
    fc.assert(
      fc.property(damage, (edits) => {
        const copy = Buffer.from(file)
        for (const [index, byte] of edits) copy[index] = byte
        const outcome = parseXml(copy)
        // Outside what is signed stand only the certificate's own encoding and the root's tag.
        if (!outcome.ok || outcome.value.canonical === canonical) return
        const unchanged = (name: string) => {
          const [before, after] = [parsed(file), outcome.value].map((document) => {
            const element = at(document.root, name)
            return element && document.canonical.slice(element.start, element.end)
          })
          return before === after
        }
        if (unchanged('Documento')) return
        expect(firstRefusal(verifySignatures(outcome.value))).not.toBeNull()
      }),
      { numRuns: 2000 },
    )
  })
})
