import { describe, expect, it } from 'vitest'
import type { KnownDocument, VerifyView } from '../../src/verify/verdict.ts'
import {
  caf,
  type DteOptions,
  dte,
  EMISOR,
  envelope,
  expired,
  ORIGINAL,
  otherFolios,
  otherPerson,
  otherSii,
  RECEPTOR,
  taxpayer,
  unaccredited,
  verifier,
  view,
  XSI,
} from './kit.ts'

interface Wrong extends DteOptions {
  title: string
  code: string
  outcome?: 'reparo'
  /** What the SII knows otherwise than in `view()`. */
  view?: Partial<VerifyView>
  known?: Record<string, KnownDocument>
  caratula?: (caratula: string) => string
}

const replaced = (from: string | RegExp, to: string) => (text: string) => {
  const changed = text.replace(from, to)
  if (changed === text) throw new Error(`nothing to replace: ${from}`)
  return changed
}

const known = (changes: Partial<KnownDocument> = {}): Record<string, KnownDocument> => {
  const [[key, original] = ['', undefined]] = Object.entries(ORIGINAL)
  return { [key]: { ...(original as KnownDocument), ...changes } }
}

const FIELD = (name: string) => new RegExp(`<${name}>[^<]*</${name}>`)

/** A document wrong in one thing, and the code that the SII tells it by. */
const WRONG: readonly Wrong[] = [
  // Whose it is
  {
    title: 'is of another emisor than its envelope',
    code: 'DTE-3-900',
    document: replaced(`<RUTEmisor>${EMISOR}`, '<RUTEmisor>78901234-2'),
  },
  {
    title: 'is of a tipo that the emisor may not emit',
    code: 'DTE-3-901',
    view: { taxpayer: () => ({ ...taxpayer, tipos: [34, 39] }) },
  },

  // Its folio
  {
    title: 'has a folio that was used for another document',
    code: 'DTE-3-101',
    known: { '33 10': { receptor: RECEPTOR, fecha: '2026-11-09', monto: 1, signature_value: 'another' } },
  },
  {
    title: 'has an annulled folio',
    code: 'DTE-3-601',
    view: { isAnnulled: (_, tipo, folio) => tipo === 33 && folio === 10 },
  },

  // Its CAF
  { title: 'is signed more than six months after its CAF', code: 'CAF-3-517', caf: { date: '2026-05-09' } },
  { title: 'has a CAF of a key that the SII does not know', code: 'CAF-3-516', caf: { idk: '300' } },
  { title: 'has a CAF of the other ambiente', code: 'CAF-3-516', view: { idk: '902' } },
  { title: 'has a CAF that somebody else signed', code: 'CAF-3-900', caf: { authority: otherSii } },
  { title: 'has a CAF widened by hand', code: 'CAF-3-900', caf_text: caf().replace('<H>100</H>', '<H>900</H>') },
  { title: 'has a CAF of another taxpayer', code: 'CAF-3-901', caf: { emisor: '78901234-2' } },
  { title: 'has a CAF of another tipo', code: 'CAF-3-902', caf: { tipo: 34 } },
  { title: 'has a folio past the end of its CAF', code: 'CAF-3-605', caf: { first: 1, last: 9 } },
  { title: 'has a folio before the start of its CAF', code: 'CAF-3-605', caf: { first: 11, last: 20 } },
  { title: 'has a CAF that the SII never gave', code: 'CAF-3-903', view: { hasGiven: () => false } },

  // Its timbre
  { title: 'is stamped with the key of another CAF', code: 'TED-3-510', stamp_key: otherFolios },
  { title: 'has a timbre changed after stamping', code: 'TED-3-510', ted: replaced('<MNT>5950', '<MNT>5951') },
  ...(
    [
      ['another RUT of the receptor', '<RR>77123456-9', '<RR>78901234-2'],
      ['another date', '<FE>2026-11-10', '<FE>2026-11-09'],
      ['another amount', '<MNT>5950', '<MNT>595'],
      ['another folio', '<F>10<', '<F>11<'],
      ['another name of the receptor', '<RSR>P', '<RSR>T'],
      ['another first line', '<IT1>Resma', '<IT1>Resmas'],
    ] as const
  ).map(([what, from, to]) => ({ title: `has a timbre of ${what}`, code: 'TED-3-900', dd: replaced(from, to) })),
  {
    title: 'has a timbre older than its CAF',
    code: 'TED-1-647',
    outcome: 'reparo',
    dd: replaced('<TSTED>2026-11-10', '<TSTED>2026-09-30'),
  },

  // Its signature
  { title: 'was changed after signing', code: 'DTE-3-505', signed: replaced('<CmnaRecep>Maip', '<CmnaRecep>Taip') },
  { title: 'was signed with the xsi of the envelope in scope', code: 'DTE-3-505', scope: ` ${XSI}` },
  {
    title: 'has a SignatureValue of something else',
    code: 'DTE-3-505',
    signed: replaced(/<SignatureValue>..../, '<SignatureValue>AAAA'),
  },
  { title: 'has a reference to another ID', code: 'DTE-3-505', signed: replaced('URI="#F10T33"', 'URI="#F11T33"') },
  { title: 'has a KeyValue of another key', code: 'DTE-3-505', signed: replaced(/<Modulus>..../, '<Modulus>AQAB') },
  {
    title: 'has a transform that the SII does not take',
    code: 'DTE-3-505',
    signed: replaced(/<Transform Algorithm="[^"]*"/, '<Transform Algorithm="http://www.w3.org/2001/10/xml-exc-c14n#"'),
  },
  { title: 'is signed by somebody without permission', code: 'DTE-3-902', signer: otherPerson },
  { title: 'is signed with an expired certificate', code: 'DTE-3-903', signer: expired },
  { title: 'is signed with a certificate of no accredited authority', code: 'DTE-3-903', signer: unaccredited },
  {
    title: 'says it was signed tomorrow',
    code: 'DTE-3-904',
    document: replaced('<TmstFirma>2026-11-10', '<TmstFirma>2026-11-17'),
  },

  // Its header
  {
    title: 'has a receptor whose check digit is wrong',
    code: 'HED-3-900',
    document: replaced('77123456-9', '77123456-8'),
  },
  { title: 'is dated tomorrow', code: 'HED-3-901', draft: { issue_date: '2026-11-17' } },
  {
    title: 'is dated before the emisor was authorised',
    code: 'HED-3-305',
    view: { taxpayer: () => ({ ...taxpayer, resolution: { number: 80, date: '2026-11-12' } }) },
    caratula: replaced('2014-08-22', '2026-11-12'),
  },
  {
    title: 'has an activity that the SII does not have for the emisor',
    code: 'HED-3-861',
    view: { taxpayer: () => ({ ...taxpayer, actecos: ['620200'] }) },
  },
  { title: 'has no comuna of origin', code: 'HED-3-902', document: replaced(FIELD('CmnaOrigen'), '') },
  { title: 'has no giro of the receptor', code: 'HED-3-902', document: replaced(FIELD('GiroRecep'), '') },
  {
    title: 'is a guía that does not say why goods travel',
    code: 'HED-3-902',
    tipo: 52,
    document: replaced(FIELD('IndTraslado'), ''),
  },
  {
    title: 'is a guía of internal transfer to somebody else',
    code: 'HED-3-905',
    tipo: 52,
    document: replaced('<IndTraslado>1', '<IndTraslado>5'),
  },
  { title: 'is a sale to oneself', code: 'HED-3-906', document: replaced(RECEPTOR, EMISOR) },
  {
    title: 'is an exempt factura with IVA',
    code: 'HED-3-903',
    tipo: 34,
    document: replaced('<MntTotal>', '<IVA>10</IVA><MntTotal>'),
  },
  {
    title: 'is a factura with exempt lines only',
    code: 'HED-3-904',
    document: replaced('<NmbItem>', '<IndExe>1</IndExe><NmbItem>'),
  },

  // Its lines
  {
    title: 'has a line without a name',
    code: 'DET-3-854',
    document: replaced('<NmbItem>Resma de papel', '<NmbItem>'),
    dd: replaced('<IT1>', '<IT1>ITEM'),
  },
  { title: 'has lines out of order', code: 'DET-3-900', document: replaced('<NroLinDet>1', '<NroLinDet>2') },
  {
    title: 'has a line that is not price by quantity',
    code: 'DET-1-200',
    outcome: 'reparo',
    document: replaced('<PrcItem>2500', '<PrcItem>2400'),
  },
  {
    title: 'is a guía with a line without quantity',
    code: 'HED-3-902',
    tipo: 52,
    document: replaced(/<QtyItem>.*<\/PrcItem>/, ''),
  },

  // Its totals
  {
    title: 'has a total that is not the sum of its parts',
    code: 'HED-2-260',
    outcome: 'reparo',
    document: replaced('<MntTotal>5950', '<MntTotal>5949'),
  },
  {
    title: 'has an IVA that is not its rate of the net',
    code: 'HED-2-900',
    outcome: 'reparo',
    document: (text) => replaced('<MntTotal>5950', '<MntTotal>5900')(replaced('<IVA>950', '<IVA>900')(text)),
  },
  {
    title: 'has a net that is not the sum of its lines',
    code: 'HED-2-901',
    outcome: 'reparo',
    document: (text) =>
      replaced(
        '<MntTotal>5950',
        '<MntTotal>7140',
      )(replaced('<IVA>950', '<IVA>1140')(replaced('<MntNeto>5000', '<MntNeto>6000')(text))),
  },
  {
    title: 'is a factura de compra without withholding',
    code: 'HED-2-902',
    outcome: 'reparo',
    tipo: 46,
    document: (text) =>
      replaced('<MntTotal>5000', '<MntTotal>5950')(replaced(/<ImptoReten>.*<\/ImptoReten>/, '')(text)),
  },

  // Its references
  {
    title: 'is a note without a reference',
    code: 'REF-3-415',
    tipo: 61,
    document: replaced(/<Referencia>.*<\/Referencia>/, ''),
  },
  {
    title: 'is a note that does not say what it does',
    code: 'REF-3-758',
    tipo: 61,
    known: ORIGINAL,
    document: replaced(FIELD('CodRef'), ''),
  },
  { title: 'is a note about a document that was not received', code: 'REF-3-750', tipo: 61 },
  {
    title: 'is a note about a document of another receptor',
    code: 'REF-3-751',
    tipo: 61,
    known: known({ receptor: '78901234-2' }),
  },
  {
    title: 'annuls with another amount',
    code: 'REF-2-780',
    outcome: 'reparo',
    tipo: 61,
    known: known({ monto: 6000 }),
  },
  {
    title: 'is a note with another date of its original',
    code: 'REF-2-900',
    outcome: 'reparo',
    tipo: 61,
    known: known({ fecha: '2026-11-02' }),
  },
  {
    title: 'lowers more than there was',
    code: 'REF-2-901',
    outcome: 'reparo',
    tipo: 61,
    known: known({ monto: 100 }),
    document: replaced('<CodRef>1', '<CodRef>3'),
  },
  {
    title: 'is a credit note about a credit note',
    code: 'REF-3-901',
    tipo: 61,
    known: { '61 7': ORIGINAL['33 7'] as KnownDocument },
    document: replaced('<TpoDocRef>33', '<TpoDocRef>61'),
  },
  {
    title: 'annuls two documents at once',
    code: 'REF-3-902',
    tipo: 61,
    known: ORIGINAL,
    document: replaced(/<Referencia>(.*)<\/Referencia>/, '<Referencia>$1</Referencia><Referencia>$1</Referencia>'),
  },
  {
    title: 'corrects text and has amounts',
    code: 'REF-2-902',
    outcome: 'reparo',
    tipo: 61,
    known: ORIGINAL,
    document: replaced('<CodRef>1', '<CodRef>2'),
  },
  {
    title: 'refers to a kind of document that does not exist',
    code: 'REF-3-900',
    tipo: 61,
    known: ORIGINAL,
    document: replaced(
      '<Referencia>',
      '<Referencia><NroLinRef>2</NroLinRef><TpoDocRef>999</TpoDocRef><FolioRef>1</FolioRef><FchRef>2026-11-01</FchRef></Referencia><Referencia>',
    ),
  },
  {
    title: 'refers to a document of the future',
    code: 'REF-3-903',
    tipo: 61,
    known: known({ fecha: '2026-11-12' }),
    document: replaced('<FchRef>2026-11-03', '<FchRef>2026-11-12'),
  },
  {
    title: 'refers to a tax document by letters',
    code: 'REF-3-904',
    tipo: 61,
    document: replaced('<FolioRef>7', '<FolioRef>7A'),
  },
]

describe('a document wrong in one thing', () => {
  for (const { title, code, outcome = 'rejected', view: changes, known: held, caratula, ...options } of WRONG)
    it(`is told ${code} when it ${title}`, () => {
      const verdict = verifier.verify(envelope([dte(options)], { caratula }), view(changes, held))
      expect(verdict.findings).toEqual([])
      expect(verdict.documents[0]?.findings.map((finding) => finding.code)).toEqual([code])
      expect(verdict.documents[0]?.outcome).toBe(outcome)
    })
})

/** What both sides of a rule look like: these are near a wrong document and are none. */
describe('a document that only looks wrong', () => {
  const RIGHT: readonly (Omit<Wrong, 'code'> & { title: string })[] = [
    { title: 'was signed alone without any namespace', namespace: '' },
    { title: 'is signed on the last day of the six months of its CAF', caf: { date: '2026-05-10' } },
    { title: 'is of a tipo whose CAF does not expire', tipo: 34, caf: { date: '2020-01-01' } },
    { title: 'has the first folio of its CAF', caf: { first: 10, last: 10 } },
    { title: 'has a timbre in plain letters', dd: replaced(/<RSR>P.rez/, '<RSR>Perez') },
    { title: 'has white space between the tags of its timbre', ted: (ted) => ted.replaceAll('><', '>\n  <') },
    { title: 'has a base64 in lines', signed: replaced(/<SignatureValue>(.{60})/, '<SignatureValue>\n$1\n') },
    { title: 'is a note about a document that the SII has', tipo: 61, known: ORIGINAL },
    {
      title: 'is a note about many',
      tipo: 61,
      document: replaced('<FolioRef>7', '<IndGlobal>1</IndGlobal><FolioRef>0'),
    },
    { title: 'is a note about paper', tipo: 61, document: replaced('<TpoDocRef>33', '<TpoDocRef>30') },
  ]

  for (const { title, view: changes, known: held, caratula, ...options } of RIGHT)
    it(`is accepted when it ${title}`, () => {
      const verdict = verifier.verify(envelope([dte(options)], { caratula }), view(changes, held))
      expect(verdict.findings).toEqual([])
      expect(verdict.documents[0]?.findings).toEqual([])
    })

  it('is told DTE-3-100 when it comes a second time, and not DTE-3-101', () => {
    const file = envelope([dte()])
    const [first] = verifier.verify(file, view()).documents
    const again = verifier.verify(file, view({}, { '33 10': first as KnownDocument }))
    expect(again.documents[0]?.findings.map(({ code }) => code)).toEqual(['DTE-3-100'])
  })

  it('is told DTE-3-101 when its folio is twice in one envelope, and the first one stands', () => {
    const resigned = dte({ draft: { issue_date: '2026-11-09' }, document: (text) => text.replace('F10T33', 'F10T33B') })
    const { documents } = verifier.verify(envelope([dte(), resigned]), view())
    expect(documents.map(({ outcome }) => outcome)).toEqual(['accepted', 'rejected'])
    expect(documents[1]?.findings.map(({ code }) => code)).toEqual(['DTE-3-101'])
  })

  it('counts an original that stands before its note in the same envelope, and not one after it', () => {
    const original = dte({ folio: 7, draft: { issue_date: '2026-11-03' } })
    const note = dte({ tipo: 61 })
    const outcomes = (...dtes: string[]) =>
      verifier.verify(envelope(dtes), view()).documents.map(({ tipo, outcome }) => [tipo, outcome])
    expect(outcomes(original, note)).toEqual([
      [33, 'accepted'],
      [61, 'accepted'],
    ])
    expect(outcomes(note, original)).toEqual([
      [61, 'rejected'],
      [33, 'accepted'],
    ])
  })

  it('has its refusal told alone: an early one hides later ones', () => {
    const wrong = dte({ caf: { date: '2026-01-01' }, stamp_key: otherFolios, signed: replaced('Maip', 'Taip') })
    const used = { '33 10': { receptor: RECEPTOR, fecha: '2026-11-09', monto: 1, signature_value: 'another' } }
    const codes = (held: Record<string, KnownDocument>) =>
      verifier.verify(envelope([wrong]), view({}, held)).documents[0]?.findings.map(({ code }) => code)
    expect(codes(used)).toEqual(['DTE-3-101'])
    expect(codes({})).toEqual(['CAF-3-517'])
  })
})
