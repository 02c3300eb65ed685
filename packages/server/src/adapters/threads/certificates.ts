import { CERTIFICATES } from '../../catalog/limits.ts'
import { Problem } from '../../kernel/problem.ts'
import type { Certificates, OpenedPfx, RefusedPfx } from '../../ports/certificates.ts'
import { openThreadPool } from './pool.ts'

export interface CertificateOrder {
  readonly file: Uint8Array
  readonly password: string
  readonly at: Date
}

export interface CertificateThreads {
  readonly idle_ms?: number
  readonly deadline_ms?: number
}

const TOO_COSTLY: RefusedPfx = {
  reason: 'too_costly',
  message: 'The file takes more to open than any certificate of a CA does: export it anew.',
}

/** Opens .pfx files on a thread. One that breaks it, by its time or by its memory, is refused; the next gets another. */
export function threadCertificates(options: CertificateThreads = {}): Certificates & { readonly alive: number } {
  const busy = new Problem('service_unavailable', { message: 'Too many certificates are being opened.' })
  const threads = openThreadPool<CertificateOrder, OpenedPfx | RefusedPfx>({
    program: 'certificate-thread',
    what: 'a certificate that is opened',
    max_threads: CERTIFICATES.threads,
    max_waiting: CERTIFICATES.waiting,
    max_waiting_of_one: CERTIFICATES.waiting_per_account,
    idle_ms: options.idle_ms ?? 60_000,
    timeout_ms: options.deadline_ms ?? CERTIFICATES.deadline_ms,
    memory_mb: CERTIFICATES.memory_mb,
    busy: () => busy,
  })
  return {
    get alive() {
      return threads.alive
    },
    open: (account_id, file, password, at) =>
      threads.run({ file, password, at }, account_id).catch((error: unknown) => {
        if (error === busy) throw error
        return TOO_COSTLY
      }),
    close: () => threads.close(),
  }
}
