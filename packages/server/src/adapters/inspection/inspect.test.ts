import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { firstRefusal, parseXml, SII_KEYS, verifySignatures } from '@timbre/dte'
import { describe, expect, it } from 'vitest'
import { EXPORT, LIQUIDACION } from '../../../../dte/test/support/unissued.ts'
import { AUTHORITY_KEYS, SIGNER, signerOf, TEST_CA } from '../../../test/support/signed-document.ts'
import { dteFile, envelopeFile, forgedFile, unissuedFile } from '../../../test/support/supplier-file.ts'
import type { Fault, InspectedFile } from '../../ports/inspection.ts'
import { inspectFile } from './inspect.ts'

const RUT = '77123456-9'
const reading = { receptor_rut: RUT, sii_keys: AUTHORITY_KEYS, authorities: TEST_CA }

async function sound(bytes: Uint8Array, how = reading): Promise<InspectedFile> {
  const inspected = await inspectFile(bytes, how)
  if (!('documents' in inspected)) throw new Error(JSON.stringify(inspected))
  return inspected
}
const reasonOf = async (bytes: Uint8Array) => {
  const inspected = await inspectFile(bytes, reading)
  if ('answer' in inspected) return 'answer'
  if ('result' in inspected) return 'result'
  return 'reason' in inspected ? inspected.reason : (inspected.documents[0]?.fault?.reason ?? null)
}
const standsAlone = (xml: Buffer) => {
  const parsed = parseXml(xml)
  return parsed.ok && firstRefusal(verifySignatures(parsed.value)) === null
}

describe('a file of a supplier', () => {
  it('is taken apart: every document by itself, still signed, with its heading and its lines', async () => {
    const inspected = await sound(await envelopeFile(RUT, [7, 8]))
    expect(inspected).toMatchObject({ set_id: 'SetDoc', emisor_rut: '76543210-3', resolucion: { numero: 80 } })
    expect(inspected.documents.map(({ heading, fault }) => [heading?.folio, fault])).toEqual([
      [7, null],
      [8, null],
    ])
    for (const { xml } of inspected.documents) expect(standsAlone(xml)).toBe(true)
    expect(inspected.documents[0]?.dte?.items).toHaveLength(2)
    expect(inspected.documents[0]?.xml.toString('latin1')).toContain('Peñalolén')
  })

  it('is told apart by what was signed, not by the bytes around it', async () => {
    const [alone, enveloped] = [await sound(dteFile(RUT, 7)), await sound(await envelopeFile(RUT, [7]))]
    expect(alone.documents[0]?.digest).toBe(enveloped.documents[0]?.digest)
    const other = await sound(dteFile(RUT, 7, { issue_date: '2026-11-09' }))
    expect(other.documents[0]?.digest).not.toBe(alone.documents[0]?.digest)
  })

  it('bad_signature when an amount, a name or the timbre was changed, and the other documents are taken all the same', async () => {
    const text = dteFile(RUT, 7).toString('latin1')
    for (const changed of [
      text.replace(/<MntTotal>\d+/, '<MntTotal>1'),
      text.replace('<NmbItem>Aceite', '<NmbItem>Vinagre'),
      text.replace(/<FRMT[^>]*>./, (frmt) => `${frmt.slice(0, -1)}${frmt.endsWith('A') ? 'B' : 'A'}`),
    ]) {
      expect(await reasonOf(Buffer.from(changed, 'latin1'))).toBe('bad_signature')
    }
    const envelope = (await envelopeFile(RUT, [7, 8])).toString('latin1')
    const inspected = await sound(Buffer.from(envelope.replace('<NmbItem>Aceite', '<NmbItem>Vinagre'), 'latin1'))
    expect(inspected.documents.map(({ fault, authentic }) => [fault?.reason ?? null, authentic])).toEqual([
      ['bad_signature', false],
      [null, true],
    ])
  })

  it('bad_signature when the SII did not sign its folios: anybody can make a certificate', async () => {
    const inspected = await sound(dteFile(RUT, 7), { ...reading, sii_keys: SII_KEYS as never })
    expect(inspected.documents[0]).toMatchObject({ authentic: false, fault: { reason: 'bad_signature' } })
  })

  it('bad_signature without a signature, or with a document hidden outside the set', async () => {
    const text = dteFile(RUT, 7).toString('latin1')
    expect(await reasonOf(Buffer.from(text.replace(/<Signature[\s\S]*<\/Signature>/, ''), 'latin1'))).toBe(
      'bad_signature',
    )
    const envelope = (await envelopeFile(RUT, [7])).toString('latin1')
    const hidden = envelope.replace('</EnvioDTE>', `${dteFile(RUT, 9).toString('latin1')}</EnvioDTE>`)
    expect(await reasonOf(Buffer.from(hidden, 'latin1'))).toBe('bad_signature')
  })

  it('other_receptor for a document of another company, which its emisor did issue', async () => {
    const inspected = await sound(dteFile('76192083-9', 7))
    expect(inspected.documents[0]).toMatchObject({ authentic: true, fault: { reason: 'other_receptor' } })
  })

  it('is taken when it is a liquidación or an export, with its lines and, in dollars, the pesos that it tells', async () => {
    const [settled, exported] = [await sound(unissuedFile(RUT, LIQUIDACION)), await sound(unissuedFile(RUT, EXPORT))]
    expect(settled.documents).toMatchObject([
      {
        fault: null,
        authentic: true,
        heading: { tipo_dte: 43, total: 1_121_000 },
        dte: { commissions: [{ rate: 10 }] },
      },
    ])
    expect(exported.documents).toMatchObject([
      { fault: null, authentic: true, heading: { tipo_dte: 110, exempt: 13_854_794, total: 13_854_794 } },
    ])
    expect(exported.documents[0]?.dte?.items).toMatchObject([{ unit_price: 1234.5 }])
    const { other_currency: _, ...silent } = EXPORT
    expect(await reasonOf(unissuedFile(RUT, silent))).toBe('bad_schema')
  })

  it('tells who vouches for its signer, what its timbre says and whether its amounts agree, and decides nothing', async () => {
    const proven = await sound(dteFile(RUT, 7, {}, signerOf('76543210-3')))
    expect(proven.documents[0]?.evidence).toMatchObject({
      signer: { rut: '76543210-3' },
      issuer: { issuer: 'proven', windows: [{}] },
      stamped_at: '2026-11-10T12:00:00',
      texts_apart: [],
      agreement: { totals: [], lines: [] },
    })
    const change = (text: string) => text.replace('Carmenère', 'Merlot').replace(/<IVA>(\d)/, '<IVA>9$1')
    const forged = await sound(forgedFile(dteFile(RUT, 7), change, SIGNER))
    expect(forged.documents[0]).toMatchObject({
      fault: null,
      evidence: { issuer: { issuer: 'self_signed' }, texts_apart: ['IT1'], agreement: { totals: ['iva', 'total'] } },
    })
    const illegible = forgedFile(dteFile(RUT, 7), (text) => text.replace(/<QtyItem>24/, '<QtyItem>24x'), SIGNER)
    expect((await sound(illegible)).documents[0]?.evidence?.agreement).toBeNull()
  })

  it('bad_schema for texts and lists that no schema allows: nothing of them crosses the thread but their heading', async () => {
    const line = /<Detalle>(?:(?!<Detalle>)[\s\S])*<\/Detalle>(?=<(?!Detalle))/
    const reference = '<Referencia><NroLinRef>1</NroLinRef></Referencia>'
    const beyond: ((text: string) => string)[] = [
      (text) => text.replace('Aceite de oliva', '\\'.repeat(50_000)),
      (text) => text.replace(/<RznSoc>/, `<RznSoc>${'A'.repeat(50_000)}`),
      (text) => text.replace(/<UnmdItem>/, `<UnmdItem>${'A'.repeat(50)}`),
      (text) => text.replace('<Emisor>', `<Emisor><constructor>${'A'.repeat(50_000)}</constructor>`),
      (text) => text.replace(line, (one) => one.repeat(200)),
      (text) => text.replace('<TED', `${reference.repeat(100)}<TED`),
      (text) => text.replace('<Emisor>', `<Emisor>${'<Telefono>1</Telefono>'.repeat(100)}`),
    ]
    for (const change of beyond) {
      const { documents } = await sound(forgedFile(dteFile(RUT, 7), change, SIGNER))
      expect(documents[0]).toMatchObject({
        fault: { reason: 'bad_schema' },
        authentic: false,
        dte: null,
        evidence: null,
      })
      expect(JSON.stringify([documents[0]?.heading, documents[0]?.fault]).length).toBeLessThan(1_000)
    }
    const careless = (text: string) => text.replace('Aceite de oliva', `Aceite ${'de oliva '.repeat(12)}`)
    expect((await sound(forgedFile(dteFile(RUT, 7), careless, SIGNER))).documents[0]?.fault).toBeNull()
  })

  it('bad_schema for an element that stands twice and may stand once, wherever the other one lies', async () => {
    const part = (text: string, name: string) => new RegExp(`<${name}[ >][\\s\\S]*?</${name}>`).exec(text)?.[0] ?? name
    for (const name of ['IVA', 'MntTotal', 'Totales', 'IdDoc', 'Emisor', 'Encabezado', 'TED', 'DD', 'QtyItem']) {
      const twice = (text: string) => text.replace(part(text, name), (one) => one + one)
      const { documents } = await sound(forgedFile(dteFile(RUT, 7), twice, signerOf('76543210-3')))
      expect(documents[0]?.fault).toEqual({ reason: 'bad_schema', message: `It has too many of ${name}.` })
    }
  })

  it('bad_schema for an amount that no document can have, never a zero in its place', async () => {
    const impossible: ((text: string) => string)[] = [
      (text) => text.replace(/<IVA>\d+/, '<IVA>1000000000000000000'),
      (text) => text.replace(/<IVA>\d+/, '<IVA>-5'),
      (text) => text.replace(/<MntNeto>\d+/, '<MntNeto>1e5'),
      (text) => text.replace(/<MontoItem>176400/, '<MontoItem>1000000000000000000'),
      (text) => text.replace(/<MontoItem>176400/, '<MontoItem>-1000000000000000000'),
      (text) => text.replace(/<MontoItem>176400/, '<MontoItem>-176400'),
    ]
    for (const change of impossible) {
      const file = forgedFile(dteFile(RUT, 7), change, signerOf('76543210-3'))
      expect((await sound(file)).documents[0]?.fault).toMatchObject({ reason: 'bad_schema' })
    }
  })

  it('is taken from the free portal of the SII, without its namespace, one by one or as a backup, and kept as it came', async () => {
    // PROTOCOLS.md 2 and 9: signed with the SII's namespace, given out without it; `mipeDownLoad` gives a bare SetDTE.
    const bare = (folio: number) =>
      dteFile(RUT, folio)
        .toString('latin1')
        .replace(/<DTE xmlns="[^"]+"/, '<DTE')
        .replace(/^<\?xml[^>]*>\s*/, '')
    const file = (text: string) => Buffer.from(`<?xml version="1.0" encoding="ISO-8859-1"?>\n${text}`, 'latin1')
    const alone = await sound(file(bare(7)))
    expect(alone.documents).toMatchObject([{ fault: null, authentic: true, heading: { folio: 7 } }])
    expect(alone.documents[0]?.xml).toEqual(file(bare(7)))
    const backup = await sound(file(`<SetDTE>\n${bare(7)}\n${bare(8)}\n</SetDTE>`))
    expect(backup).toMatchObject({ digest: null, emisor_rut: '76543210-3', resolucion: null })
    expect(backup.documents.map(({ heading, fault }) => [heading?.folio, fault])).toEqual([
      [7, null],
      [8, null],
    ])
    expect(backup.documents[1]?.xml).toEqual(file(bare(8)))
    expect(backup.documents[0]?.digest).toBe((await sound(dteFile(RUT, 7))).documents[0]?.digest)
    const changed = await sound(file(`<SetDTE>${bare(7).replace(/<MntTotal>\d+/, '<MntTotal>1')}${bare(8)}</SetDTE>`))
    expect(changed.documents.map(({ fault }) => fault?.reason ?? null)).toEqual(['bad_signature', null])
  })

  it('bomb for entities that multiply, entities from outside and more nodes than any envelope has', async () => {
    const laughs = `<?xml version="1.0"?><!DOCTYPE lolz [<!ENTITY lol "lol"><!ENTITY lol2 "&lol;&lol;&lol;&lol;&lol;&lol;&lol;&lol;&lol;&lol;"><!ENTITY lol3 "&lol2;&lol2;&lol2;&lol2;&lol2;&lol2;&lol2;&lol2;">]><DTE>&lol3;</DTE>`
    const outside = `<?xml version="1.0"?><!DOCTYPE DTE [<!ENTITY x SYSTEM "file:///etc/passwd">]><DTE>&x;</DTE>`
    const nodes = `<DTE>${'<a/>'.repeat(500_000)}</DTE>`
    for (const text of [laughs, outside, nodes]) expect(await reasonOf(Buffer.from(text))).toBe('bomb')
  })

  it('lets the process go on while a large envelope is read', async () => {
    const file = await envelopeFile(
      RUT,
      Array.from({ length: 60 }, (_, i) => i + 1),
    )
    let turns = 0
    const beat = setInterval(() => turns++, 1)
    const inspected = await sound(file)
    clearInterval(beat)
    expect([inspected.documents.length, turns > 5]).toEqual([60, true])
  })

  it('too_large, not_xml, no_document and bad_schema say what else it may be', async () => {
    expect(await reasonOf(Buffer.alloc(11 * 1024 * 1024, 0x20))).toBe('too_large')
    expect(await reasonOf(Buffer.from('%PDF-1.7 factura'))).toBe('not_xml')
    expect(await reasonOf(dteFile(RUT, 7).subarray(0, 900))).toBe('not_xml')
    const unnumbered = dteFile(RUT, 7)
      .toString('latin1')
      .replace(/<Folio>7<.Folio>/, '')
    expect(await reasonOf(Buffer.from(unnumbered, 'latin1'))).toBe('bad_schema')
    expect(await reasonOf(Buffer.from('<RespuestaDTE/>'))).toBe('exchange_answer')
    expect(await reasonOf(Buffer.from('<Factura/>'))).toBe('no_document')
    expect(await reasonOf(Buffer.from('<EnvioDTE><SetDTE/></EnvioDTE>'))).toBe('no_document')
  })
})

const SAMPLES = fileURLToPath(new URL('../../../../../../shared/sii/samples/dte/', import.meta.url))
const REAL = [
  { file: 'DTE--60910000-1--33--2336600.xml', receptor_rut: '76555835-2', total: 10_642 },
  { file: 'DTE--76354771-K--33--170--cleaned.xml', receptor_rut: '96790240-3', total: 2_996_301 },
  { file: 'DTE--76399752-9--33--25568--cleaned.xml', receptor_rut: '96874030-K', total: 230_992 },
]
const absent = !existsSync(SAMPLES)
if (absent) console.warn(`skipped: real documents are not at ${SAMPLES}`)

describe.skipIf(absent)('real documents of suppliers', () => {
  for (const { file, receptor_rut, total } of REAL) {
    it(`${file} is true by the keys of the SII`, async () => {
      const inspected = await sound(readFileSync(SAMPLES + file), {
        ...reading,
        receptor_rut,
        sii_keys: SII_KEYS as never,
      })
      expect(inspected.documents).toMatchObject([{ fault: null, authentic: true, heading: { total, receptor_rut } }])
      expect(inspected.documents[0]?.dte?.items.length).toBeGreaterThan(0)
      expect(inspected.documents[0]?.evidence).toMatchObject({
        issuer: { issuer: 'unknown' },
        texts_apart: [],
        agreement: { totals: [], lines: [] },
      })
    })
  }

  it('the one whose amount was changed is not', async () => {
    const bytes = readFileSync(`${SAMPLES}DTE--76354771-K--33--170--cleaned-mod-changed-monto.xml`)
    const inspected = await sound(bytes, { ...reading, receptor_rut: '96790240-3', sii_keys: SII_KEYS as never })
    expect(inspected.documents[0]?.fault satisfies Fault | null | undefined).toMatchObject({ reason: 'bad_signature' })
  })

  it('an envelope of the certification comes apart, each document still signed', async () => {
    const bytes = readFileSync(`${SAMPLES}EnvioDTE-set-basico-certificacion.xml`)
    const inspected = await sound(bytes, { ...reading, receptor_rut: '77447842-6', sii_keys: SII_KEYS as never })
    expect(inspected.documents.length).toBeGreaterThan(4)
    for (const { authentic, xml } of inspected.documents) expect([authentic, standsAlone(xml)]).toEqual([true, true])
  })
})
