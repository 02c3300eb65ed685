import { mkdir, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Mail } from '../../ports/mail.ts'
import { messageOf } from './message.ts'

/**
 * Where no mail server is set, every letter becomes an `.eml` file that any mail program opens. Its name is the id
 * of the letter: names sort by time, and a letter tried twice is one file. Only the owner may read: links are keys.
 */
export function outboxMail({ folder, from }: { folder: string; from: string }): Mail {
  return {
    describe: `.eml files in ${folder}`,
    stays_here: true,
    async send(letter) {
      // Loaded with the first letter: most processes write none.
      const { createTransport } = await import('nodemailer')
      const transport = createTransport({ streamTransport: true, buffer: true, newline: 'windows' })
      const { message } = await transport.sendMail(messageOf(letter, from))
      await mkdir(folder, { recursive: true, mode: 0o700 })
      const file = join(folder, `${letter.id}.eml`)
      // Written aside first: whoever watches the folder never sees half a letter.
      await writeFile(`${file}.part`, message as Buffer, { mode: 0o600 })
      await rename(`${file}.part`, file)
    },
  }
}
