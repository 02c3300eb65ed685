import { readUnissuedCaf } from '../../src/caf/caf.ts'
import { emitDteSync } from '../../src/document/emit.ts'
import type { Signer } from '../../src/signature/sign.ts'
import type { UnissuedDte } from '../../src/unissued/document.ts'
import { cafFile, TEST_SII_KEYS } from './keys.ts'

/** Stamped and signed. */
export function emitUnissued(dte: UnissuedDte, signer: Signer) {
  const caf = readUnissuedCaf(cafFile({ tipo_dte: dte.tipo_dte }), TEST_SII_KEYS)
  if (!caf.ok) throw new Error(caf.refusal.message)
  const tmst_firma = '2026-10-05T12:00:01'
  const emitted = emitDteSync({ dte, caf: caf.value, signer, tmst_ted: '2026-10-05T12:00:00', tmst_firma })
  if (!emitted.ok) throw new Error(emitted.refusal.message)
  return emitted.value
}
