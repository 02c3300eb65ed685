import { santiago } from '../clock.ts'
import type { Ambiente } from '../hosts.ts'
import { queueMail } from '../mail/outbox.ts'
import { findDocument } from '../register/documents.ts'
import type { Simulator } from '../simulator.ts'
import { documentKey, uploadKey, wide } from '../state/state.ts'
import type { Finding } from '../state/types.ts'
import { may } from '../taxpayers.ts'
import type { AecVerdict, AecView } from '../verify/verdict.ts'

/** The register of cesiones (RTC): files that came, and what was annotated from them. */
export type AecUpload = {
  track_id: string
  ambiente: Ambiente
  sender_rut: string
  company_rut: string
  file_name: string
  email: string
  file: Uint8Array
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
  delay_ms: number,
): string {
  const track_id = wide(ctx.state.next('track_aec', 38_001), 10)
  const received_at = ctx.clock.now()
  const kept = { ...upload, track_id, received_at, verdict_at: received_at + delay_ms, verdict: null }
  aecsOf(ctx).put(uploadKey(upload.ambiente, track_id), kept)
  return track_id
}

/** Judges what is due, in the order in which it came. Whoever asks the register asks this first. */
export async function settleAecs(ctx: Simulator): Promise<void> {
  const now = ctx.clock.now()
  const due = aecsOf(ctx)
    .values()
    .filter(({ verdict, verdict_at }) => verdict === null && verdict_at <= now)
  if (due.length === 0) return
  const verifier = await ctx.verifier()
  for (const upload of due) settleOne(ctx, upload, verifier.verifyAec(upload.file, viewOf(ctx, upload)))
}

function settleOne(ctx: Simulator, upload: AecUpload, judged: AecVerdict): void {
  const refused = judged.estado === 'EOK' && upload.refusal !== null
  const verdict = refused
    ? { estado: 'RCS', findings: upload.refusal === null ? [] : [upload.refusal] }
    : { estado: judged.estado, findings: judged.findings }
  ctx.state.atomically(() => {
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
