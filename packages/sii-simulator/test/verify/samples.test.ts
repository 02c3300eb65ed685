import { createPublicKey, X509Certificate } from 'node:crypto'
import { expect, it } from 'vitest'
import { openTrust } from '../../src/verify/certificate.ts'
import { openVerifier } from '../../src/verify/open.ts'
import { readDocument } from '../../src/verify/read-document.ts'
import { checkAlone } from '../../src/verify/signature.ts'
import { openTimbres } from '../../src/verify/timbre.ts'
import type { KnownDocument } from '../../src/verify/verdict.ts'
import { child, find, type XmlNode } from '../../src/verify/xml/node.ts'
import { parseXml } from '../../src/verify/xml/parse.ts'
import { view } from './kit.ts'
import { describeWithReference, reference } from './official.ts'

describeWithReference('files that others made', () => {
  const sample = (...parts: readonly string[]) => reference('samples', ...parts)
  const siiKey = (idk: string) => new X509Certificate(sample('sii-keys', `${idk}.cer`)).publicKey
  const synthetic = openVerifier({
    trusted_ca: [sample('synthetic', 'signer.crt').toString()],
    caf_keys: new Map([['100', createPublicKey(sample('synthetic', 'sii_test_idk100.pub'))]]),
  })
  const inCertification = view({
    ambiente: 'certificacion',
    taxpayer: (rut) => ({ rut, resolution: null, tipos: null, actecos: null }),
  })

  it('are accepted in the golden envelope, but for the note that stands before its original', () => {
    const verdict = synthetic.verify(sample('synthetic', 'EnvioDTE.xml'), inCertification)
    expect(verdict.documents.map(({ tipo, outcome, findings }) => [tipo, outcome, findings[0]?.code])).toEqual([
      [33, 'accepted', undefined],
      [34, 'accepted', undefined],
      [46, 'accepted', undefined],
      [52, 'accepted', undefined],
      [56, 'rejected', 'REF-3-750'],
      [61, 'accepted', undefined],
    ])
  })

  it('are accepted in the golden envelope of boletas', () => {
    const verdict = synthetic.verify(sample('synthetic', 'EnvioBOLETA.xml'), { ...inCertification, channel: 'boleta' })
    expect(verdict.documents.map(({ tipo, outcome }) => [tipo, outcome])).toEqual([
      [39, 'accepted'],
      [41, 'accepted'],
    ])
  })

  it('annotate the golden cesión of a document that was received', () => {
    const { documents } = synthetic.verify(sample('synthetic', 'EnvioDTE.xml'), inCertification)
    const verdict = synthetic.verifyAec(sample('synthetic', 'AEC.xml'), {
      ...inCertification,
      document: (_, tipo) => documents.find((document) => document.tipo === tipo) as KnownDocument,
      holder: () => null,
    })
    expect(verdict).toMatchObject({ estado: 'EOK', cesiones: [{ cesionario: '78901234-2' }] })
  })

  it('stop at their certificate, whose authority is not ours, and not at their signature', () => {
    const verdict = synthetic.verify(sample('dte', 'EnvioDTE-set-basico-certificacion.xml'), inCertification)
    expect(verdict).toMatchObject({ estado: 'RFR', findings: [{ code: 'ENV-3-901' }] })
    const real = synthetic.verifyAec(sample('aec', 'AEC--76399752-9--33--25568--SEQ-1.xml'), {
      ...inCertification,
      holder: () => null,
    })
    expect(real.findings[0]?.detail).toMatch(/autoridad acreditada/)
  })

  const read = openTrust([])
  const dteOf = (name: string): { dte: XmlNode; source: string } => {
    const { root, source } = parseXml(sample('dte', name))
    return { dte: root.name === 'DTE' ? root : (find(root, 'SetDTE', 'DTE') as XmlNode), source }
  }
  const signatureOf = (name: string) => {
    const { dte } = dteOf(name)
    const checked = checkAlone(dte, child(dte, 'Signature'), dte.elements[0], read)
    return checked.ok ? 'ok' : checked.fault
  }

  it('verify alone: with the default namespace, or with none at all', () => {
    expect(signatureOf('DTE--76354771-K--33--170--cleaned.xml')).toBe('ok')
    expect(signatureOf('DTE--76399752-9--33--25568--cleaned.xml')).toBe('ok')
    expect(signatureOf('DTE--60910000-1--33--2336600.xml')).toBe('ok')
    expect(signatureOf('EnvioDTE-set-basico-certificacion.xml')).toBe('ok')
  })

  it('do not verify when one figure was changed', () => {
    expect(signatureOf('DTE--76354771-K--33--170--cleaned-mod-changed-monto.xml')).toBe('digest')
  })

  it('have timbres of CAFs that the SII really gave', () => {
    const check = openTimbres(
      new Map([
        ['100', siiKey('100')],
        ['300', siiKey('300')],
      ]),
    )
    for (const name of [
      'DTE--76354771-K--33--170--cleaned.xml',
      'DTE--76399752-9--33--25568--cleaned.xml',
      'EnvioDTE-set-basico-certificacion.xml',
    ]) {
      const { dte, source } = dteOf(name)
      expect([name, check(readDocument(dte), source, view())]).toEqual([name, []])
    }
  })
})
