import type { OpenedPfx, RefusedPfx } from '../../ports/certificates.ts'
import type { CertificateOrder } from './certificates.ts'
import { openPfx } from './open-certificate.ts'
import { serveOrders } from './thread-loop.ts'

serveOrders<CertificateOrder, OpenedPfx | RefusedPfx>(async ({ file, password, at }) => ({
  value: openPfx(file, password, at),
  transfer: [],
}))
