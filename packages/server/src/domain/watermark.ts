import type { Mode } from '../catalog/modes.ts'
import type { Ports } from '../ports/ports.ts'

const WITHOUT_TAX_EFFECT = 'SIN VALOR TRIBUTARIO'

/**
 * What is printed across a page that has no tax effect: of the sandbox, and of live documents that went to a simulator or
 * to the certification of the SII. Nobody may take one for a real one.
 */
export function watermarkOf({ sii }: Pick<Ports, 'sii'>, mode: Mode): string | null {
  return sii[mode].tax_effect ? null : WITHOUT_TAX_EFFECT
}

/** The subject of a letter about such a document, marked so that it is seen in the list of a mailbox. */
export function marked(subject: string, watermark: string | null): string {
  return watermark === null ? subject : `[Prueba] ${subject}`
}
