import { readdirSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { draft, item } from '../../test/support/samples.ts'
import { describeWithReference, readReference, referencePath } from '../../test/support/shared.ts'
import { buildDocumento } from '../document/build.ts'
import type { Totals } from '../document/document.ts'
import { completeDraft, computeTotals } from '../document/totals.ts'
import { readEnvelope } from './read-envelope.ts'

const STAMP = { ted: '<TED version="1.0"></TED>', tmst_firma: '2026-10-05T12:00:00' }
const documento = buildDocumento(completeDraft(draft(33, { items: [item({ description: 'Ñandú' })] }), 7), STAMP)
const file = (xml: string, encoding = 'ISO-8859-1') => `<?xml version="1.0" encoding="${encoding}"?>\n${xml}`
const dte = (inner: string) => `<DTE xmlns="http://www.sii.cl/SiiDte" version="1.0">${inner}</DTE>`
const latin1 = (xml: string) => Buffer.from(xml, 'latin1')

function only(bytes: Uint8Array) {
  const envelope = readEnvelope(bytes)
  if (!envelope.ok) throw new Error(envelope.refusal.message)
  const [document] = envelope.value.documents
  if (document === undefined || !document.ok) throw new Error(document?.refusal.message)
  return document.value
}

const ruleOf = (bytes: Uint8Array) => {
  const read = readEnvelope(bytes)
  if (!read.ok) return read.refusal.rule
  const [document] = read.value.documents
  return document === undefined || document.ok ? 'ok' : document.refusal.rule
}

describe('reading forgives', () => {
  it('a missing namespace, spaces between elements and unknown elements', () => {
    const loose = documento.replaceAll('><', '> \n <').replace('<Receptor>', '<Novedad>1</Novedad><Receptor>')
    expect(only(latin1(file(`<DTE version="1.0">${loose}</DTE>`))).dte).toMatchObject({
      folio: 7,
      items: [{ amount: 5000 }],
    })
  })

  it('a RUT with dots, zeros or a small k, and amounts with a decimal part of zeros', () => {
    const odd = documento
      .replace('<RUTEmisor>76543210-3', '<RUTEmisor>076.543.210-3')
      .replace('<RUTRecep>77123456-9', '<RUTRecep>60803000-k')
      .replace('<MntTotal>5950<', '<MntTotal>5950.00<')
    const read = only(latin1(file(dte(odd))))
    expect(read.dte).toMatchObject({
      emisor: { rut: '76543210-3' },
      receptor: { rut: '60803000-K' },
      totals: { total: 5950 },
    })
    expect(read.warnings).toEqual([])
  })

  it('a value that is none: it is left out with a warning that names our field', () => {
    const odd = documento.replace('<QtyItem>2<', '<QtyItem>dos<').replace('<PrcItem>2500<', '<PrcItem>2.500,00<')
    const read = only(latin1(file(dte(odd))))
    expect(read.warnings.map(({ path, rule }) => `${path} ${rule}`)).toEqual([
      'items[0].quantity unreadable',
      'items[0].unit_price unreadable',
    ])
    expect(read.dte.items[0]).toEqual({ description: 'Ñandú', amount: 5000 })
  })

  it('UTF-8 in a file that says ISO-8859-1, and quotes of Windows in one that is', () => {
    expect(only(Buffer.from(file(dte(documento)), 'utf8')).dte.items[0]?.description).toBe('Ñandú')
    const quoted = documento.replaceAll('Ñandú', '\x93Ñandú\x94')
    expect(only(latin1(file(dte(quoted)))).dte.items[0]?.description).toBe('“Ñandú”')
  })

  it('a byte order mark and blank lines before the declaration', () => {
    const bytes = Buffer.from(`\ufeff\n ${file(dte(documento), 'UTF-8')}`, 'utf8')
    expect(only(bytes).dte.items[0]?.description).toBe('Ñandú')
  })

  it('amounts that do not add up: they are the emitter’s word', () => {
    const odd = documento.replace('<MntTotal>5950<', '<MntTotal>1<')
    expect(only(latin1(file(dte(odd)))).dte.totals).toMatchObject({ net: 5000, total: 1 })
  })

  it('one document that cannot be read beside others that can', () => {
    const set = `<EnvioDTE><SetDTE ID="S">${dte('<Exportaciones></Exportaciones>')}${dte(documento)}</SetDTE></EnvioDTE>`
    const read = readEnvelope(latin1(file(set)))
    expect(read.ok && read.value.documents.map(({ ok }) => ok)).toEqual([false, true])
  })
})

describe('reading refuses', () => {
  const without = (name: string) => dte(documento.replace(new RegExp(`<${name}>.*?</${name}>`), ''))

  it.each(['Folio', 'FchEmis', 'RUTEmisor', 'MntTotal'])('a document without its %s', (name) => {
    expect(ruleOf(latin1(file(without(name))))).toBe('unreadable')
  })

  it.each<[string, Uint8Array, string]>([
    ['an empty file', Buffer.alloc(0), 'empty'],
    ['a page of HTML', Buffer.from('<html><body></body></html>'), 'not_a_dte'],
    ['an envelope of nothing', Buffer.from('<EnvioDTE><SetDTE></SetDTE></EnvioDTE>'), 'not_a_dte'],
    [
      'a tipo that is not read',
      latin1(file(dte(documento.replace('<TipoDTE>33<', '<TipoDTE>110<')))),
      'unsupported_tipo',
    ],
    ['a truncated file', latin1(file(dte(documento))).subarray(0, 700), 'truncated'],
    ['UTF-16', Buffer.from(file(dte(documento)), 'utf16le'), 'unsupported_encoding'],
    ['bytes that are not the UTF-8 they say', latin1(file(dte(documento), 'UTF-8')), 'wrong_encoding'],
    ['a bomb of entities', Buffer.from('<!DOCTYPE a [<!ENTITY b "bb"><!ENTITY c "&b;&b;">]><DTE>&c;</DTE>'), 'dtd'],
    [
      'an external entity',
      Buffer.from('<!DOCTYPE a [<!ENTITY b SYSTEM "file:///etc/hostname">]><DTE>&b;</DTE>'),
      'dtd',
    ],
    ['a file that is too large', Buffer.alloc(25 * 1024 * 1024, 0x20), 'too_large'],
  ])('%s', (_what, bytes, rule) => {
    expect(ruleOf(bytes)).toBe(rule)
  })
})

/** One element a line, with what emitters may write in more than one way written in one. */
const plain = (xml: string) =>
  xml
    .replace(/<TED[\s\S]*<\/TED>/, '')
    .replace(/^<Documento[^>]*>/, '<Documento>')
    .replace(/\s+</g, '<')
    .replace(/>\s+/g, '>')
    .replace(/>0+(?=\d+<)/g, '>')
    .replace(/(>\d+)\.0*</g, '$1<')
    .replace(/(>\d+\.\d*?)0+</g, '$1<')
    .replace(/<(\w+)><\/\1>/g, '')
    .replaceAll('><', '>\n<')

describeWithReference('reading real and synthetic files', () => {
  const files = [
    ...readdirSync(referencePath('samples/dte')).map((name) => `samples/dte/${name}`),
    'samples/synthetic/EnvioDTE.xml',
    'samples/synthetic/EnvioBOLETA.xml',
  ].filter((name) => name.endsWith('.xml'))

  it.each(files)('%s is read whole, without a warning', (name) => {
    const read = readEnvelope(readReference(name))
    if (!read.ok) throw new Error(read.refusal.message)
    for (const document of read.value.documents) {
      if (!document.ok) throw new Error(document.refusal.message)
      const { dte, warnings } = document.value
      expect(warnings).toEqual([])
      expect(dte.items.length).toBeGreaterThan(0)
      expect(dte.emisor.legal_name).not.toBe('')
    }
  })

  it.each([
    'samples/synthetic/EnvioDTE.xml',
    'samples/synthetic/EnvioBOLETA.xml',
    'samples/dte/EnvioDTE-set-basico-certificacion.xml',
    'samples/dte/DTE--76399752-9--33--25568--cleaned.xml',
    'samples/dte/DTE--76354771-K--33--170--cleaned.xml',
    'samples/dte/DTE--60910000-1--33--2336600.xml',
    'samples/dte/F60T33-ejemplo-oficial-SII.xml',
  ])('the documents of %s have the totals that their own lines give', (name) => {
    const read = readEnvelope(readReference(name))
    if (!read.ok) throw new Error(read.refusal.message)
    for (const document of read.value.documents) {
      if (!document.ok) throw new Error(document.refusal.message)
      const { folio, tipo_dte, totals } = document.value.dte
      // A note that corrects text may print its exempt zero or leave it out.
      const withoutZero = ({ exempt, ...rest }: Totals) => (exempt ? { exempt, ...rest } : rest)
      expect(withoutZero(computeTotals(document.value.dte)), `${tipo_dte}/${folio}`).toEqual(withoutZero(totals))
    }
  })

  it('the cover of an envelope is read with it', () => {
    const read = readEnvelope(readReference('samples/synthetic/EnvioDTE.xml'))
    expect(read).toMatchObject({
      ok: true,
      value: { kind: 'EnvioDTE', id: 'SetDoc', caratula: { rut_emisor: '76543210-3', resolution_number: 0 } },
    })
  })

  it.each([
    ['samples/synthetic/EnvioDTE.xml', 6],
    ['samples/synthetic/EnvioBOLETA.xml', 2],
    ['samples/dte/EnvioDTE-set-basico-certificacion.xml', 8],
    ['samples/dte/DTE--76399752-9--33--25568--cleaned.xml', 1],
    ['samples/dte/DTE--76354771-K--33--170--cleaned.xml', 1],
    ['samples/dte/DTE--60910000-1--33--2336600.xml', 1],
    ['samples/dte/F60T33-ejemplo-oficial-SII.xml', 1],
  ])('%s is written again as its emitter wrote it', (name, count) => {
    const read = readEnvelope(readReference(name))
    if (!read.ok) throw new Error(read.refusal.message)
    const { canonical } = read.value.xml
    const originals = [...canonical.matchAll(/<Documento[\s\S]*?<\/Documento>/g)].map(([xml]) => xml)
    expect(originals.length).toBe(count)
    read.value.documents.forEach((document, index) => {
      if (!document.ok) throw new Error(document.refusal.message)
      const original = originals[index] ?? ''
      const ted = /<TED[\s\S]*<\/TED>/.exec(original)?.[0] ?? ''
      const built = buildDocumento(document.value.dte, { ted, tmst_firma: document.value.tmst_firma ?? '' })
      expect(plain(built)).toBe(plain(original))
    })
  })
})
