import { createPublicKey, generateKeyPairSync, X509Certificate } from 'node:crypto'
import {
  buildConsumoFolios,
  buildSobre,
  type Caf,
  completeDraft,
  createSigner,
  type DteDraft,
  emitDteSync,
  readCaf,
  type TipoDte,
} from '@timbre/dte'
import { CAF_IDK } from '../../src/authority/authority.ts'
import { writeCaf } from '../../src/caf/file.ts'
import { cafKey } from '../../src/state/state.ts'
import type { Caf as KeptCaf } from '../../src/state/types.ts'
import type { World } from './world.ts'

export const EMISOR = '76543210-3'
export const RECEPTOR = '77123456-9'
/** The number is 0 in certificación. */
export const RESOLUTIONS = {
  certificacion: { number: 0, date: '2014-08-22' },
  produccion: { number: 80, date: '2014-08-22' },
}

export type Paper = Awaited<ReturnType<typeof openPaper>>

/** Writes good documents with our own engine, stamped with folios of this simulator and signed by its person. */
export async function openPaper(world: World, ambiente: 'certificacion' | 'produccion' = 'certificacion') {
  const { simulator, person } = world
  const sii = await simulator.authority.cafKey()
  const folios = generateKeyPairSync('rsa', { modulusLength: 512 }).privateKey
  const signer = createSigner(person.key, new X509Certificate(person.certificate))
  const cafs = new Map<TipoDte, Caf>()
  const given: KeptCaf[] = []

  function cafOf(tipo: TipoDte): Caf {
    const known = cafs.get(tipo)
    if (known) return known
    const order = { rut: EMISOR, name: 'Comercial Ñandú SpA', tipo, from: 1, to: 1000, date: '2026-10-01' }
    const file = writeCaf(order, { idk: CAF_IDK[ambiente], key: sii }, folios)
    const { from: desde, to: hasta, date: fecha } = order
    const kept = {
      ambiente,
      emisor: EMISOR,
      tipo,
      desde,
      hasta,
      fecha,
      requested_by: person.rut,
      xml: file.toString('latin1'),
    }
    simulator.state.cafs.put(cafKey(kept), kept)
    given.push(kept)
    const read = readCaf(file, { [CAF_IDK[ambiente]]: createPublicKey(sii) })
    if (!read.ok) throw new Error(read.refusal.message)
    cafs.set(tipo, read.value)
    return read.value
  }

  return {
    cafOf,
    /** The simulator forgot its folios in a reset: it gave them all the same. */
    giveAgain() {
      for (const kept of given) simulator.state.cafs.put(cafKey(kept), kept)
    },
    dte(tipo: TipoDte, folio: number, changes: Partial<DteDraft> = {}): string {
      const emission = {
        dte: completeDraft({ ...draft(tipo), ...changes }, folio),
        caf: cafOf(tipo),
        signer,
        tmst_ted: '2026-10-05T11:50:00',
        tmst_firma: '2026-10-05T11:50:01',
      }
      const emitted = emitDteSync(emission)
      if (!emitted.ok) throw new Error(emitted.refusal.message)
      return emitted.value.xml
    },
    /** The report of a day with one boleta. */
    async consumo(): Promise<Buffer> {
      const report = {
        emisor_rut: EMISOR,
        envia_rut: person.rut,
        resolucion: RESOLUTIONS[ambiente],
        date: '2026-10-04',
        sequence: 1,
        summaries: [{ tipo_dte: 39, net: 4202, iva: 798, iva_rate: 19, total: 5000, issued: [1] }] as const,
        tmst_firma: '2026-10-05T11:51:00',
      }
      const written = await buildConsumoFolios(report, signer)
      if (!written.ok) throw new Error(written.refusal.message)
      return Buffer.from(written.value, 'latin1')
    },
    async envelope(...documents: string[]): Promise<Buffer> {
      const sobre = await buildSobre(
        {
          emisor_rut: EMISOR,
          envia_rut: person.rut,
          resolucion: RESOLUTIONS[ambiente],
          tmst_firma: '2026-10-05T11:51:00',
          documents: documents.map((xml) => ({ tipo_dte: Number(/<TipoDTE>(\d+)/.exec(xml)?.[1]) as TipoDte, xml })),
        },
        signer,
      )
      if (!sobre.ok) throw new Error(sobre.refusal.message)
      return Buffer.from(sobre.value, 'latin1')
    },
  }
}

function draft(tipo_dte: TipoDte): DteDraft {
  const boleta = tipo_dte === 39 || tipo_dte === 41
  return {
    tipo_dte,
    issue_date: '2026-10-05',
    emisor: {
      rut: EMISOR,
      legal_name: 'Comercial Ñandú SpA',
      giro: 'Artículos de oficina',
      acteco: [476101],
      address: { street: 'Providencia 1234', comuna: 'Providencia' },
    },
    receptor: boleta
      ? { rut: '66666666-6' }
      : {
          rut: RECEPTOR,
          legal_name: 'Pérez & Hijos Ltda.',
          giro: 'Comercio',
          address: { street: 'Calle Larga 56', comuna: 'Maipú' },
        },
    ...(tipo_dte === 52 ? { dispatch: { transfer_type: 1 } } : {}),
    items: [{ description: 'Resma de papel', quantity: 2, unit_price: 2500 }],
  }
}

/** The form of an upload, ready to send. */
export function uploadForm(file: Uint8Array, changes: Record<string, string> = {}, name = 'EnvioDTE.xml'): FormData {
  const form = new FormData()
  const fields = { rutSender: '12345678', dvSender: '5', rutCompany: '76543210', dvCompany: '3', ...changes }
  for (const [field, value] of Object.entries(fields)) form.append(field, value)
  form.append('archivo', new Blob([file], { type: 'text/xml' }), name)
  return form
}

export const AGENT = 'Mozilla/4.0 (compatible; PROG 1.0; Windows NT 5.0)'
