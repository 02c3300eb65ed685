import { type Caf, type CafUseRule, checkCafUse } from '../caf/caf.ts'
import { stamp, stampSync, timbreOf } from '../caf/timbre.ts'
import { type Alone, signAlone, signAloneSync } from '../envelope/sign.ts'
import { accept, type Outcome } from '../refusal.ts'
import type { Signer } from '../signature/sign.ts'
import { buildUnissued } from '../unissued/build.ts'
import { type AnyDte, isUnissued } from '../unissued/document.ts'
import { unissuedTipo } from '../unissued/tipos.ts'
import { buildDocumento } from './build.ts'
import { documentId } from './document.ts'

export interface Emission {
  readonly dte: AnyDte
  readonly caf: Caf<number>
  readonly signer: Signer
  /** Local times of Santiago, `AAAA-MM-DDTHH:MM:SS`: when it is stamped and when it is signed. */
  readonly tmst_ted: string
  readonly tmst_firma: string
}

export interface EmittedDte {
  /** The signed `DTE` element: store and send these characters, never a copy written again. */
  readonly xml: string
  /** The flat `TED`, which is also the content of the bar code. */
  readonly ted: string
}

/** Stamps and signs a document. Both signatures run on the thread pool, so documents can be emitted side by side. */
export async function emitDte(emission: Emission): Promise<Outcome<EmittedDte, CafUseRule>> {
  const refusal = refuseCaf(emission)
  if (refusal !== null) return { ok: false, refusal }
  const ted = await stamp(timbreOf(emission.dte, emission.tmst_ted), emission.caf)
  return accept({ xml: await signAlone(unsigned(emission, ted), emission.signer), ted })
}

/** The same on the calling thread, for a worker that does nothing else. */
export function emitDteSync(emission: Emission): Outcome<EmittedDte, CafUseRule> {
  const refusal = refuseCaf(emission)
  if (refusal !== null) return { ok: false, refusal }
  const ted = stampSync(timbreOf(emission.dte, emission.tmst_ted), emission.caf)
  return accept({ xml: signAloneSync(unsigned(emission, ted), emission.signer), ted })
}

function refuseCaf({ dte, caf, tmst_firma }: Emission) {
  const { tipo_dte, folio, emisor } = dte
  return checkCafUse(caf, { emisor_rut: emisor.rut, tipo_dte, folio, on: tmst_firma.slice(0, 10) })
}

function unsigned({ dte, caf, tmst_firma }: Emission, ted: string): Alone {
  const stamped = { ted, tmst_firma }
  const xml = isUnissued(dte) ? buildUnissued(dte, stamped) : buildDocumento(dte, stamped)
  const body = isUnissued(dte) ? unissuedTipo(dte.tipo_dte).body : 'Documento'
  const alone = { container: 'DTE', body, id: documentId(dte), xml }
  // The CAF goes in as the SII wrote it; should that not be canonical, the digest takes the form that is.
  return caf.xml === caf.canonical ? alone : { ...alone, canonical: xml.replace(caf.xml, () => caf.canonical) }
}
