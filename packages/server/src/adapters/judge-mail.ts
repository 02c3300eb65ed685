import type { JudgedMailFile, Reading } from '../ports/judging.ts'
import { judgeFile } from './judge-file.ts'
import { openMail } from './open-mail.ts'

/** Opens a mail and reads every file of it, one after the other. */
export async function judgeMail(raw: Uint8Array, reading: Reading): Promise<JudgedMailFile[]> {
  const files: JudgedMailFile[] = []
  for (const { name, bytes, fault } of await openMail(Buffer.from(raw.buffer, raw.byteOffset, raw.length))) {
    files.push({ name, bytes, judged: fault ?? (await judgeFile(bytes, reading)) })
  }
  return files
}
