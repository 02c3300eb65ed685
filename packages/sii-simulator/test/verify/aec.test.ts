import { describe, expect, it } from 'vitest'
import type { AecView, KnownDocument } from '../../src/verify/verdict.ts'
import {
  dte,
  EMISOR,
  envelope,
  otherPerson,
  type Person,
  RECEPTOR,
  SENDER,
  sealed,
  sender,
  signedAlone,
  TODAY,
  unaccredited,
  verifier,
  view,
} from './kit.ts'

const FACTORING = '78901234-2'
const BANK = '97975000-5'
const document = dte()
const received = verifier.verify(envelope([document]), view()).documents[0] as KnownDocument

const aecView = (changes: Partial<AecView> = {}): AecView => ({
  sender_rut: SENDER,
  company_rut: EMISOR,
  today: TODAY,
  document: () => received,
  mayFile: () => true,
  holder: () => null,
  ...changes,
})

const same = (text: string) => text
const replaced = (from: string | RegExp, to: string) => (text: string) => {
  const changed = text.replace(from, to)
  if (changed === text) throw new Error(`nothing to replace: ${from}`)
  return changed
}

interface CesionOptions {
  seq?: number
  from?: string
  to?: string
  change?: (body: string) => string
  signer?: Person
  /** After it was signed. */
  signed?: (cesion: string) => string
}

function cesion({ seq = 1, from = EMISOR, to = FACTORING, ...options }: CesionOptions = {}): string {
  const party = (rut: string) =>
    `<RUT>${rut}</RUT><RazonSocial>EMPRESA ${rut}</RazonSocial><Direccion>CALLE 123</Direccion><eMail>a@ejemplo.cl</eMail>`
  const body =
    `<DocumentoCesion ID="Cesion${seq}"><SeqCesion>${seq}</SeqCesion><IdDTE><TipoDTE>33</TipoDTE>` +
    `<RUTEmisor>${EMISOR}</RUTEmisor><RUTReceptor>${RECEPTOR}</RUTReceptor><Folio>10</Folio>` +
    `<FchEmis>2026-11-10</FchEmis><MntTotal>5950</MntTotal></IdDTE><Cedente>${party(from)}<RUTAutorizado>` +
    `<RUT>${SENDER}</RUT><Nombre>PERSONA</Nombre></RUTAutorizado><DeclaracionJurada>Se declara bajo juramento` +
    `</DeclaracionJurada></Cedente><Cesionario>${party(to)}</Cesionario><MontoCesion>5950</MontoCesion>` +
    '<UltimoVencimiento>2026-12-10</UltimoVencimiento><TmstCesion>2026-11-12T10:00:00</TmstCesion></DocumentoCesion>'
  return (options.signed ?? same)(signedAlone('Cesion', (options.change ?? same)(body), options.signer ?? sender))
}

interface AecOptions {
  dte?: string
  cesiones?: readonly string[]
  caratula?: (text: string) => string
  ceded?: (text: string) => string
  signer?: Person
  file?: (text: string) => string
  to?: string
  from?: string
}

function aec(options: AecOptions = {}): Buffer {
  const ceded = signedAlone(
    'DTECedido',
    `<DocumentoDTECedido ID="DTECedido">${options.dte ?? document}<TmstFirma>2026-11-12T10:00:00</TmstFirma></DocumentoDTECedido>`,
  )
  const caratula = (options.caratula ?? same)(
    `<Caratula version="1.0"><RutCedente>${options.from ?? EMISOR}</RutCedente>` +
      `<RutCesionario>${options.to ?? FACTORING}</RutCesionario><TmstFirmaEnvio>2026-11-12T10:00:00</TmstFirmaEnvio></Caratula>`,
  )
  const cesiones = (options.cesiones ?? [cesion()]).join('')
  const body = `<DocumentoAEC ID="AEC">${caratula}<Cesiones>${(options.ceded ?? same)(ceded)}${cesiones}</Cesiones></DocumentoAEC>`
  return sealed('AEC', body, { signer: options.signer ?? sender, file: options.file ?? same })
}

type Wrong = AecOptions & { title: string; estado: string; code: string; view?: Partial<AecView> }

const WRONG: readonly Wrong[] = [
  { title: 'is no XML', estado: 'RSC', code: 'ENV-3-0', file: () => 'hola' },
  { title: 'is another file', estado: 'RSC', code: 'ENV-3-0', file: () => '<EnvioDTE/>' },
  { title: 'lacks an element', estado: 'RSC', code: 'ENV-3-0', file: replaced(/<MontoCesion>.*<\/MontoCesion>/, '') },
  {
    title: 'was changed after signing',
    estado: 'RFS',
    code: 'RTC-3-900',
    file: replaced('<RutCesionario>7', '<RutCesionario>8'),
  },
  { title: 'is signed with a certificate of nobody', estado: 'RFS', code: 'RTC-3-900', signer: unaccredited },
  { title: 'names another cesionario than its cesión', estado: 'RCR', code: 'RTC-3-901', to: BANK },
  { title: 'is uploaded for another company', estado: 'RCR', code: 'RTC-3-901', view: { company_rut: FACTORING } },
  { title: 'comes from somebody without permission', estado: 'RCR', code: 'RTC-3-902', view: { mayFile: () => false } },
  {
    title: 'has a document changed after signing',
    estado: 'RDC',
    code: 'RTC-3-900',
    dte: document.replace('Maip', 'Taip'),
  },
  {
    title: 'has a layer changed after signing',
    estado: 'RDC',
    code: 'RTC-3-900',
    ceded: replaced(/12T10:00:00<\/TmstFirma>/, '12T11:00:00</TmstFirma>'),
  },
  { title: 'cedes a document that was not received', estado: 'RDC', code: 'RTC-3-903', view: { document: () => null } },
  {
    title: 'cedes another document than was received',
    estado: 'RDC',
    code: 'RTC-3-904',
    view: { document: () => ({ ...received, monto: 1 }) },
  },
  {
    title: 'says another amount of the document',
    estado: 'RCS',
    code: 'RTC-3-905',
    cesiones: [cesion({ change: replaced('<MntTotal>5950', '<MntTotal>5951') })],
  },
  {
    title: 'is ceded by somebody who does not hold it',
    estado: 'RCS',
    code: 'RTC-3-906',
    cesiones: [cesion({ from: BANK })],
    from: BANK,
    view: { company_rut: BANK },
  },
  {
    title: 'is ceded a first time twice',
    estado: 'RCS',
    code: 'RTC-3-907',
    view: { holder: () => ({ rut: FACTORING, seq: 1 }) },
  },
  { title: 'starts with the second cesión', estado: 'RCS', code: 'RTC-3-907', cesiones: [cesion({ seq: 2 })] },
  {
    title: 'cedes more than there is',
    estado: 'RCS',
    code: 'RTC-3-908',
    cesiones: [cesion({ change: replaced('<MontoCesion>5950', '<MontoCesion>5951') })],
  },
  {
    title: 'falls due before the document',
    estado: 'RCS',
    code: 'RTC-3-909',
    cesiones: [cesion({ change: replaced('<UltimoVencimiento>2026-12', '<UltimoVencimiento>2026-10') })],
  },
  {
    title: 'is dated tomorrow',
    estado: 'RCS',
    code: 'RTC-3-909',
    cesiones: [cesion({ change: replaced('<TmstCesion>2026-11-12', '<TmstCesion>2026-11-17') })],
  },
  {
    title: 'is signed by somebody whom the cedente does not name',
    estado: 'RCS',
    code: 'RTC-3-910',
    cesiones: [cesion({ signer: otherPerson })],
  },
  {
    title: 'has a cesión changed after signing',
    estado: 'RCS',
    code: 'RTC-3-900',
    cesiones: [cesion({ signed: replaced('CALLE', 'VALLE') })],
  },
  {
    title: 'has neither receipt nor oath',
    estado: 'RCS',
    code: 'RTC-3-911',
    cesiones: [cesion({ change: replaced(/<DeclaracionJurada>.*<\/DeclaracionJurada>/, '') })],
  },
  {
    title: 'has a cesionario whose check digit is wrong',
    estado: 'RCR',
    code: 'RTC-3-912',
    to: '78901234-3',
    cesiones: [cesion({ to: '78901234-3' })],
  },
]

describe('the file of a cesión', () => {
  it('is annotated when nothing is wrong', () => {
    expect(verifier.verifyAec(aec(), aecView())).toMatchObject({
      estado: 'EOK',
      findings: [],
      document: { tipo: 33, folio: 10, emisor: EMISOR, receptor: RECEPTOR, monto: 5950 },
      cesiones: [{ seq: 1, cedente: EMISOR, cesionario: FACTORING, monto: 5950, last_due: '2026-12-10' }],
    })
  })

  it('is annotated a second time by who holds the document now', () => {
    const again = { cesiones: [cesion(), cesion({ seq: 2, from: FACTORING, to: BANK })], from: FACTORING, to: BANK }
    const held = aecView({ company_rut: FACTORING, holder: () => ({ rut: FACTORING, seq: 1 }) })
    expect(verifier.verifyAec(aec(again), held)).toMatchObject({ estado: 'EOK', findings: [] })
  })

  it('ends RCS with RTC-3-906 when a cesión inside it is by somebody who did not receive it', () => {
    const broken = { cesiones: [cesion({ to: BANK }), cesion({ seq: 2, from: FACTORING, to: BANK })] }
    const held = aecView({ company_rut: FACTORING, holder: () => ({ rut: FACTORING, seq: 1 }) })
    const verdict = verifier.verifyAec(aec({ ...broken, from: FACTORING, to: BANK }), held)
    expect([verdict.estado, verdict.findings[0]?.code]).toEqual(['RCS', 'RTC-3-906'])
  })

  for (const { title, estado, code, view: changes, ...options } of WRONG)
    it(`ends ${estado} with ${code} when it ${title}`, () => {
      const verdict = verifier.verifyAec(aec(options), aecView(changes))
      expect([verdict.estado, ...verdict.findings.map((finding) => finding.code)]).toEqual([estado, code])
    })
})
