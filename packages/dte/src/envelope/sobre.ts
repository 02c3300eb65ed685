import { SII_RUT, type TipoDte, tipo } from '../document/tipos.ts'
import { accept, type Outcome } from '../refusal.ts'
import type { Signer } from '../signature/sign.ts'
import { Form, type FormRule } from '../xml/form.ts'
import { type Envelope, type Piece, pasteForeign, pasteOwn, piece, signEnvelope } from './sign.ts'

export interface Resolucion {
  readonly date: string
  /** 0 in certification. */
  readonly number: number
}

export interface Sobre {
  readonly emisor_rut: string
  /** RUT of the person who signs and sends: the SII compares it with the sender of the upload. */
  readonly envia_rut: string
  /** The SII unless this is the copy for the buyer. */
  readonly receptor_rut?: string
  readonly resolucion: Resolucion
  readonly tmst_firma: string
  /** ID of the set, `SetDoc` by default. */
  readonly id?: string
  readonly documents: readonly EnclosedDte[]
}

export interface EnclosedDte {
  readonly tipo_dte: TipoDte
  /** The signed `DTE` element, as emitted or as received. */
  readonly xml: string
  /** True when another program wrote it: its characters may not be canonical and are parsed first. */
  readonly foreign?: boolean
}

export type SobreRule = FormRule | 'mixed_kinds' | 'not_a_dte'

/** EnvioDTE_v10.xsd takes 2,000 documents of 20 tipos; Formato de Boletas Electrónicas v4.1, 500 boletas of 2. */
const MAX = { EnvioDTE: 2000, EnvioBOLETA: 500 } as const
const SCHEMA = { EnvioDTE: 'EnvioDTE_v10.xsd', EnvioBOLETA: 'EnvioBOLETA_v11.xsd' } as const

/** EnvioDTE or EnvioBOLETA, by the tipos it carries; never both kinds. */
export async function buildSobre(sobre: Sobre, signer: Signer): Promise<Outcome<string, SobreRule>> {
  const envelope = writeSobre(sobre)
  return envelope.ok ? accept(await signEnvelope(envelope.value, signer)) : envelope
}

export function writeSobre(sobre: Sobre): Outcome<Envelope, SobreRule> {
  const form = new Form<'mixed_kinds' | 'not_a_dte'>()
  const [first] = sobre.documents
  const root = first === undefined ? 'EnvioDTE' : tipo(first.tipo_dte).envelope
  form.count('documents', sobre.documents.length, 1, MAX[root])
  const caratula = writeCaratula(sobre, form)
  const documents = sobre.documents.map((document, index): Piece => {
    const path = `documents[${index}]`
    if (tipo(document.tipo_dte).envelope !== root) {
      form.refuse(path, 'mixed_kinds', 'Boletas and other documents do not travel together.')
    }
    return paste(document, path, form)
  })
  const content = [piece(`\n${caratula}`), ...documents.flatMap((document) => [piece('\n'), document]), piece('\n')]
  return form.outcome({ root, schema: SCHEMA[root], body: 'SetDTE', id: sobre.id ?? 'SetDoc', content })
}

function paste({ xml, foreign }: EnclosedDte, path: string, form: Form<'mixed_kinds' | 'not_a_dte'>): Piece {
  const own = foreign === true ? undefined : pasteOwn(xml, 'DTE')
  if (own !== undefined) return own
  const parsed = pasteForeign(xml)
  if (parsed.ok && /^<DTE[\s>]/.test(parsed.value.written)) return parsed.value
  form.refuse(path, 'not_a_dte', parsed.ok ? 'It is not a DTE element.' : parsed.refusal.message)
  return piece('')
}

function writeCaratula(sobre: Sobre, form: Form<'mixed_kinds' | 'not_a_dte'>): string {
  return (
    '<Caratula version="1.0">' +
    form.rut('RutEmisor', sobre.emisor_rut, 'emisor_rut') +
    form.rut('RutEnvia', sobre.envia_rut, 'envia_rut') +
    form.rut('RutReceptor', sobre.receptor_rut ?? SII_RUT, 'receptor_rut') +
    form.date('FchResol', sobre.resolucion.date, 'resolucion.date') +
    form.integer('NroResol', sobre.resolucion.number, 'resolucion.number', 0, 999_999) +
    form.timestamp('TmstFirmaEnv', sobre.tmst_firma, 'tmst_firma') +
    countByTipo(sobre.documents) +
    '</Caratula>'
  )
}

function countByTipo(documents: readonly EnclosedDte[]): string {
  const counts = new Map<TipoDte, number>()
  for (const { tipo_dte } of documents) counts.set(tipo_dte, (counts.get(tipo_dte) ?? 0) + 1)
  return [...counts]
    .map(([type, count]) => `<SubTotDTE><TpoDTE>${type}</TpoDTE><NroDTE>${count}</NroDTE></SubTotDTE>`)
    .join('')
}
