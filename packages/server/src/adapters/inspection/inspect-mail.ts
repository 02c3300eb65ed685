import type { JudgedMailFile, Judging, Reading } from '../../ports/inspection.ts'
import { judgeFile } from './inspect-file.ts'
import { openMail } from './open-mail.ts'

/** Opens a mail and reads every file of it, one after the other. A small mail may hold a large file, zipped. */
export async function judgeMail(
  raw: Uint8Array,
  reading: Reading,
  judge: Judging['judge'] = judgeFile,
): Promise<JudgedMailFile[]> {
  const files: JudgedMailFile[] = []
  for (const { name, bytes, fault } of await openMail(Buffer.from(raw.buffer, raw.byteOffset, raw.length))) {
    files.push({ name, bytes, judged: fault ?? (await judge(bytes, reading)) })
  }
  return files
}
