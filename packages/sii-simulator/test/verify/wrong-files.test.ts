import { describe, expect, it } from 'vitest'
import type { VerifyView } from '../../src/verify/verdict.ts'
import {
  dte,
  EMISOR,
  type EnvelopeOptions,
  envelope,
  expired,
  otherPerson,
  SENDER,
  sealed,
  taxpayer,
  unaccredited,
  verifier,
  view,
} from './kit.ts'

interface Wrong extends EnvelopeOptions {
  title: string
  estado: 'RSC' | 'RFR' | 'RCT'
  code: string
  /** What the detail must say of it. */
  detail?: RegExp
  view?: Partial<VerifyView>
}

const replaced = (from: string | RegExp, to: string) => (text: string) => {
  const changed = text.replace(from, to)
  if (changed === text) throw new Error(`nothing to replace: ${from}`)
  return changed
}

const WRONG: readonly Wrong[] = [
  // Schema
  { title: 'is no XML', estado: 'RSC', code: 'ENV-3-0', detail: /LPX/, file: () => 'hola' },
  { title: 'was cut off', estado: 'RSC', code: 'ENV-3-0', detail: /end-of-file/, file: (text) => text.slice(0, 900) },
  {
    title: 'has a document type',
    estado: 'RSC',
    code: 'ENV-3-0',
    file: replaced('?>', '?><!DOCTYPE a [<!ENTITY b "c">]>'),
  },
  {
    title: 'is in another alphabet',
    estado: 'RSC',
    code: 'ENV-3-0',
    detail: /CHR-00001/,
    file: replaced('ISO-8859-1', 'UTF-16'),
  },
  {
    title: 'says UTF-8 and is not',
    estado: 'RSC',
    code: 'ENV-3-0',
    detail: /CHR-00001/,
    file: replaced('ISO-8859-1', 'UTF-8'),
  },
  {
    title: 'has another version',
    estado: 'RSC',
    code: 'ENV-3-0',
    detail: /LSX-00265.*"1.0"/,
    file: replaced('xsd" version="1.0"', 'xsd" version="3.2"'),
  },
  {
    title: 'has an element too many',
    estado: 'RSC',
    code: 'ENV-3-0',
    detail: /LSX-00204/,
    file: replaced('</Emisor>', '<Otro>1</Otro></Emisor>'),
  },
  {
    title: 'lacks an element',
    estado: 'RSC',
    code: 'ENV-3-0',
    detail: /LSX-00213.*RznSoc/,
    file: replaced(/<RznSoc>[^<]*<\/RznSoc>/, ''),
  },
  {
    title: 'has an overlong name',
    estado: 'RSC',
    code: 'ENV-3-0',
    detail: /LSX-00220/,
    file: replaced('<RznSoc>', `<RznSoc>${'A'.repeat(100)}`),
  },
  {
    title: 'has a tipo that does not exist',
    estado: 'RSC',
    code: 'ENV-3-0',
    detail: /LSX-00291/,
    file: replaced('<TpoDTE>33', '<TpoDTE>32'),
  },
  {
    title: 'is in no namespace',
    estado: 'RSC',
    code: 'ENV-3-0',
    file: (text) => text.replaceAll('xmlns="http://www.sii.cl/SiiDte"', ''),
  },
  { title: 'is no file of this door', estado: 'RSC', code: 'ENV-3-0', detail: /SCH-00001/, file: () => '<Otro/>' },
  {
    title: 'is an EnvioDTE at the door of boletas',
    estado: 'RSC',
    code: 'ENV-3-0',
    detail: /SCH-00001/,
    view: { channel: 'boleta' },
  },

  // Signature
  {
    title: 'was changed after signing',
    estado: 'RFR',
    code: 'ENV-3-900',
    detail: /DigestValue/,
    file: replaced('<NroResol>80', '<NroResol>81'),
  },
  {
    title: 'declares a namespace that was not in scope when it was signed',
    estado: 'RFR',
    code: 'ENV-3-900',
    detail: /DigestValue/,
    file: replaced(/xmlns:xsi="[^"]*"/, '$& xmlns:otra="urn:otra"'),
  },
  {
    title: 'has a SignatureValue of something else',
    estado: 'RFR',
    code: 'ENV-3-900',
    detail: /SignatureValue/,
    file: (text) => text.replace(/(.*<SignatureValue>)..../s, '$1AAAA'),
  },
  { title: 'is signed with an expired certificate', estado: 'RFR', code: 'ENV-3-901', signer: expired },
  {
    title: 'is signed with a certificate of no accredited authority',
    estado: 'RFR',
    code: 'ENV-3-901',
    signer: unaccredited,
  },
  { title: 'is signed by another person than sends it', estado: 'RFR', code: 'CRT-3-906', signer: otherPerson },
  { title: 'comes from somebody without permission', estado: 'RFR', code: 'ENV-3-6', view: { mayFile: () => false } },

  // Carátula
  {
    title: 'is sent by another RUT than it says',
    estado: 'RCT',
    code: 'CRT-3-11',
    view: { sender_rut: '11111111-1', mayFile: () => true },
  },
  {
    title: 'is of another company than the upload',
    estado: 'RCT',
    code: 'CRT-3-900',
    view: { company_rut: '78901234-2', mayFile: () => true },
  },
  {
    title: 'has an emisor whose check digit is wrong',
    estado: 'RCT',
    code: 'CRT-3-905',
    caratula: replaced(EMISOR, '76543210-4'),
  },
  {
    title: 'has another resolution number',
    estado: 'RCT',
    code: 'CRT-3-19',
    caratula: replaced('<NroResol>80', '<NroResol>99'),
  },
  {
    title: 'has another resolution date',
    estado: 'RCT',
    code: 'CRT-3-19',
    caratula: replaced('2014-08-22', '2014-10-21'),
  },
  {
    title: 'has a resolution number in certificación',
    estado: 'RCT',
    code: 'CRT-3-19',
    view: { ambiente: 'certificacion' },
  },
  {
    title: 'is of a company that the SII does not know',
    estado: 'RCT',
    code: 'CRT-3-903',
    view: { taxpayer: () => null },
  },
  {
    title: 'is addressed to the buyer',
    estado: 'RCT',
    code: 'CRT-3-901',
    caratula: replaced('60803000-K', '77123456-9'),
  },
  {
    title: 'says it was signed tomorrow',
    estado: 'RCT',
    code: 'CRT-3-904',
    caratula: replaced('<TmstFirmaEnv>2026-11-10', '<TmstFirmaEnv>2026-11-17'),
  },
  {
    title: 'counts more documents than it has',
    estado: 'RCT',
    code: 'CRT-3-902',
    caratula: replaced('<NroDTE>1', '<NroDTE>2'),
  },
  {
    title: 'leaves a tipo uncounted',
    estado: 'RCT',
    code: 'CRT-3-902',
    caratula: replaced('<TpoDTE>33', '<TpoDTE>34'),
  },
]

describe('a file wrong in one thing', () => {
  const document = dte()
  for (const { title, estado, code, detail, view: changes, ...options } of WRONG)
    it(`ends ${estado} with ${code} when it ${title}`, () => {
      const verdict = verifier.verify(envelope([document], options), view(changes))
      expect([verdict.estado, ...verdict.findings.map((finding) => finding.code)]).toEqual([estado, code])
      expect(verdict.findings[0]?.detail ?? '').toMatch(detail ?? /./)
      expect(verdict.documents).toEqual([])
    })

  it('is taken in certificación with the number 0 and the date of the company', () => {
    const file = envelope([document], { caratula: replaced('<NroResol>80', '<NroResol>0') })
    expect(verifier.verify(file, view({ ambiente: 'certificacion' })).estado).toBe('EPR')
  })

  it('is taken with whatever resolution it says while the SII has none on record', () => {
    const file = envelope([document], { caratula: replaced('<NroResol>80', '<NroResol>7') })
    const verdict = verifier.verify(file, view({ taxpayer: () => ({ ...taxpayer, resolution: null }) }))
    expect(verdict).toMatchObject({ estado: 'EPR', resolution: { number: 7, date: '2014-08-22' } })
  })

  it('may be in UTF-8 when it says so', () => {
    const text = envelope([document]).toString('latin1').replace('ISO-8859-1', 'UTF-8')
    expect(verifier.verify(Buffer.from(text, 'utf8'), view())).toMatchObject({
      estado: 'EPR',
      documents: [{ outcome: 'accepted', emisor_name: 'Comercial Ñandú SpA' }],
    })
  })

  it('holds documents that are judged one by one', () => {
    const wrong = dte({ folio: 11, signed: replaced('Maip', 'Taip') })
    const { documents } = verifier.verify(envelope([document, wrong, dte({ folio: 12 })]), view())
    expect(documents.map(({ folio, outcome }) => [folio, outcome])).toEqual([
      [10, 'accepted'],
      [11, 'rejected'],
      [12, 'accepted'],
    ])
    expect(Buffer.from(documents[1]?.xml ?? []).toString('latin1')).toBe(wrong)
  })
})

describe('an envelope of boletas', () => {
  const boleta = dte({ tipo: 39 })
  const file = envelope([boleta], { root: 'EnvioBOLETA' })

  it('is taken at its own door', () => {
    expect(verifier.verify(file, view({ channel: 'boleta' }))).toMatchObject({ kind: 'EnvioBOLETA', estado: 'EPR' })
  })

  it('is refused by its schema at DTEUpload, but for certification', () => {
    expect(verifier.verify(file, view()).estado).toBe('RSC')
    const certification = envelope([boleta], { root: 'EnvioBOLETA', caratula: replaced('>80<', '>0<') })
    expect(verifier.verify(certification, view({ ambiente: 'certificacion' })).estado).toBe('EPR')
  })

  const BOLETAS = [
    ['a total that is not net plus IVA', 'HED-2-260', { document: replaced('<IVA>798', '<IVA>797') }],
    [
      'a net that is not the total less its IVA',
      'HED-2-900',
      {
        document: (text: string) => replaced('<IVA>798', '<IVA>700')(replaced('<MntNeto>4202', '<MntNeto>4300')(text)),
      },
    ],
    [
      'a total that is not the sum of its lines',
      'HED-2-901',
      {
        document: (text: string) =>
          replaced('<PrcItem>2500', '<PrcItem>2000')(replaced('<MontoItem>5000', '<MontoItem>4000')(text)),
      },
    ],
    ['neither net nor IVA', 'HED-3-902', { document: (text: string) => text.replace(/<MntNeto>.*<\/IVA>/, '') }],
    ['a periodic service and no period', 'HED-3-902', { document: replaced('<IndServicio>3', '<IndServicio>1') }],
    ['a folio outside its CAF', 'CAF-3-605', { caf: { first: 50 } }],
    ['a signature of something else', 'DTE-3-505', { signed: replaced('<CmnaOrigen>P', '<CmnaOrigen>T') }],
  ] as const
  for (const [what, code, options] of BOLETAS)
    it(`is told ${code} of a boleta with ${what}`, () => {
      const wrong = envelope([dte({ tipo: 39, ...options })], { root: 'EnvioBOLETA' })
      const { documents } = verifier.verify(wrong, view({ channel: 'boleta' }))
      expect(documents[0]?.findings[0]?.code).toBe(code)
    })

  it('is told HED-3-903 of an exempt boleta with IVA', () => {
    const wrong = dte({ tipo: 41, document: replaced('<MntTotal>', '<IVA>10</IVA><MntTotal>') })
    const { documents } = verifier.verify(envelope([wrong], { root: 'EnvioBOLETA' }), view({ channel: 'boleta' }))
    expect(documents[0]?.findings[0]?.code).toBe('HED-3-903')
  })
})

describe('a book', () => {
  const caratula =
    `<RutEnvia>${SENDER}</RutEnvia><PeriodoTributario>2026-10</PeriodoTributario>` +
    '<FchResol>2014-08-22</FchResol><NroResol>80</NroResol>'
  const libro = (changed: (text: string) => string = (text) => text) =>
    changed(
      `<EnvioLibro ID="Libro"><Caratula><RutEmisorLibro>${EMISOR}</RutEmisorLibro>${caratula}` +
        '<TipoOperacion>VENTA</TipoOperacion><TipoLibro>ESPECIAL</TipoLibro><TipoEnvio>TOTAL</TipoEnvio>' +
        '<FolioNotificacion>1</FolioNotificacion></Caratula><TmstFirma>2026-11-10T12:00:00</TmstFirma></EnvioLibro>',
    )

  it('is taken, of purchases or sales', () => {
    const verdict = verifier.verify(sealed('LibroCompraVenta', libro()), view())
    expect(verdict).toMatchObject({ kind: 'LibroCompraVenta', estado: 'LOK', emisor: EMISOR, findings: [] })
  })

  it('is taken, of guías', () => {
    const guias = libro((text) => text.replace(/<TipoOperacion>.*?<\/TipoOperacion>/, ''))
    expect(verifier.verify(sealed('LibroGuia', guias), view())).toMatchObject({ kind: 'LibroGuia', estado: 'LOK' })
  })

  it('is taken, of the folios of boletas in a day', () => {
    const body =
      `<DocumentoConsumoFolios ID="CF"><Caratula version="1.0"><RutEmisor>${EMISOR}</RutEmisor><RutEnvia>${SENDER}</RutEnvia>` +
      '<FchResol>2014-08-22</FchResol><NroResol>80</NroResol><FchInicio>2026-11-09</FchInicio><FchFinal>2026-11-09</FchFinal>' +
      '<SecEnvio>1</SecEnvio><TmstFirmaEnv>2026-11-10T12:00:00</TmstFirmaEnv></Caratula><Resumen>' +
      '<TipoDocumento>39</TipoDocumento><MntTotal>0</MntTotal><FoliosEmitidos>0</FoliosEmitidos>' +
      '<FoliosAnulados>0</FoliosAnulados><FoliosUtilizados>0</FoliosUtilizados></Resumen></DocumentoConsumoFolios>'
    expect(verifier.verify(sealed('ConsumoFolios', body), view())).toMatchObject({
      kind: 'ConsumoFolios',
      estado: 'EPR',
    })
  })

  it('is refused with LNC where there is a whole one of its operation and period, unless it amends that one', () => {
    const known = view({ hasBook: ({ operation, period }) => operation === 'VENTA' && period === '2026-10' })
    const estado = (body: string) => verifier.verify(sealed('LibroCompraVenta', body), known).estado
    expect(estado(libro())).toBe('LNC')
    expect(estado(libro(replaced('>2026-10<', '>2026-09<')))).toBe('LOK')
    expect(estado(libro(replaced('VENTA', 'COMPRA')))).toBe('LOK')
    expect(estado(libro(replaced('ESPECIAL', 'RECTIFICA')))).toBe('LOK')
    expect(estado(libro(replaced('TOTAL', 'AJUSTE')))).toBe('LOK')
  })

  it('is refused by schema, signature and carátula with the states of books', () => {
    const estado = (body: string, options: EnvelopeOptions = {}) =>
      verifier.verify(sealed('LibroCompraVenta', body, options), view()).estado
    expect(estado(libro(replaced('VENTA', 'TRUEQUE')))).toBe('LRS')
    expect(estado(libro(), { file: replaced('2026-10<', '2026-09<') })).toBe('LRF')
    expect(estado(libro(replaced('>80<', '>81<')))).toBe('LRC')
  })
})
