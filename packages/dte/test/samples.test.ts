import { readdirSync } from 'node:fs'
import { expect, it } from 'vitest'
import { checkTimbre, parseXml, readAec, readCaf, readEnvelope, SII_KEYS, verifySignatures } from '../src/index.ts'
import { firstRefusal } from '../src/signature/verify.ts'
import { at, type XmlElement } from '../src/xml/tree.ts'
import { describeWithReference, readReference, referencePath } from './support/shared.ts'
import { describeWithXmlsec, xmlsecVerifies } from './support/xmlsec.ts'

/**
 * Every public sample at hand: how many documents are read from it and by what its signatures are refused, null when
 * they are true; or why it is not read at all. A sample that is added must be added here.
 */
const SAMPLES: Readonly<Record<string, { documents: number; refused: string | null } | { unread: string }>> = {
  'dte/DTE--60910000-1--33--2336600.xml': { documents: 1, refused: null },
  'dte/DTE--76354771-K--33--170--cleaned.xml': { documents: 1, refused: null },
  'dte/DTE--76399752-9--33--25568--cleaned.xml': { documents: 1, refused: null },
  'dte/EnvioDTE-set-basico-certificacion.xml': { documents: 8, refused: null },
  // Its amount was changed by whoever made the sample.
  'dte/DTE--76354771-K--33--170--cleaned-mod-changed-monto.xml': { documents: 1, refused: 'digest_mismatch' },
  // The example of 2003 names a key that is not the one of its certificate.
  'dte/F60T33-ejemplo-oficial-SII.xml': { documents: 1, refused: 'key_mismatch' },
  'aec/AEC--76399752-9--33--25568--SEQ-1.xml': { documents: 1, refused: null },
  'synthetic/AEC.xml': { documents: 1, refused: null },
  'synthetic/EnvioBOLETA.xml': { documents: 2, refused: null },
  'synthetic/EnvioDTE.xml': { documents: 6, refused: null },
  'synthetic/EnvioRecibos.xml': { documents: 0, refused: null },
  'synthetic/RespuestaDTE-RecepcionEnvio.xml': { documents: 0, refused: null },
  'synthetic/RespuestaDTE-ResultadoDTE.xml': { documents: 0, refused: null },
  'synthetic/getToken-signed.xml': { documents: 0, refused: null },
  // Examples of the simplified book, which were never signed.
  'libros/libro_cvs_compras.xml': { documents: 0, refused: 'missing_signature' },
  'libros/libro_cvs_ventas.xml': { documents: 0, refused: 'missing_signature' },
  ...Object.fromEntries(
    ['compras', 'compras_exentos', 'guias', 'ventas'].map((name) => [
      `libros/libro_${name}.csv`,
      { unread: 'lines from which somebody else builds a book, no file of the SII' },
    ]),
  ),
  ...Object.fromEntries(
    [33, 34, 39, 41, 46, 52, 56, 61].map((tipo) => [
      `synthetic/caf-${tipo}-1-50.xml`,
      { unread: 'folios that a key made for tests signed, which is none of the SII' },
    ]),
  ),
  ...Object.fromEntries(
    ['signer.crt', 'signer.key', 'sii_test_idk100.key', 'sii_test_idk100.pub'].map((name) => [
      `synthetic/${name}`,
      { unread: 'a key' },
    ]),
  ),
}

const parsedFile = (bytes: Uint8Array) => {
  const parsed = parseXml(bytes, { undeclared: 'ISO-8859-1' })
  if (!parsed.ok) throw new Error(parsed.refusal.message)
  return parsed.value
}

describeWithReference('every public sample at hand', () => {
  it('is listed', () => {
    const found = ['dte', 'aec', 'libros', 'synthetic'].flatMap((folder) =>
      readdirSync(referencePath('samples', folder)).map((name) => `${folder}/${name}`),
    )
    expect(found.sort()).toEqual(Object.keys(SAMPLES).sort())
  })

  for (const [name, expected] of Object.entries(SAMPLES)) {
    const bytes = () => readReference('samples', ...name.split('/'))
    if (!('unread' in expected)) {
      it(`${name} is read, and its signatures ${expected.refused ? `refused: ${expected.refused}` : 'are true'}`, () => {
        const document = parsedFile(bytes())
        const envelope = readEnvelope(bytes(), { undeclared: 'ISO-8859-1' })
        const aec = document.root.name === 'AEC' ? readAec(bytes()) : null
        const read = aec ? Number(aec.ok) : envelope.ok ? envelope.value.documents.filter(({ ok }) => ok).length : 0
        expect([read, firstRefusal(verifySignatures(document))?.rule ?? null]).toEqual([
          expected.documents,
          expected.refused,
        ])
      })
    } else if (name.includes('/caf-')) {
      it(`${name} is refused: ${expected.unread}`, () => {
        const read = readCaf(bytes())
        expect(!read.ok && read.refusal.rule).toBe('bad_sii_signature')
      })
    }
  }
})

const PORTAL = ['DTE--76354771-K--33--170--cleaned.xml', 'DTE--76399752-9--33--25568--cleaned.xml']
/** As the free portal gave them out, before whoever collected them added the namespace. */
const asGivenOut = (name: string) =>
  readReference('samples', 'dte', name).toString('latin1').replace(' xmlns="http://www.sii.cl/SiiDte"', '')
const bytesOf = (text: string) => Buffer.from(text, 'latin1')

describeWithReference('facturas of the free portal of the SII', () => {
  it.each(PORTAL)('%s is true as the portal gave it out, its timbre by the keys of the SII', (name) => {
    const document = parsedFile(bytesOf(asGivenOut(name)))
    const documento = at(document.root, 'Documento') as XmlElement
    expect([document.root.namespace, documento.attributes.ID?.slice(0, 4)]).toEqual(['', 'MiPE'])
    expect(firstRefusal(verifySignatures(document))).toBeNull()
    expect(checkTimbre(document, documento, SII_KEYS)).toBeNull()
  })

  it('are true in the backup of the portal, a set that nobody signed', () => {
    const bare = PORTAL.map((name) => asGivenOut(name).replace(/<\?xml[^>]*\?>/, ''))
    const document = parsedFile(
      bytesOf(`<?xml version="1.0" encoding="ISO-8859-1"?>\n<SetDTE>${bare.join('')}</SetDTE>`),
    )
    expect(firstRefusal(verifySignatures(document))).toBeNull()
    const timbres = document.root.children.map((dte) => checkTimbre(document, at(dte, 'Documento') as XmlElement))
    expect(timbres).toEqual([null, null])
  })
})

describeWithXmlsec('xmlsec1 on facturas of the free portal of the SII', () => {
  describeWithReference('public ones', () => {
    it.each(PORTAL)('finds %s true with the namespace, and not as it was given out', (name) => {
      const text = asGivenOut(name)
      const named = text.replace('<DTE ', '<DTE xmlns="http://www.sii.cl/SiiDte" ')
      expect([xmlsecVerifies(bytesOf(text), 'Documento'), xmlsecVerifies(bytesOf(named), 'Documento')]).toEqual([
        false,
        true,
      ])
    })
  })
})
