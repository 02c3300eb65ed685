// Mails over a real connection, by hand: no client would send them.

import { connect } from 'node:net'

/** Says each line once the one before it was answered. Gives the codes; null when the connection was closed. */
export async function converse(port: number, lines: readonly (string | Buffer)[]): Promise<(number | null)[]> {
  const socket = connect(port, '127.0.0.1')
  const codes: (number | null)[] = []
  const answered = () =>
    new Promise<number | null>((resolve) => {
      let text = ''
      const read = (chunk: Buffer) => {
        text += chunk.toString('latin1')
        const last = /(?:^|\n)(\d{3}) [^\n]*\n$/.exec(text)?.[1]
        if (last) done(Number(last))
      }
      const gone = () => done(null)
      const done = (code: number | null) => {
        socket.off('data', read)
        socket.off('close', gone)
        resolve(code)
      }
      socket.on('data', read)
      socket.once('close', gone)
    })
  socket.on('error', () => undefined)
  codes.push(await answered())
  for (const line of lines) {
    if (socket.destroyed || !socket.writable) break
    const next = answered()
    socket.write(typeof line === 'string' ? `${line}\r\n` : line)
    codes.push(await next)
    // What is refused is not gone on with: the mail itself would be read as commands.
    if ((codes.at(-1) ?? 599) >= 400) break
  }
  socket.destroy()
  return codes
}

/** A mail as DATA takes it: lines that begin with a dot have another one before it. */
export function asData(raw: Buffer): Buffer {
  const stuffed = raw.toString('latin1').replace(/\r?\n/g, '\r\n').replace(/^\./gm, '..')
  return Buffer.from(`${stuffed}\r\n.\r\n`, 'latin1')
}

export const ODD_COMMANDS: readonly string[] = [
  'EHLO [IPv6:::1',
  'HELO',
  'MAIL FROM:<a@b.cl> SIZE=99999999999999999999',
  'MAIL FROM:<a@b.cl> SMTPUTF8 BODY=x',
  `MAIL FROM:<${'a'.repeat(5_000)}@b.cl>`,
  'RCPT TO:<>',
  'RCPT TO:<\xff\xfe@x>',
  'AUTH PLAIN AGEAYg==',
  'STARTTLS',
  'DATA',
  'BDAT 1000 LAST',
  'XCLIENT ADDR=127.0.0.1',
  'VRFY root',
  `NOOP ${'x'.repeat(10_000)}`,
  'RSET',
  '\0\0\0',
]
