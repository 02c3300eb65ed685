import type { Caf } from '../../src/caf/caf.ts'
import type { DteDraft } from '../../src/document/document.ts'
import { type EmittedDte, emitDteSync } from '../../src/document/emit.ts'
import type { TipoDte } from '../../src/document/tipos.ts'
import { completeDraft } from '../../src/document/totals.ts'
import type { Signer } from '../../src/signature/sign.ts'
import { parseXml, type XmlDocument } from '../../src/xml/parse.ts'
import { makeCaf } from './keys.ts'
import { draft } from './samples.ts'

const cafs = new Map<TipoDte, Caf>()

export function cafOf(tipo_dte: TipoDte): Caf {
  const caf = cafs.get(tipo_dte) ?? makeCaf({ tipo_dte })
  cafs.set(tipo_dte, caf)
  return caf
}

/** A stamped and signed document of a tipo, ready for an envelope. */
export function emit(tipo_dte: TipoDte, folio: number, signer: Signer, changes: Partial<DteDraft> = {}): EmittedDte {
  const emission = {
    dte: completeDraft(draft(tipo_dte, changes), folio),
    caf: cafOf(tipo_dte),
    signer,
    tmst_ted: '2026-10-05T12:00:00',
    tmst_firma: '2026-10-05T12:00:01',
  }
  const outcome = emitDteSync(emission)
  if (!outcome.ok) throw new Error(outcome.refusal.message)
  return outcome.value
}

/** The bytes of a file of ours, parsed as a stranger would. */
export function parsed(xml: string | Uint8Array): XmlDocument {
  const outcome = parseXml(typeof xml === 'string' ? Buffer.from(xml, 'latin1') : xml)
  if (!outcome.ok) throw new Error(`${outcome.refusal.rule}: ${outcome.refusal.message}`)
  return outcome.value
}

/** A DTE as a file of its own. */
export function asFile(dte: string): string {
  return `<?xml version="1.0" encoding="ISO-8859-1"?>\n${dte}`
}
