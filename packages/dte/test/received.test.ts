import { X509Certificate } from 'node:crypto'
import { readdirSync } from 'node:fs'
import { expect, it } from 'vitest'
import { checkTimbre } from '../src/caf/check-timbre.ts'
import { readCertificate, rsaNumbers } from '../src/certificate/x509.ts'
import { digestOf } from '../src/signature/sign.ts'
import { firstRefusal, verifySignatures } from '../src/signature/verify.ts'
import { canonicalSubtree } from '../src/xml/c14n.ts'
import { at, textAt } from '../src/xml/tree.ts'
import { parsed } from './support/emitted.ts'
import { describeWithReference, readReference, referencePath } from './support/shared.ts'

const ruleOf = (xml: Uint8Array) => firstRefusal(verifySignatures(parsed(xml)))?.rule ?? null

describeWithReference('verifying documents of others', () => {
  const files = (folder: string) =>
    readdirSync(referencePath('samples', folder)).filter((name) => name.endsWith('.xml') && !name.startsWith('caf'))
  const tampered = 'DTE--76354771-K--33--170--cleaned-mod-changed-monto.xml'
  const old = 'F60T33-ejemplo-oficial-SII.xml'

  for (const folder of ['synthetic', 'dte', 'aec']) {
    for (const name of files(folder).filter((file) => file !== tampered && file !== old)) {
      it(`accepts every signature of ${folder}/${name}`, () => {
        expect(ruleOf(readReference('samples', folder, name))).toBeNull()
      })
    }
  }

  it('accepts the stamps of real documents with the keys of the SII', () => {
    for (const name of files('dte').filter((file) => file.startsWith('DTE--') && file !== tampered)) {
      const document = parsed(readReference('samples', 'dte', name))
      const documento = at(document.root, 'Documento')
      expect(documento && checkTimbre(document, documento)).toBeNull()
    }
  })

  it('refuses the document whose amount was changed, by its signature and by its stamp', () => {
    const document = parsed(readReference('samples', 'dte', tampered))
    const documento = at(document.root, 'Documento')
    expect(ruleOf(readReference('samples', 'dte', tampered))).toBe('digest_mismatch')
    expect(documento && checkTimbre(document, documento)?.rule).toBe('bad_stamp')
  })

  it("finds the SII's example of 2003 intact without a namespace, and its certificate of another key", () => {
    const document = parsed(readReference('samples', 'dte', old))
    const dte_2003 = at(document.root, 'SetDTE', 'DTE')
    const documento = at(dte_2003, 'Documento')
    const digest = textAt(dte_2003, 'Signature', 'SignedInfo', 'Reference', 'DigestValue')
    expect(documento && digestOf([canonicalSubtree(document, documento, {})])).toBe(digest)
    expect(ruleOf(readReference('samples', 'dte', old))).toBe('key_mismatch')
  })

  it('refuses each of them when one digit of an amount changes', () => {
    for (const folder of ['synthetic', 'dte', 'aec']) {
      for (const name of files(folder)) {
        const text = readReference('samples', folder, name).toString('latin1')
        const changed = text.replace(
          /<(MntTotal|Semilla)>(\s*)(\d+)/,
          (_, tag, space, amount) => `<${tag}>${space}${Number(amount) + 1}`,
        )
        expect(changed).not.toBe(text)
        expect(ruleOf(Buffer.from(changed, 'latin1'))).not.toBeNull()
      }
    }
  })

  it('reads their certificates as OpenSSL does', () => {
    for (const [folder, name] of [...files('dte'), ...files('aec')].map(
      (file) => [file.startsWith('AEC') ? 'aec' : 'dte', file] as const,
    )) {
      for (const base64 of readReference('samples', folder, name)
        .toString('latin1')
        .match(/(?<=<X509Certificate>)[^<]+/g) ?? []) {
        const der = Buffer.from(base64, 'base64')
        const [ours, theirs] = [readCertificate(der), new X509Certificate(der)]
        expect(ours?.numbers).toEqual(rsaNumbers(theirs.publicKey))
        expect(ours?.facts.serial).toBe(theirs.serialNumber)
        expect(ours?.facts.valid_from).toBe(new Date(theirs.validFrom).toISOString())
        expect(ours?.facts.valid_until).toBe(new Date(theirs.validTo).toISOString())
        expect(theirs.subject).toContain(`CN=${ours?.facts.holder.slice(0, 5)}`)
      }
    }
  })
})
