import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { SMTPServer, type SMTPServerDataStream, type SMTPServerSession } from 'smtp-server'
import { RECEPTION } from '../../catalog/reception.ts'
import { networkOf } from '../../kernel/network.ts'

/** The addresses that mail is accepted for, and who stores it: before the sender is told so. */
interface ReceptionParts {
  readonly host: string
  readonly port: number
  /** Where the name of the server ends: what it greets with. */
  readonly domain: string
  readonly tls: { readonly cert: Buffer; readonly key: Buffer } | null
  accepts(address: string): Promise<boolean>
  receive(mail: { to: readonly string[]; from: string | null; raw: Buffer }): Promise<void>
  onTrouble(error: unknown): void
}

export interface Reception {
  readonly port: number
  close(): Promise<void>
}

type Done = (error?: Error | null, message?: string) => void

function refusal(code: number, message: string): Error {
  return Object.assign(new Error(message), { responseCode: code })
}

const MINUTE_MS = 60_000
/** What a stopping process waits for mails on their way; their senders try again. */
const CLOSE_MS = 3_000

/** Counts what each address does, an IPv6 one by its network: how many connections it holds, and how many mails it sent in the last minute. */
class Neighbours {
  readonly #open = new Map<string, Set<string>>()
  readonly #sent = new Map<string, number[]>()

  /** By the name of each session: one that goes before it was greeted must not make room for another. */
  enter({ remoteAddress, id }: SMTPServerSession): boolean {
    const who = networkOf(remoteAddress)
    const held = this.#open.get(who) ?? new Set()
    this.#open.set(who, held.add(id))
    return held.size <= RECEPTION.connections_per_address
  }

  leave({ remoteAddress, id }: SMTPServerSession): void {
    const who = networkOf(remoteAddress)
    const held = this.#open.get(who)
    held?.delete(id)
    if (held?.size === 0) this.#open.delete(who)
  }

  maySend(remoteAddress: string): boolean {
    const address = networkOf(remoteAddress)
    const now = performance.now()
    const recent = (this.#sent.get(address) ?? []).filter((at) => now - at < MINUTE_MS)
    const may = recent.length < RECEPTION.mails_per_minute_per_address
    this.#sent.set(address, may ? [...recent, now] : recent)
    // Whoever has not written for a minute is forgotten: the map holds no more than is busy.
    if (this.#sent.size > 10_000)
      for (const [who, at] of this.#sent) if (now - (at.at(-1) ?? 0) > MINUTE_MS) this.#sent.delete(who)
    return may
  }
}

/** A mail up to its limit; null when it is larger. It is read to its end either way, or the sender would not listen. */
async function readWhole(stream: SMTPServerDataStream): Promise<Buffer | null> {
  let chunks: Buffer[] = []
  let length = 0
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    length += chunk.length
    if (length > RECEPTION.mail_bytes) chunks = []
    else chunks.push(chunk)
  }
  return length > RECEPTION.mail_bytes || stream.sizeExceeded ? null : Buffer.concat(chunks)
}

/** Answers as SMTP does: a refusal of ours by its code, anything else as trouble that passes. */
function answer(parts: ReceptionParts, work: () => Promise<string | undefined>, done: Done): void {
  work().then(
    (message) => done(null, message),
    (error: unknown) => {
      if (error instanceof Error && 'responseCode' in error) return done(error)
      parts.onTrouble(error)
      done(refusal(451, 'Try again later'))
    },
  )
}

async function take(parts: ReceptionParts, stream: SMTPServerDataStream, session: SMTPServerSession) {
  const raw = await readWhole(stream)
  if (raw === null) throw refusal(552, `Message exceeds ${RECEPTION.mail_bytes} bytes`)
  const { mailFrom, rcptTo } = session.envelope
  const from = mailFrom === false || mailFrom.address === '' ? null : mailFrom.address.toLowerCase()
  await parts.receive({ to: rcptTo.map(({ address }) => address), from, raw })
  return 'Kept'
}

function serverOf(parts: ReceptionParts): SMTPServer {
  const neighbours = new Neighbours()
  const server = new SMTPServer({
    name: parts.domain,
    banner: 'Timbre',
    size: RECEPTION.mail_bytes,
    disabledCommands: parts.tls ? ['AUTH'] : ['AUTH', 'STARTTLS'],
    disableReverseLookup: true,
    maxClients: RECEPTION.connections,
    socketTimeout: RECEPTION.idle_ms,
    closeTimeout: CLOSE_MS,
    ...(parts.tls && { cert: parts.tls.cert, key: parts.tls.key, minVersion: 'TLSv1.2' }),
    onConnect: (session, done) =>
      done(neighbours.enter(session) ? null : refusal(421, 'Too many connections from your address')),
    onClose: (session) => neighbours.leave(session),
    onMailFrom: (_address, { remoteAddress }, done) =>
      done(neighbours.maySend(remoteAddress) ? null : refusal(451, 'Too many messages from your address, try later')),
    onRcptTo: ({ address }, session, done) =>
      answer(
        parts,
        async () => {
          if (session.envelope.rcptTo.length >= RECEPTION.recipients) throw refusal(452, 'Too many recipients')
          if (!(await parts.accepts(address))) throw refusal(550, 'No such mailbox here')
          return undefined
        },
        done,
      ),
    onData: (stream, session, done) => answer(parts, () => take(parts, stream, session), done),
  })
  // A connection that breaks is the sender's trouble, and it will try again.
  server.on('error', parts.onTrouble)
  return server
}

/**
 * The exchange mailbox of the empresas: a mail server that takes mail for their aliases and for nobody else, keeps it,
 * and does nothing more. What it holds is looked at later, so that no mail can make it slow.
 */
export async function openReception(parts: ReceptionParts): Promise<Reception> {
  const server = serverOf(parts)
  server.listen(parts.port, parts.host)
  await Promise.race([
    once(server.server, 'listening'),
    once(server.server, 'error').then(([error]) => Promise.reject(error)),
  ])
  return {
    port: (server.server.address() as AddressInfo).port,
    close: () => new Promise<void>((resolve) => server.close(() => resolve())),
  }
}
