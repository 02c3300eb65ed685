import { inspectFile, inspectMail } from '../inspection/inspect.ts'
import type { Inspected, InspectionOrder } from './inspection.ts'
import { answerOrders } from './thread-side.ts'

answerOrders<InspectionOrder, Inspected>(async ({ bytes, is_mail, reading }) => ({
  value: is_mail
    ? await inspectMail(bytes, reading)
    : [{ name: '', bytes, inspected: await inspectFile(bytes, reading) }],
  transfer: [],
}))
