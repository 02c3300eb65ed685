import { RECEPTION } from '../../../catalog/reception.ts'
import type { JobOutcome } from '../../../kernel/job.ts'
import { type Fault, type JudgedFile, WHOLE_MAIL } from '../../../ports/inspection.ts'
import type { JobContext } from '../../job.ts'
import { empresaOfJob } from '../../platform/empresa/of-job.ts'
import { siiReceivedAt } from './deadline.ts'
import { takeIn } from './ingest.ts'
import { endMail, findMail } from './mail-store.ts'
import type { Arrival } from './reception.ts'

interface Opened {
  readonly arrival: Arrival
  readonly judged: JudgedFile | Fault
}

/** Nothing in it was issued by anybody. What other taxpayers answer us with is none of that. */
function isRubbish({ judged }: Opened): boolean {
  if ('reason' in judged) return judged.reason !== 'exchange_answer'
  return judged.documents.every(({ authentic }) => !authentic)
}

/** A mail may be full of files to be told about, each by an event. Beyond a few they are set aside together, as it came. */
function bundled(files: readonly Opened[], mail: Arrival): readonly Opened[] {
  const rubbish = files.filter(isRubbish)
  if (rubbish.length <= RECEPTION.quarantined_apart) return files
  const message = `${rubbish.length} files of the mail hold no document that anybody issued; the first is ${rubbish[0]?.arrival.file_name}.`
  return [...files.filter((file) => !isRubbish(file)), { arrival: mail, judged: { reason: 'bomb', message } }]
}

/**
 * Takes in the documents of a mail. Everything is read and judged first; then all that came of it is written in one
 * transaction together with the end of the mail, so that whatever happens in between, it is taken in once.
 */
export async function takeMailIn(ctx: JobContext, { mail_id }: { mail_id: string }): Promise<JobOutcome> {
  const empresa = await empresaOfJob(ctx)
  const mail = empresa && (await findMail(ctx.sql, empresa.scope, mail_id))
  if (!empresa || !mail?.raw) return 'done'
  const { scope } = empresa
  const { sender, received_at, raw } = mail
  const reading = { receptor_rut: scope.rut, sii_keys: await ctx.ports.sii[scope.mode].authorityKeys() }
  const files = (await ctx.ports.judging.judgeMail(raw, reading)).map(({ name, bytes, judged }): Opened => {
    return { arrival: { source: 'mail', sender, file_name: name, bytes, received_at }, judged }
  })
  await ctx.transact(async (tx) => {
    if (!(await endMail(tx.sql, scope, mail_id, tx.now()))) return
    const whole: Arrival = { source: 'mail', sender, file_name: WHOLE_MAIL, bytes: raw, received_at }
    for (const { arrival, judged } of bundled(files, whole)) {
      await takeIn(tx, scope, arrival, judged, ({ signed_at }) => siiReceivedAt(signed_at, received_at))
    }
  })
  return 'done'
}
