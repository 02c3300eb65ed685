import { describe, expect, it } from 'vitest'
import { TIPO_NUMBERS } from '../src/document/tipos.ts'
import { C14N, DSIG } from '../src/signature/sign.ts'
import { buildGetToken } from '../src/signature/token.ts'
import { rawElements } from '../src/xml/raw.ts'
import { asFile, emit } from './support/emitted.ts'
import { schemaFault } from './support/envelope-xsd.ts'
import { identity, KINDS, refusalOf, signer } from './support/kinds.ts'
import { describeWithReference } from './support/shared.ts'
import { describeWithXmlsec, xmlsecSigns, xmlsecVerifies } from './support/xmlsec.ts'

const token = await buildGetToken('012345678901', signer)

describe('every kind of file', () => {
  for (const [kind, { xml }] of Object.entries(KINDS)) {
    it(`${kind} verifies, in itself and in everything signed inside it`, () => expect(refusalOf(xml)).toBeNull())
  }

  it('getToken verifies over the whole request', () => {
    expect(refusalOf(token)).toBeNull()
    expect(refusalOf(token.replace('012345678901', '012345678902'))?.rule).toBe('digest_mismatch')
  })
})

describeWithReference('the official schema', () => {
  for (const [kind, { xml, schema }] of Object.entries(KINDS)) {
    it(`takes ${kind}`, () => expect(schemaFault(xml, schema)).toBeNull())
  }
})

describeWithXmlsec('xmlsec1', () => {
  for (const [kind, { xml, body, inner = {} }] of Object.entries(KINDS)) {
    it(`agrees with the signatures of ${kind}`, () => {
      expect(xmlsecVerifies(xml, body)).toBe(true)
      for (const [container, signed] of Object.entries(inner)) {
        const found = rawElements(xml, container)
        expect(found.length).toBeGreaterThan(0)
        expect(xmlsecVerifies(asFile(found.at(-1) ?? ''), signed)).toBe(true)
      }
    })
  }

  it('agrees with the DTE of each tipo as it was emitted', () => {
    for (const number of TIPO_NUMBERS)
      expect(xmlsecVerifies(asFile(emit(number, 3, signer).xml), 'Documento')).toBe(true)
  })

  it('agrees that a changed file is false', () => {
    for (const { xml, body } of [KINDS.EnvioDTE, KINDS.AEC].filter((kind) => kind !== undefined)) {
      expect(xmlsecVerifies(xml.replace('2026-10-05', '2026-10-06'), body)).toBe(false)
    }
  })

  it('agrees with getToken', () => expect(xmlsecVerifies(token, 'getToken')).toBe(true))

  it('signs what we verify, and what it signed is refused once changed', () => {
    const empty =
      `<Signature xmlns="${DSIG}"><SignedInfo><CanonicalizationMethod Algorithm="${C14N}"/><SignatureMethod Algorithm="${DSIG}rsa-sha1"/>` +
      `<Reference URI="#F1T33"><Transforms><Transform Algorithm="${C14N}"/></Transforms><DigestMethod Algorithm="${DSIG}sha1"/><DigestValue/></Reference>` +
      '</SignedInfo><SignatureValue/><KeyInfo><KeyValue/><X509Data><X509Certificate/></X509Data></KeyInfo></Signature>'
    const [documento = ''] = rawElements(emit(33, 1, signer).xml, 'Documento')
    for (const namespace of [' xmlns="http://www.sii.cl/SiiDte"', '']) {
      const template = asFile(`<DTE${namespace} version="1.0">\n${documento}\n${empty}</DTE>`)
      const signed = xmlsecSigns(template, 'Documento', identity.key_pem, identity.certificate_pem).toString('latin1')
      expect(refusalOf(signed)).toBeNull()
      expect(refusalOf(signed.replace('<Folio>1<', '<Folio>2<'))?.rule).toBe('digest_mismatch')
    }
  })
})
