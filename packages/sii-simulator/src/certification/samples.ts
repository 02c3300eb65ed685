import type { Simulator } from '../simulator.ts'
import { documentKey } from '../state/state.ts'
import { decodeBars } from './barcode.ts'
import { type PdfPage, readPdf } from './read-pdf.ts'
import { readEnvelope, type SetDocument } from './read-set-document.ts'
import type { Certification, Declarable, Sample } from './register.ts'
import { fileOf } from './review.ts'

/** Manual de Muestras Impresas: one document in each PDF, of at most 500 KB. */
export const MOST_BYTES = 500 * 1024
const MOST_PAGES = 4

/** What has to be there of one document: its page, and a copy to cede where the law has one. */
type Copies = readonly Omit<Sample, 'bytes'>[]

function copiesOf(document: SetDocument): Copies {
  const { tipo, folio } = document
  const plain = { tipo, folio, cedible: false }
  return isCedible(document) ? [plain, { ...plain, cedible: true }] : [plain]
}

/** Documents of the sets, and one of each tipo of the simulation, whichever the company chooses. */
export function missingSamples(ctx: Simulator, { declared, samples }: Certification): string[] {
  const documentsOf = (kind: Declarable) => {
    const review = declared[kind]
    return review?.code === 'SOK' ? readEnvelope(fileOf(ctx, review.track_id)).map(copiesOf) : []
  }
  const absentOf = (copies: Copies) =>
    copies.filter(
      ({ tipo, folio, cedible }) =>
        !samples.some((one) => one.tipo === tipo && one.folio === folio && one.cedible === cedible),
    )
  const sets = (['basico', 'guias', 'exenta', 'compra'] as const).flatMap(documentsOf)
  const nearest = new Map<number | undefined, Copies>()
  for (const copies of documentsOf('simulacion')) {
    const [absent, tipo] = [absentOf(copies), copies[0]?.tipo]
    if (absent.length < (nearest.get(tipo)?.length ?? Number.POSITIVE_INFINITY)) nearest.set(tipo, absent)
  }
  return [...sets.flatMap(absentOf), ...[...nearest.values()].flat()].map(sampleName)
}

/** 33, 34, 46, and a guía that is a sale (DTE rules, printed representation). */
function isCedible({ tipo, transfer }: SetDocument): boolean {
  return tipo === 33 || tipo === 34 || tipo === 46 || (tipo === 52 && transfer === 1)
}

export const sampleName = ({ tipo, folio, cedible }: Omit<Sample, 'bytes'>) =>
  `Tipo ${tipo} Folio ${folio}${cedible ? ' CEDIBLE' : ''}`

/** Reads a PDF as the SII's checker does: by its stamp, which must be that of a document of the company. */
export async function readSample(
  ctx: Simulator,
  rut: string,
  file: Uint8Array,
): Promise<{ samples: Sample[] } | { refusal: string }> {
  if (file.length > MOST_BYTES) return { refusal: `El archivo pesa ${file.length} bytes, más de 500 KB` }
  if (!Buffer.from(file.subarray(0, 5)).equals(Buffer.from('%PDF-'))) return { refusal: 'El archivo no es un PDF' }
  const pages = readPdf(file)
  if (pages.length === 0 || pages.length > MOST_PAGES)
    return { refusal: `El archivo debe tener el documento y su copia cedible [${pages.length} páginas]` }
  const samples: Sample[] = []
  for (const page of pages) {
    const read = await readPage(ctx, rut, page)
    if (typeof read === 'string') return { refusal: read }
    samples.push({ ...read, bytes: file.length })
  }
  const [first] = samples
  if (samples.some(({ tipo, folio }) => tipo !== first?.tipo || folio !== first.folio))
    return { refusal: 'El archivo tiene más de un documento' }
  return { samples }
}

async function readPage(ctx: Simulator, rut: string, page: PdfPage): Promise<Omit<Sample, 'bytes'> | string> {
  const bytes = await decodeBars(page.bars)
  if (bytes === null) return 'No fue posible leer el timbre electrónico (PDF417)'
  const ted = flat(Buffer.from(bytes).toString('latin1'))
  const value = (name: string) => new RegExp(`<${name}>([^<]*)</${name}>`).exec(ted)?.[1] ?? ''
  const [tipo, folio] = [Number(value('TD')), Number(value('F'))]
  const name = `Tipo ${tipo} Folio ${folio}`
  if (value('RE') !== rut) return `${name}: el timbre es de otro emisor [${value('RE')}]`
  const known = ctx.state.document_files.get(documentKey('certificacion', rut, tipo, folio))
  if (known === undefined) return `${name}: el documento no fue recibido por el SII`
  const stamped = /<TED[\s>][\s\S]*<\/TED>/.exec(Buffer.from(known).toString('latin1'))?.[0] ?? ''
  if (flat(stamped) !== ted) return `${name}: el timbre impreso no corresponde al del documento`
  if (!page.text.replace(/\s+/g, '').includes('TimbreElectr')) return `${name}: falta la leyenda Timbre Electrónico SII`
  return { tipo, folio, cedible: /CEDIBLE/.test(page.text) }
}

const flat = (text: string) => text.trim().replace(/>\s+</g, '><')
