import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { SMTPServer } from 'smtp-server'
import { onTestFinished } from 'vitest'

export interface Received {
  readonly raw: Buffer
  readonly envelope: { from: string; to: string[] }
  readonly user: string | undefined
}

interface Behaviour {
  readonly refuses?: { at: 'RCPT' | 'MAIL' | 'DATA'; code: number }
  readonly login?: { user: string; pass: string }
}

/** A real SMTP server on loopback, closed with the test that opened it. */
export async function openSmtp({ refuses, login }: Behaviour = {}): Promise<{ port: number; received: Received[] }> {
  const received: Received[] = []
  const refusal = (at: string) =>
    refuses?.at === at ? Object.assign(new Error(`${refuses.code} no`), { responseCode: refuses.code }) : null
  const server = new SMTPServer({
    authOptional: !login,
    hideSTARTTLS: true,
    allowInsecureAuth: true,
    onAuth: ({ username, password }, _session, done) =>
      username === login?.user && password === login?.pass ? done(null, { user: username }) : done(new Error('no')),
    onMailFrom: (_address, _session, done) => done(refusal('MAIL')),
    onRcptTo: (_address, _session, done) => done(refusal('RCPT')),
    onData(stream, session, done) {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('end', () => {
        const { mailFrom, rcptTo } = session.envelope
        const sender = mailFrom === false ? '' : mailFrom.address
        const envelope = { from: sender, to: rcptTo.map(({ address }) => address) }
        received.push({ raw: Buffer.concat(chunks), envelope, user: session.user as string | undefined })
        done(refusal('DATA'))
      })
    },
  })
  server.on('error', () => undefined)
  server.listen(0, '127.0.0.1')
  await once(server.server, 'listening')
  onTestFinished(() => new Promise<void>((resolve) => server.close(() => resolve())))
  return { port: (server.server.address() as AddressInfo).port, received }
}
