import { judgeAec } from './aec.ts'
import { openTrust } from './certificate.ts'
import { judgeFile } from './file.ts'
import { openTimbres } from './timbre.ts'
import type { Verifier, VerifierOptions } from './verdict.ts'

/** Opens what looks at files as the SII does. Pure and synchronous: what the SII knows comes with each question. */
export function openVerifier({ trusted_ca, caf_keys }: VerifierOptions): Verifier {
  const tools = { readCertificate: openTrust(trusted_ca), checkTimbre: openTimbres(caf_keys) }
  return {
    verify: (file, view) => judgeFile(file, view, tools),
    verifyAec: (file, view) => judgeAec(file, view, tools.readCertificate),
  }
}
