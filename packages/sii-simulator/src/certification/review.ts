import type { Simulator } from '../simulator.ts'
import { documentKey, uploadKey } from '../state/state.ts'
import type { Upload } from '../state/types.ts'
import { readBook } from './read-book.ts'
import { readEnvelope, type SetDocument } from './read-set-document.ts'
import type { Certification, Declarable } from './register.ts'
import { type BoletaNote, readDailyUse, reviewBoletas } from './review-boletas.ts'
import { reviewGuides, reviewPurchases, reviewSales } from './review-books.ts'
import { type Refusal, reviewDocuments } from './review-documents.ts'
import { type Section, sectionOf } from './set.ts'

/** The upload of a track id, where it is this company's in certificación. Leading zeros do not count. */
export function declaredUpload(ctx: Simulator, rut: string, track_id: string): Upload | null {
  if (!/^\d{1,15}$/.test(track_id)) return null
  const upload = ctx.state.uploads.get(uploadKey('certificacion', track_id))
  return upload?.company_rut === rut ? upload : null
}

export function fileOf(ctx: Simulator, track_id: string | null): Uint8Array {
  return ctx.state.files.get(uploadKey('certificacion', track_id ?? '')) ?? new Uint8Array()
}

/** Looks at what was declared under a kind, as the reviewers of the SII do. */
export function reviewDeclared(ctx: Simulator, certification: Certification, kind: Declarable): Refusal[] {
  const track_id = certification.declared[kind]?.track_id ?? null
  const file = fileOf(ctx, track_id)
  const documentsOf = (of: Declarable): SetDocument[] => {
    const declared = certification.declared[of]
    return declared?.code === 'SOK' ? readEnvelope(fileOf(ctx, declared.track_id)) : []
  }
  if (kind === 'simulacion') return reviewSimulation(certification, readEnvelope(file))
  const section = sectionOf(certification.set, kind)
  if (section === null) return ['El set fue anulado']
  switch (kind) {
    case 'ventas':
      return reviewSales(readBook(file), documentsOf(salesOf(certification)))
    case 'compras':
      return reviewPurchases(readBook(file), section)
    case 'libro_guias':
      return reviewGuides(readBook(file), guidesOf(certification, section), documentsOf('guias'))
    default:
      return reviewDocuments(section, readEnvelope(file))
  }
}

/** The sales book is made of the basic set, or of the exempt one where there is no basic. */
export function salesOf({ set }: Certification): 'basico' | 'exenta' {
  return sectionOf(set, 'basico') === null ? 'exenta' : 'basico'
}

const guidesOf = ({ set }: Certification, section: Section) => sectionOf(set, 'guias') ?? section

/** One envelope of 10 to 100 documents of its own business; that none was refused or observed was seen before. */
export function reviewSimulation(
  { tipos }: Pick<Certification, 'tipos'>,
  documents: readonly Pick<SetDocument, 'tipo' | 'folio' | 'references'>[],
): Refusal[] {
  const refusals: Refusal[] = []
  if (documents.length < 10 || documents.length > 100)
    refusals.push(`SET DE SIMULACION - Debe tener entre 10 y 100 documentos [${documents.length}]`)
  for (const { tipo, folio, references } of documents) {
    if (!tipos.includes(tipo)) refusals.push(`SET DE SIMULACION - Tipo ${tipo} Folio ${folio} no fue postulado`)
    if (references.some((reference) => reference.tipo === 'SET'))
      refusals.push(`SET DE SIMULACION - Tipo ${tipo} Folio ${folio} es un documento del set de pruebas`)
  }
  return refusals
}

/** The boletas of a set, with every RVD that the company has sent in certificación. */
export function reviewBoletaSet(ctx: Simulator, rut: string, section: Section, track_id: string): Refusal[] {
  const reports = [...ctx.state.uploads.entries('certificacion:')]
    .filter(([, upload]) => upload.company_rut === rut && upload.kind === 'ConsumoFolios')
    .filter(([, { verdict }]) => verdict?.estado === 'EPR')
    .flatMap(([key]) => readDailyUse(ctx.state.files.get(key) ?? new Uint8Array()))
  const documents = readEnvelope(fileOf(ctx, track_id))
  return reviewBoletas(
    section,
    documents,
    reports,
    documents.flatMap((document) => notesAbout(ctx, rut, document)),
  )
}

/** The notas de crédito that came about a boleta, in whichever envelope. */
function notesAbout(ctx: Simulator, rut: string, { tipo, folio }: SetDocument): BoletaNote[] {
  const held = (of: number, number: number) => ctx.state.documents.get(documentKey('certificacion', rut, of, number))
  return (held(tipo, folio)?.notes ?? []).flatMap((note) => {
    const document = note.tipo === 61 ? held(note.tipo, note.folio) : undefined
    return document === undefined ? [] : [{ folio, code: note.cod_ref, fecha: document.fecha, total: document.monto }]
  })
}
