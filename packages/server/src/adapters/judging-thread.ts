import { judgeFile } from './judge-file.ts'
import { judgeMail } from './judge-mail.ts'
import type { Judged, JudgingOrder } from './judging-threads.ts'
import { answerOrders } from './thread-side.ts'

answerOrders<JudgingOrder, Judged>(async ({ bytes, is_mail, reading }) => ({
  value: is_mail ? await judgeMail(bytes, reading) : [{ name: '', bytes, judged: await judgeFile(bytes, reading) }],
  transfer: [],
}))
