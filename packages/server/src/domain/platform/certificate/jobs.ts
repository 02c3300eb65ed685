import { declareJob } from '../../../kernel/job.ts'

/** Checks a certificate as its end draws near. */
export const watchCertificate = declareJob<{ readonly certificate_id: string }>({
  name: 'certificate.watch_expiry',
  delete_on_success: true,
})
