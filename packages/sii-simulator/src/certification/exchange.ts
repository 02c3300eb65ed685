import { authoriseRange, newRangeKeys, nextFolio, type RangeKeys, stampOf } from '../caf/register.ts'
import { santiago } from '../clock.ts'
import { inTurn } from '../in-turn.ts'
import { type CentralCertificate, centralCertificate } from '../sfg/desk.ts'
import { signDte, writeDte } from '../sfg/document.ts'
import type { SfgDraft } from '../sfg/draft.ts'
import type { Simulator } from '../simulator.ts'
import type { Taxpayer } from '../state/types.ts'
import type { Exchange, ExchangeDocument } from './register.ts'
import { signEnvelope } from './sign-envelope.ts'

/** The company as which the SII sends documents to whoever certifies, and one that is nobody's business here. */
const SENDER = '88888888-8'
const STRANGER = '77777777-7'
const SII_PERSON = '60803000-K'
const SET_ID = 'SetDoc'

/** The SII's envelope of two documents: one for the company, and one whose receptor is another. */
export async function makeExchange(ctx: Simulator, company: Taxpayer): Promise<Exchange> {
  const keys = await newRangeKeys(ctx)
  const person = await centralCertificate(ctx, SII_PERSON)
  return inTurn(ctx, () => signExchange(ctx, company, keys, person))
}

function signExchange(
  ctx: Simulator,
  company: Taxpayer,
  keys: RangeKeys,
  { key, certificate }: CentralCertificate,
): Exchange {
  const series = { ambiente: 'certificacion', emisor: SENDER, tipo: 33 } as const
  const first = nextFolio(ctx, series)
  const stamp = stampOf(authoriseRange(ctx, series, { from: first, to: first + 1 }, 'SII', keys))
  const { date, time } = santiago(ctx.clock.now())
  const at = `${date}T${time}`
  const write = (folio: number, rut: string, name: string, net: number) => {
    const draft = draftFor(date, rut, name, net)
    const stamping = { emisor: SENDER, emisor_name: NAME, folio, caf: stamp.caf, range_key: stamp.key, at }
    const document: ExchangeDocument = { tipo: 33, folio, fecha: date, receptor: rut, monto: draft.total }
    return { document, xml: signDte(writeDte(draft, stamping), key, certificate) }
  }
  const own = write(first, company.rut, company.name, 10_000 + (first % 97) * 100)
  const other = write(first + 1, STRANGER, 'Otra Empresa de Prueba Ltda.', 25_000)
  const caratula =
    `<Caratula version="1.0"><RutEmisor>${SENDER}</RutEmisor><RutEnvia>${SII_PERSON}</RutEnvia>` +
    `<RutReceptor>${company.rut}</RutReceptor><FchResol>2014-08-22</FchResol><NroResol>0</NroResol>` +
    `<TmstFirmaEnv>${at}</TmstFirmaEnv><SubTotDTE><TpoDTE>33</TpoDTE><NroDTE>2</NroDTE></SubTotDTE></Caratula>`
  const text =
    '<?xml version="1.0" encoding="ISO-8859-1"?>\n<EnvioDTE xmlns="http://www.sii.cl/SiiDte" ' +
    'xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" ' +
    'xsi:schemaLocation="http://www.sii.cl/SiiDte EnvioDTE_v10.xsd" version="1.0">' +
    `<SetDTE ID="${SET_ID}">${caratula}${own.xml}${other.xml}</SetDTE></EnvioDTE>`
  const { xml, digest } = signEnvelope(text, key, certificate)
  return {
    xml,
    emisor: SENDER,
    set_id: SET_ID,
    digest,
    own: own.document,
    other: other.document,
    answers: {},
    approved_at: null,
    refusals: [],
  }
}

const NAME = 'SII Set de Intercambio'

function draftFor(issued_on: string, rut: string, name: string, net: number): SfgDraft {
  const iva = Math.round(net * 0.19)
  const place = { address: 'Teatinos 120', comuna: 'Santiago', city: 'Santiago' }
  return {
    tipo: 33,
    issued_on,
    payment: 2,
    transfer: 0,
    emisor: { giro: 'Administracion publica', acteco: '841100', ...place },
    receptor: { rut, name, giro: 'Comercio', ...place },
    lines: [
      {
        name: 'Servicio de prueba',
        description: '',
        quantity: 1,
        unit: '',
        price: net,
        discount_percent: 0,
        amount: net,
      },
    ],
    references: [],
    net,
    exempt: 0,
    iva,
    total: net + iva,
  }
}
