import { judgeFile } from '../inspection/inspect-file.ts'
import { judgeMail } from '../inspection/inspect-mail.ts'
import type { Judged, JudgingOrder } from './inspection.ts'
import { answerOrders } from './thread-side.ts'

answerOrders<JudgingOrder, Judged>(async ({ bytes, is_mail, reading }) => ({
  value: is_mail ? await judgeMail(bytes, reading) : [{ name: '', bytes, judged: await judgeFile(bytes, reading) }],
  transfer: [],
}))
