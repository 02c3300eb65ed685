import { santiago } from '../clock.ts'
import type { Ambiente } from '../hosts.ts'
import { queueMail } from '../mail/outbox.ts'
import { findDocument } from '../register/documents.ts'
import type { Simulator } from '../simulator.ts'
import { documentKey, uploadKey, wide } from '../state/state.ts'
import type { Finding } from '../state/types.ts'
import { may } from '../taxpayers.ts'
import { finding } from '../verify/findings.ts'
import type { AecVerdict, AecView, Verifier } from '../verify/verdict.ts'

/** The register of cesiones (RTC): files that came, and what was annotated from them. */
export type AecUpload = {
  track_id: string
  ambiente: Ambiente
  sender_rut: string
  company_rut: string
  file_name: string
  email: string
  received_at: number
  verdict_at: number
  /** What a script wants of a file that would pass. */
  refusal: Finding | null
  verdict: { estado: string; findings: readonly Finding[] } | null
}

export type Cesion = {
  seq: number
  cedente: string
  cesionario: string
  monto: number
  last_due: string
  timestamp: string
  track_id: string
  at: number
}

export const aecsOf = (ctx: Simulator) => ctx.state.store<AecUpload>('aecs')
/** The bytes of each file, by the same key. */
const filesOf = (ctx: Simulator) => ctx.state.store<Uint8Array>('aec_files')
/** Keys of the files without a verdict, by the hour it is due. */
const pendingOf = (ctx: Simulator) => ctx.state.store<string>('aec_pending')
const cesionesStore = (ctx: Simulator) => ctx.state.store<Cesion[]>('cesiones')

export function cesionesOf(ctx: Simulator, ambiente: Ambiente, emisor: string, tipo: number, folio: number): Cesion[] {
  return cesionesStore(ctx).get(documentKey(ambiente, emisor, tipo, folio)) ?? []
}

export function allCesiones(ctx: Simulator): { document: string; cesiones: Cesion[] }[] {
  return Array.from(cesionesStore(ctx).entries(), ([document, cesiones]) => ({ document, cesiones }))
}

export function receiveAec(
  ctx: Simulator,
  upload: Omit<AecUpload, 'track_id' | 'received_at' | 'verdict_at' | 'verdict'>,
  file: Uint8Array,
  delay_ms: number,
): string {
  const track_id = wide(ctx.state.next('track_aec', 38_001), 10)
  const received_at = ctx.clock.now()
  const verdict_at = received_at + delay_ms
  const key = uploadKey(upload.ambiente, track_id)
  ctx.state.atomically(() => {
    aecsOf(ctx).put(key, { ...upload, track_id, received_at, verdict_at, verdict: null })
    filesOf(ctx).put(key, file)
    pendingOf(ctx).put(`${wide(verdict_at, 15)}:${key}`, key)
  })
  return track_id
}

/** Judges what is due, in the order of their hours, after the uploads: a document may come just before its cesión. */
export async function settleAecs(ctx: Simulator): Promise<void> {
  if (!nextDue(ctx)) return
  const verifier = await ctx.verifier()
  for (let due = nextDue(ctx); due; due = nextDue(ctx)) {
    const upload = aecsOf(ctx).get(due.key)
    const file = filesOf(ctx).get(due.key)
    if (upload && file) settleOne(ctx, due.pending, upload, judge(verifier, file, viewOf(ctx, upload)))
    else pendingOf(ctx).remove(due.pending)
  }
}

function nextDue(ctx: Simulator): { pending: string; key: string } | null {
  for (const [pending, key] of pendingOf(ctx).entries('', { limit: 1 })) {
    if (Number(pending.slice(0, 15)) <= ctx.clock.now()) return { pending, key }
  }
  return null
}

/** As of an upload: a file over which the verifier itself fails is refused and says why. */
function judge(verifier: Verifier, file: Uint8Array, view: AecView): AecVerdict {
  try {
    return verifier.verifyAec(file, view)
  } catch (failure) {
    console.error(failure)
    const findings = [finding('ENV-3-0', `El simulador no supo leer el archivo: ${failure}`)]
    return { estado: 'RSC', findings, document: null, cesiones: [] }
  }
}

function settleOne(ctx: Simulator, pending: string, upload: AecUpload, judged: AecVerdict): void {
  const refused = judged.estado === 'EOK' && upload.refusal !== null
  const verdict = refused
    ? { estado: 'RCS', findings: upload.refusal === null ? [] : [upload.refusal] }
    : { estado: judged.estado, findings: judged.findings }
  ctx.state.atomically(() => {
    pendingOf(ctx).remove(pending)
    aecsOf(ctx).put(uploadKey(upload.ambiente, upload.track_id), { ...upload, verdict })
    if (verdict.estado === 'EOK') annotate(ctx, upload, judged)
    const remarks = verdict.findings.map(({ code, glosa, detail }) => `(${code}) ${glosa} ${detail ?? ''}`)
    queueMail(ctx, {
      to: upload.email || null,
      subject: `Resultado de Envio de Cesion ${Number(upload.track_id)}`,
      text: [`Envío ${Number(upload.track_id)}: ${verdict.estado}`, ...remarks].join('\n'),
      attachment: null,
    })
  })
}

function annotate(ctx: Simulator, upload: AecUpload, { document, cesiones }: AecVerdict): void {
  const last = cesiones.at(-1)
  if (document === null || last === undefined) return
  const key = documentKey(upload.ambiente, document.emisor, document.tipo, document.folio)
  const { seq, cedente, cesionario, monto, last_due, timestamp } = last
  const annotated = { seq, cedente, cesionario, monto, last_due, timestamp, track_id: upload.track_id }
  const before = cesionesStore(ctx).get(key) ?? []
  cesionesStore(ctx).put(key, [...before, { ...annotated, at: upload.verdict_at }])
}

function viewOf(ctx: Simulator, upload: AecUpload): AecView {
  const { ambiente } = upload
  return {
    sender_rut: upload.sender_rut,
    company_rut: upload.company_rut,
    today: santiago(upload.received_at).date,
    document: (emisor, tipo, folio) => findDocument(ctx, ambiente, emisor, tipo, folio),
    mayFile: (sender, company) => may(ctx, sender, 'enviar', company),
    holder(emisor, tipo, folio) {
      const last = cesionesOf(ctx, ambiente, emisor, tipo, folio).at(-1)
      return last === undefined ? null : { rut: last.cesionario, seq: last.seq }
    },
  }
}

const STAGES = ['UPL', 'RCP', 'SOK', 'FSO', 'COK', 'VDC', 'VCS'] as const

/** Where a file stands at an hour. */
export function aecEstado(upload: AecUpload, now: number): string {
  if (upload.verdict !== null) return upload.verdict.estado
  const share = (now - upload.received_at) / Math.max(1, upload.verdict_at - upload.received_at)
  return STAGES[Math.min(STAGES.length - 1, Math.max(0, Math.floor(share * STAGES.length)))] ?? 'VCS'
}

/** The words of EOK were seen; the others are ours. */
export const AEC_TEXTS: Readonly<Record<string, string>> = {
  UPL: 'Upload en Proceso',
  RCP: 'Envio Recibido',
  SOK: 'Esquema Validado',
  FSO: 'Firma de Envio Validada',
  COK: 'Caratula OK',
  VDC: 'Validando Documento',
  VCS: 'Validando Cesiones',
  EOK: 'Envio Aceptado',
  RSC: 'Rechazado por Error en Schema',
  RFS: 'Rechazado por Error en Firma',
  RCR: 'Rechazado por Error en Caratula',
  RDC: 'Rechazado por Error en Documento',
  RCS: 'Rechazado por Error en Cesion',
}
