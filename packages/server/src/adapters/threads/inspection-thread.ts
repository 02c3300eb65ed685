import { inspectFile, inspectMail } from '../inspection/inspect.ts'
import type { Inspected, InspectionOrder } from './inspection.ts'
import { serveOrders } from './thread-loop.ts'

serveOrders<InspectionOrder, Inspected>(async ({ bytes, is_mail, reading }) => ({
  value: is_mail
    ? await inspectMail(bytes, reading)
    : [{ name: '', bytes, inspected: await inspectFile(bytes, reading) }],
  transfer: [],
}))
