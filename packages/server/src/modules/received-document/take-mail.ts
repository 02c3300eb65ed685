import type { JobContext, JobOutcome } from '../../kernel/job.ts'
import { empresaOfJob } from '../empresa/of-job.ts'
import { siiReceivedAt } from './deadline.ts'
import { type Fault, type JudgedFile, judgeFile } from './judge.ts'
import { endMail, findMail } from './mail-store.ts'
import { openMail } from './open-mail.ts'
import type { Arrival } from './reception.ts'
import { takeIn } from './take-in.ts'

/**
 * Takes in the documents of a mail. Everything is read and judged first; then all that came of it is written in one
 * transaction together with the end of the mail, so that whatever happens in between, it is taken in once.
 */
export async function takeMailIn(ctx: JobContext, mail_id: string): Promise<JobOutcome> {
  const empresa = await empresaOfJob(ctx)
  const mail = empresa && (await findMail(ctx.sql, empresa.scope, mail_id))
  if (!empresa || !mail?.raw) return 'done'
  const { scope } = empresa
  const { sender, received_at } = mail
  const reading = { receptor_rut: scope.rut, sii_keys: await ctx.ports.sii[scope.mode].authorityKeys() }
  const files: { arrival: Arrival; judged: JudgedFile | Fault }[] = []
  for (const { name, bytes, fault } of await openMail(mail.raw)) {
    const arrival: Arrival = { source: 'mail', sender, file_name: name, bytes, received_at }
    files.push({ arrival, judged: fault ?? (await judgeFile(bytes, reading)) })
  }
  await ctx.transact(async (tx) => {
    if (!(await endMail(tx.sql, scope, mail_id, tx.now()))) return
    for (const { arrival, judged } of files) {
      await takeIn(tx, scope, arrival, judged, ({ signed_at }) => siiReceivedAt(signed_at, received_at))
    }
  })
  return 'done'
}
