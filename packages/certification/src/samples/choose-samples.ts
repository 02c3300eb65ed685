import { Buffer } from 'node:buffer'
import { type Dte, hasCedibleCopy, rawElements, readEnvelope } from '@timbre/dte'

/** A document as it lies in an envelope that was sent. */
export interface SampledDocument {
  readonly origin: 'set' | 'simulacion'
  /** As the reference to the set names it, such as `414175-1`; null in the simulation. */
  readonly case_id: string | null
  readonly dte: Dte
  /** The signed element, byte for byte: a page carries the timbre of it. */
  readonly xml: Uint8Array
  /** Of its envelope: number 0, with the day from which the company certifies. */
  readonly resolucion: { readonly numero: number; readonly fecha: string }
}

/** One page to print. */
export interface Sample extends SampledDocument {
  readonly cedible: boolean
  readonly file_name: string
}

export interface SampledFiles {
  /** Signed envelopes of the sets that the SII approved, in their order. Books are not printed. */
  readonly set: readonly Uint8Array[]
  readonly simulation: readonly Uint8Array[]
}

/**
 * The pages that the SII asks to see: every document of the sets and one of each tipo of the simulation, each with its copy
 * to cede where it has one, a page for each file (SII, Manual de Muestras Impresas v4.0). Of the simulation it is the one with
 * the fewest lines, which fits on a page. They are our own envelopes: one that does not read is our bug.
 */
export function chooseSamples({ set, simulation }: SampledFiles): Sample[] {
  const simulated = simulation.flatMap((file) => documentsIn(file, 'simulacion'))
  const shortest = new Map<number, SampledDocument>()
  for (const one of simulated) {
    const { tipo_dte, items } = one.dte
    if (items.length < (shortest.get(tipo_dte)?.dte.items.length ?? Number.POSITIVE_INFINITY))
      shortest.set(tipo_dte, one)
  }
  const chosen = [...set.flatMap((file) => documentsIn(file, 'set')), ...shortest.values()]
  return chosen.flatMap((document) => {
    const plain = { ...document, cedible: false, file_name: fileName(document.dte, '') }
    if (!hasCedibleCopy(document.dte)) return [plain]
    return [plain, { ...document, cedible: true, file_name: fileName(document.dte, '-cedible') }]
  })
}

/**
 * Emisor, tipo and folio in letters, digits and hyphens. No text of the SII names the files of samples: its checker reads
 * the timbre, and a person finds the document by these.
 */
function fileName({ emisor, tipo_dte, folio }: Dte, ending: string): string {
  return `${emisor.rut}-T${tipo_dte}-F${folio}${ending}.pdf`
}

function documentsIn(file: Uint8Array, origin: SampledDocument['origin']): SampledDocument[] {
  const read = readEnvelope(file)
  if (!read.ok) throw new Error(`a signed envelope does not read: ${read.refusal.message}`)
  const { caratula, documents } = read.value
  const { resolution_number: numero, resolution_date: fecha } = caratula ?? {}
  if (numero === undefined || fecha === undefined) throw new Error('a signed envelope names no resolución')
  const elements = rawElements(Buffer.from(file).toString('latin1'), 'DTE')
  return documents.map((document, place) => {
    if (!document.ok) throw new Error(`a signed document does not read: ${document.refusal.message}`)
    const { dte } = document.value
    const xml = Buffer.from(elements[place] as string, 'latin1')
    return { origin, case_id: caseOf(dte), dte, xml, resolucion: { numero, fecha } }
  })
}

/** The first reference of a document of a set is to its case: `SET`, with `CASO n-n` as the reason. */
function caseOf({ references = [] }: Dte): string | null {
  const set = references?.find(({ document_type }) => document_type === 'SET')
  return /^CASO\s+(\S+)$/.exec(set?.reason ?? '')?.[1] ?? null
}
