import { buildConsumoFolios, buildLibroCompraVenta, buildLibroGuia, type Caf } from '@timbre/dte'
import { buildSobre, type EnclosedDte, emitDte, type Outcome, type Signer } from '@timbre/dte/emission'
import type { TipoDte } from '@timbre/dte/values'
import type { Plan, PlanStep } from './plan.ts'

export interface Signing {
  readonly signer: Signer
  /** The person whose certificate signs: the SII compares it with the sender of the upload. */
  readonly envia_rut: string
  /** Local time of Santiago, `AAAA-MM-DDTHH:MM:SS`. */
  readonly tmst_firma: string
  readonly cafOf: (tipo_dte: TipoDte, folio: number) => Caf<number>
}

/** The file of a step, signed: an envelope, a book or the RVD. */
export async function signStep(plan: Plan, step: PlanStep, signing: Signing): Promise<Outcome<string>> {
  const { signer, envia_rut, tmst_firma } = signing
  const seal = { envia_rut, resolucion: plan.resolucion, tmst_firma }
  switch (step.step) {
    case 'book':
      return buildLibroCompraVenta({ ...step.book, ...seal }, signer)
    case 'guia_book':
      return buildLibroGuia({ ...step.book, ...seal }, signer)
    case 'rvd':
      return buildConsumoFolios({ ...step.rvd, ...seal }, signer)
    case 'envelope': {
      const documents: EnclosedDte[] = []
      for (const { dte } of step.documents) {
        const caf = signing.cafOf(dte.tipo_dte, dte.folio)
        const emitted = await emitDte({ dte, caf, signer, tmst_ted: tmst_firma, tmst_firma })
        if (!emitted.ok) return emitted
        documents.push({ tipo_dte: dte.tipo_dte, xml: emitted.value.xml })
      }
      return buildSobre({ emisor_rut: plan.emisor_rut, ...seal, documents }, signer)
    }
  }
}
