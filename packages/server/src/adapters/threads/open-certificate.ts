import { createHash } from 'node:crypto'
import { checkFitness, openCertificate } from '@timbre/dte'
import type { CertificateFacts, OpenedPfx, RefusedPfx } from '../../ports/certificates.ts'

/**
 * What the CA and the holder wrote is theirs to say: as text of one line that fits a row and an answer. Characters that
 * draw nothing and change what stands beside them (the direction of a line, say) are no part of a name.
 */
const MAX_TEXT = 200

function plain(text: string): string {
  const line = text
    .toWellFormed()
    .replace(/\p{Cf}+/gu, '')
    .replace(/[\p{Cc}\s]+/gu, ' ')
    .trim()
  return line.slice(0, MAX_TEXT).toWellFormed()
}

/** Opens a .pfx and takes out what signs, or says why it cannot sign for anybody at `at`. */
export function openPfx(file: Uint8Array, password: string, at: Date): OpenedPfx | RefusedPfx {
  const opened = openCertificate(file, password, at)
  if (!opened.ok) return { reason: opened.refusal.rule, message: opened.refusal.message }
  const fit = checkFitness(opened.value)
  if (!fit.ok) return { reason: fit.refusal.rule, message: fit.refusal.message }
  const { rut, holder, issuer, serial, valid_from, valid_until, key, certificate, chain } = fit.value
  const facts: CertificateFacts = {
    holder_rut: rut,
    // One without a name is known by its RUT, which every certificate that we take has.
    holder_name: plain(holder) || rut,
    issuer: plain(issuer),
    serial: plain(serial),
    not_before: valid_from,
    not_after: valid_until,
    fingerprint_sha256: createHash('sha256').update(certificate).digest('hex'),
  }
  return { facts, key: key.export({ type: 'pkcs8', format: 'der' }), certificates: [certificate, ...chain] }
}
