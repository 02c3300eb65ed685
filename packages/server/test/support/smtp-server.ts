// A real SMTP server on loopback.

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

export interface Smtp {
  readonly port: number
  readonly received: Received[]
  /** From now on letters to this address are answered with a code, until `take`. */
  refuse(address: string, code: number): void
  take(address: string): void
  close(): Promise<void>
}

/** A real SMTP server on loopback, closed with the test that opened it. */
export async function openSmtp(behaviour: Behaviour = {}): Promise<Smtp> {
  const smtp = await startSmtp(behaviour)
  onTestFinished(smtp.close)
  return smtp
}

/** The same, for a whole file of tests: whoever starts it closes it. */
export async function startSmtp({ refuses, login }: Behaviour = {}): Promise<Smtp> {
  const received: Received[] = []
  const refused = new Map<string, number>()
  const refusalOf = (address: string) => {
    const code = refused.get(address)
    return code === undefined ? null : Object.assign(new Error(`${code} no`), { responseCode: code })
  }
  const refusal = (at: string) =>
    refuses?.at === at ? Object.assign(new Error(`${refuses.code} no`), { responseCode: refuses.code }) : null
  const server = new SMTPServer({
    authOptional: !login,
    disableReverseLookup: true, // it asks a name server who called
    hideSTARTTLS: true,
    allowInsecureAuth: true,
    onAuth: ({ username, password }, _session, done) =>
      username === login?.user && password === login?.pass ? done(null, { user: username }) : done(new Error('no')),
    onMailFrom: (_address, _session, done) => done(refusal('MAIL')),
    onRcptTo: ({ address }, _session, done) => done(refusal('RCPT') ?? refusalOf(address)),
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
  return {
    port: (server.server.address() as AddressInfo).port,
    received,
    refuse: (address, code) => void refused.set(address, code),
    take: (address) => void refused.delete(address),
    close: () => new Promise<void>((resolve) => server.close(() => resolve())),
  }
}
