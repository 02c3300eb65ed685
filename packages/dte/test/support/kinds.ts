import { cedeAgain, cedeDte } from '../../src/cesion/cesion.ts'
import type { TipoDte } from '../../src/document/tipos.ts'
import { buildConsumoFolios } from '../../src/envelope/consumo-folios.ts'
import { buildSobre, type Sobre } from '../../src/envelope/sobre.ts'
import { buildRecepcionEnvio, buildResultadoDte } from '../../src/exchange/intercambio.ts'
import { buildEnvioRecibos } from '../../src/exchange/recibos.ts'
import { buildLibroGuia } from '../../src/libros/guias.ts'
import { buildLibroCompraVenta } from '../../src/libros/libros.ts'
import type { Outcome } from '../../src/refusal.ts'
import { firstRefusal, verifySignatures } from '../../src/signature/verify.ts'
import { emit, parsed } from './emitted.ts'
import { makeIdentity, SIGNER_RUT } from './keys.ts'

export const identity = makeIdentity()
export const { signer } = identity
export const [EMISOR_RUT, RECEPTOR_RUT, FACTORING_RUT, BANK_RUT] = [
  '76543210-3',
  '77123456-9',
  '78901234-2',
  '97004000-5',
]
const resolucion = { date: '2026-09-01', number: 0 }
const tmst_firma = '2026-10-05T12:05:00'
export const refusalOf = (xml: string) => firstRefusal(verifySignatures(parsed(xml)))

export function taken<T>(outcome: Outcome<T>): T {
  if (!outcome.ok) throw new Error(`${outcome.refusal.path} ${outcome.refusal.rule}: ${outcome.refusal.message}`)
  return outcome.value
}
export const ruleOf = <T>(outcome: Outcome<T>) => (outcome.ok ? null : outcome.refusal.rule)

export const enclosed = (tipos: readonly TipoDte[]) =>
  tipos.map((tipo_dte) => ({ tipo_dte, xml: emit(tipo_dte, 1, signer).xml }))
export const sobre = (tipos: readonly TipoDte[], changes: Partial<Sobre> = {}): Sobre => ({
  emisor_rut: EMISOR_RUT,
  envia_rut: SIGNER_RUT,
  resolucion,
  tmst_firma,
  documents: enclosed(tipos),
  ...changes,
})
export const factura = emit(33, 9, signer, {
  items: [{ description: `O'Higgins "5" & más > 3`, quantity: 1, unit_price: 1000 }],
}).xml
const answered = {
  tipo_dte: 33,
  folio: 1,
  issue_date: '2026-10-05',
  emisor_rut: EMISOR_RUT,
  receptor_rut: RECEPTOR_RUT,
  total: 1190,
}
const respuesta = {
  responde_rut: RECEPTOR_RUT,
  recibe_rut: EMISOR_RUT,
  number: 1,
  contact: { name: 'Recepción', email: 'dte@ejemplo.cl' },
  tmst_firma,
}
export const party = (rut: string) => ({
  rut,
  legal_name: `Empresa & Cía ${rut}`,
  street: 'Ñuñoa 123',
  email: 'a@ejemplo.cl',
})
export const cesion = {
  cedente: party(EMISOR_RUT),
  authorised: { rut: SIGNER_RUT, name: 'Persona de Prueba' },
  cesionario: party(FACTORING_RUT),
  amount: 1190,
  last_due_date: '2026-11-05',
  debtor_email: 'deudor@ejemplo.cl',
  tmst_firma,
}
const entry = {
  tipo_doc: 33,
  folio: 1,
  date: '2026-10-05',
  rut: RECEPTOR_RUT,
  legal_name: 'Pérez & Hijos',
  iva_rate: 19,
  net: 1000,
  iva: 190,
  total: 1190,
}
const libro = { emisor_rut: EMISOR_RUT, envia_rut: SIGNER_RUT, period: '2026-10', resolucion, tmst_firma } as const
const recibo = { ...answered, place: 'Casa Matriz', firma_rut: SIGNER_RUT, tmst_firma }
const taxed = { ...entry, folio: 2, taxes: [{ code: 15, rate: 19, amount: 190 }], iva_withheld_total: 190 }
const shared_iva = {
  ...entry,
  folio: 3,
  iva: 0,
  iva_common_use: 191,
  iva_not_recoverable: [{ code: 4, amount: 5 }],
  fixed_asset_net: 10,
  fixed_asset_iva: 2,
}

export const first_aec = taken(await cedeDte({ ...cesion, dte: factura }, signer))
export const again = { ...cesion, cedente: party(FACTORING_RUT), cesionario: party(BANK_RUT), amount: 1000 }
export const second_aec = taken(await cedeAgain(Buffer.from(first_aec, 'latin1'), again, signer))

interface Kind {
  readonly xml: string
  readonly schema: string
  readonly body: string
  /** Elements inside that are signed alone, and what they sign. */
  readonly inner?: Readonly<Record<string, string>>
}
const aec_inner = { DTECedido: 'DocumentoDTECedido', Cesion: 'DocumentoCesion', DTE: 'Documento' }
export const KINDS: Readonly<Record<string, Kind>> = {
  EnvioDTE: {
    xml: taken(await buildSobre(sobre([33, 34, 46, 52, 56, 61]), signer)),
    schema: 'EnvioDTE_v10.xsd',
    body: 'SetDTE',
    inner: { DTE: 'Documento' },
  },
  EnvioBOLETA: {
    xml: taken(await buildSobre(sobre([39, 41]), signer)),
    schema: 'EnvioBOLETA_v11.xsd',
    body: 'SetDTE',
    inner: { DTE: 'Documento' },
  },
  RecepcionEnvio: {
    xml: taken(
      await buildRecepcionEnvio(
        respuesta,
        [
          {
            file_name: 'a.xml',
            received_at: tmst_firma,
            code: 1,
            set_id: 'SetDoc',
            digest: 'AQ==',
            emisor_rut: EMISOR_RUT,
            receptor_rut: RECEPTOR_RUT,
            state: 0,
            documents: [
              { ...answered, state: 0 },
              { ...answered, folio: 2, state: 3 },
            ],
          },
        ],
        signer,
      ),
    ),
    schema: 'RespuestaEnvioDTE_v10.xsd',
    body: 'Resultado',
  },
  ResultadoDTE: {
    xml: taken(
      await buildResultadoDte(
        respuesta,
        [
          { ...answered, envelope_code: 1, state: 0 },
          { ...answered, folio: 2, envelope_code: 1, state: 2, reason: 'Precio > pactado' },
        ],
        signer,
      ),
    ),
    schema: 'RespuestaEnvioDTE_v10.xsd',
    body: 'Resultado',
  },
  EnvioRecibos: {
    xml: taken(await buildEnvioRecibos(respuesta, [recibo, { ...recibo, folio: 2 }], signer)),
    schema: 'EnvioRecibos_v10.xsd',
    body: 'SetRecibos',
    inner: { Recibo: 'DocumentoRecibo' },
  },
  AEC: { xml: first_aec, schema: 'AEC_v10.xsd', body: 'DocumentoAEC', inner: aec_inner },
  'AEC with a second cesión': { xml: second_aec, schema: 'AEC_v10.xsd', body: 'DocumentoAEC', inner: aec_inner },
  'LibroCompraVenta of compras': {
    xml: taken(
      await buildLibroCompraVenta(
        {
          ...libro,
          operation: 'COMPRA',
          kind: 'ESPECIAL',
          notification_number: 1,
          common_use_factor: 0.6,
          entries: [entry, taxed, shared_iva, { ...entry, tipo_doc: 61 }],
        },
        signer,
      ),
    ),
    schema: 'LibroCV_v10.xsd',
    body: 'EnvioLibro',
  },
  'LibroCompraVenta of ventas': {
    xml: taken(
      await buildLibroCompraVenta(
        {
          ...libro,
          operation: 'VENTA',
          kind: 'MENSUAL',
          entries: [entry, { ...entry, folio: 4, annulled: true }, { ...entry, tipo_doc: 39, summary_only: true }],
        },
        signer,
      ),
    ),
    schema: 'LibroCV_v10.xsd',
    body: 'EnvioLibro',
  },
  LibroGuia: {
    xml: taken(
      await buildLibroGuia(
        {
          ...libro,
          notification_number: 1,
          entries: [
            { folio: 4, transfer_type: 5, date: '2026-10-05', rut: EMISOR_RUT },
            {
              folio: 5,
              transfer_type: 1,
              date: '2026-10-05',
              rut: RECEPTOR_RUT,
              net: 1000,
              iva_rate: 19,
              iva: 190,
              total: 1190,
              reference: { tipo_doc: 33, folio: 69, date: '2026-10-05' },
            },
            {
              folio: 6,
              annulled: 'after',
              transfer_type: 1,
              date: '2026-10-05',
              rut: RECEPTOR_RUT,
              net: 10,
              iva_rate: 19,
              iva: 2,
              total: 12,
            },
          ],
        },
        signer,
      ),
    ),
    schema: 'LibroGuia_v10.xsd',
    body: 'EnvioLibro',
  },
  ConsumoFolios: {
    xml: taken(
      await buildConsumoFolios(
        {
          emisor_rut: EMISOR_RUT,
          envia_rut: SIGNER_RUT,
          resolucion,
          date: '2026-10-05',
          sequence: 1,
          summaries: [
            {
              tipo_dte: 39,
              net: 1000,
              iva: 190,
              iva_rate: 19,
              exempt: 0,
              total: 1190,
              issued: [1, 2, 3, 7],
              annulled: [5],
            },
            { tipo_dte: 41, exempt: 100, total: 100, issued: [1] },
          ],
          tmst_firma,
        },
        signer,
      ),
    ),
    schema: 'ConsumoFolio_v10.xsd',
    body: 'DocumentoConsumoFolios',
  },
}
