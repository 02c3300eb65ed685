import { isoStamp } from '../clock.ts'
import { queueMail } from '../mail/outbox.ts'
import type { Simulator } from '../simulator.ts'
import { elements } from '../soap/respuesta.ts'
import type { DocumentVerdict, Finding, Upload, UploadVerdict } from '../state/types.ts'
import { taxpayerOf } from '../taxpayers.ts'

const OUTCOMES = {
  rejected: 'RCH - DTE Rechazado',
  reparo: 'RPR - DTE Aceptado con Reparos',
  accepted: 'DOK - DTE Aceptado',
}

/**
 * The e-mail with the result of an envelope: in the DTE channel it is the only place where the reason stands folio by
 * folio. The boleta channel has its own question for that, and no e-mail.
 */
export function queueResultMail(ctx: Simulator, upload: Upload): void {
  if (upload.channel !== 'dte' || !upload.verdict || upload.verdict.estado === 'VOF') return
  queueMail(ctx, {
    to: taxpayerOf(ctx, upload.company_rut)?.sii_mailbox ?? null,
    subject: `Resultado de Revision de Envio de DTE ${upload.track_id}`,
    text: `El envío ${upload.track_id} de ${upload.company_rut} fue revisado: ${upload.verdict.glosa}. El detalle va adjunto.`,
    attachment: { name: `ResultadoEnvio_${upload.track_id}.xml`, xml: resultXml(upload, upload.verdict) },
  })
}

/** `RESULTADO_ENVIO` (RespSII_v10). How a remark is written inside DETALLE is (unverified). */
export function resultXml(upload: Upload, verdict: UploadVerdict): string {
  const head = elements(
    ['RUTEMISOR', upload.company_rut],
    ['RUTENVIA', upload.sender_rut],
    ['TRACKID', Number(upload.track_id)],
    ['TMSTRECEPCION', isoStamp(upload.received_at)],
    ['ESTADO', `${verdict.estado} - ${verdict.glosa}`],
  )
  const subtotals = verdict.counters.map(({ tipo, informados, aceptados, rechazados, reparos }) => {
    const counts = [
      ['TIPODOC', tipo],
      ['INFORMADO', informados],
      ...(rechazados ? [['RECHAZO', rechazados] as const] : []),
      ...(reparos ? [['REPARO', reparos] as const] : []),
      ...(aceptados ? [['ACEPTA', aceptados] as const] : []),
    ] as const
    return `<SUBTOTAL>${elements(...counts)}</SUBTOTAL>`
  })
  const errors = verdict.findings.map((finding) => elements(['DETERRENVIO', remark(finding)]))
  const reviewed = verdict.documents.filter(({ outcome }) => outcome !== 'accepted').map(reviewOf)
  const section = (name: string, parts: readonly string[]) =>
    parts.length > 0 ? `<${name}>${parts.join('')}</${name}>` : ''
  return [
    '<?xml version="1.0" encoding="ISO-8859-1"?>',
    `<RESULTADO_ENVIO><IDENTIFICACION>${head}</IDENTIFICACION>`,
    section('ESTADISTICA', subtotals),
    section('ERRORENVIO', errors),
    section('REVISIONENVIO', reviewed),
    '</RESULTADO_ENVIO>',
  ].join('')
}

function reviewOf({ tipo, folio, outcome, findings }: DocumentVerdict): string {
  const details = findings.map((finding) => ['DETALLE', remark(finding)] as const)
  const all = [['FOLIO', folio], ['TIPODTE', tipo], ['ESTADO', OUTCOMES[outcome]], ...details] as const
  return `<REVISIONDTE>${elements(...all)}</REVISIONDTE>`
}

function remark({ code, glosa, detail }: Finding): string {
  return `(${code}) ${glosa}${detail ? ` ${detail}` : ''}`
}
