import type { InspectedMail } from '../../ports/inspection.ts'
import { inspectFile, inspectMail } from '../inspection/inspect.ts'
import type { InspectionOrder } from './inspection.ts'
import { serveOrders, standBack } from './thread-loop.ts'

standBack()

/** A file that was asked about alone comes back as the only one. */
serveOrders<InspectionOrder, InspectedMail>(async ({ bytes, is_mail, reading }) => ({
  value: is_mail
    ? await inspectMail(bytes, reading)
    : { files: [{ name: '', bytes: new Uint8Array(), inspected: await inspectFile(bytes, reading) }], read_ms: 0 },
  transfer: [],
}))
