import { declareJob } from '../../../kernel/job.ts'
import type { AccountScope } from '../../../kernel/scope.ts'

/** Checks a certificate as its end draws near. */
export const watchCertificate = declareJob<{ readonly certificate_id: string }>({
  name: 'certificate.watch_expiry',
  delete_on_success: true,
})

/** A certificate that left the custody of an account, by whoever took it out: the call may have been of nobody. */
export interface LeftCustody extends AccountScope {
  readonly fingerprint: string
}

/** Asks the SII whether the holder of the certificate in custody may act for the empresa. */
export const askHolderProof = declareJob<Readonly<Record<string, never>>>({
  name: 'certificate.ask_proof',
  delete_on_success: true,
})

/** Ends what the SII still has open for it. */
export const logOutCertificate = declareJob<LeftCustody>({
  name: 'certificate.log_out',
  delete_on_success: true,
})
