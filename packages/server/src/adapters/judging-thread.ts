import type { Fault, JudgedFile } from '../ports/judging.ts'
import { judgeFile } from './judge-file.ts'
import type { JudgingOrder } from './judging-threads.ts'
import { answerOrders } from './thread-side.ts'

answerOrders<JudgingOrder, JudgedFile | Fault>(async ({ file, reading }) => ({
  value: await judgeFile(file, reading),
  transfer: [],
}))
