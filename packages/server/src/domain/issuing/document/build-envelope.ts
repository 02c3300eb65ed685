import type { buildSobre as BuildSobre, Resolucion } from '@timbre/dte/emission'
import { santiagoTimestamp, type TipoDte } from '@timbre/dte/values'
import { type AnswerMany, inStep, sideBySide } from '../../../kernel/in-step.ts'
import { lazily } from '../../../kernel/lazily.ts'
import type { JobContext } from '../../job.ts'
import type { JobEmpresa } from '../../platform/empresa/job-empresa.ts'

/** A signed document of the empresa, as bytes of ISO-8859-1. */
export interface EnvelopedDocument {
  readonly tipo_dte: TipoDte
  readonly xml: Uint8Array
}

/** The `DTE` element without the XML declaration, which may not stand inside an envelope. */
function elementOf(xml: Uint8Array): string {
  const text = Buffer.from(xml.buffer, xml.byteOffset, xml.byteLength).toString('latin1')
  return text.slice(text.indexOf('<DTE'))
}

const engine = lazily(() => import('@timbre/dte/emission'))

type Built = Awaited<ReturnType<typeof BuildSobre>>

/** Lanes that run in step sign their envelopes side by side, and go on together. */
const signAll: AnswerMany<() => Promise<Built>, Built> = (_, envelopes) => sideBySide(envelopes.map((build) => build()))

/** Signs the envelope of documents: for the SII, or the copy for their receptor. */
export async function buildEnvelope(
  ctx: Pick<JobContext, 'ports' | 'now' | 'sql'>,
  { scope }: JobEmpresa,
  resolucion: Resolucion,
  documents: readonly EnvelopedDocument[],
  receptor_rut?: string,
): Promise<Uint8Array> {
  const { buildSobre, latin1Bytes } = await engine()
  const signer = await ctx.ports.sii[scope.mode].signerFor(scope)
  const sobre = {
    emisor_rut: scope.rut,
    envia_rut: signer.rut ?? '',
    ...(receptor_rut !== undefined && { receptor_rut }),
    resolucion,
    tmst_firma: santiagoTimestamp(ctx.now()),
    documents: documents.map(({ tipo_dte, xml }) => ({ tipo_dte, xml: elementOf(xml) })),
  }
  const built = await inStep(ctx.sql, signAll, () => buildSobre(sobre, signer))
  if (!built.ok) throw new Error(`the envelope was refused: ${built.refusal.path} ${built.refusal.rule}`)
  return latin1Bytes(built.value)
}
