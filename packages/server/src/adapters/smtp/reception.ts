import { once } from 'node:events'
import type { AddressInfo, Socket } from 'node:net'
import { SMTPServer, type SMTPServerDataStream, type SMTPServerOptions, type SMTPServerSession } from 'smtp-server'
import { MAIL } from '../../catalog/limits.ts'
import { RECEPTION } from '../../catalog/reception.ts'
import { type Bounds, BytesInHand } from '../../kernel/bytes-in-hand.ts'
import { networkOf, siteOf } from '../../kernel/network.ts'
import { LoopTurns, Places } from '../../kernel/places.ts'
import { Connections, TOO_MUCH_TALK } from './connections.ts'

interface Sender {
  readonly address: string
  readonly from: string | null
}

/** The addresses that mail is accepted for, and who stores it: before the sender is told so. */
interface ReceptionParts {
  readonly host: string
  readonly port: number
  /** Where the name of the server ends: what it greets with. */
  readonly domain: string
  readonly tls: { readonly cert: Buffer; readonly key: Buffer } | null
  /** Why a sender is not heard for now; null when it is. */
  hear(sender: Sender): Promise<string | null>
  /** Whether somebody has this mailbox, or why it takes nothing for now. */
  accepts(mailbox: string): Promise<boolean | { readonly busy: string }>
  /** Why a mail is not kept for now; null when it is. */
  receive(mail: Sender & { to: readonly string[]; raw: Buffer }): Promise<string | null>
  onTrouble(error: unknown): void
  /** What a site and what everybody may have in memory; left out: as the limits say. */
  readonly in_hand?: Bounds
}

export interface Reception {
  readonly port: number
  close(): Promise<void>
}

type Done = (error?: Error | null, message?: string) => void

function refusal(code: number, message: string): Error {
  return Object.assign(new Error(message), { responseCode: code })
}

/** What a stopping process waits for mails on their way; their senders try again. */
const CLOSE_MS = 3_000
const FIRST_BYTES = 64 * 1024
/** What is read of mails in one turn of the event loop: the server looks at every byte, in milliseconds. */
const STEP_BYTES = 32 * 1024
const STEPS_A_TURN = 4
const LARGE_BYTES = 1024 * 1024

class TooManyPieces extends Error {}

/** While a mail comes: it is told of each piece, and asked for room for so many bytes more. */
interface Watch {
  piece(): void
  /** Waits before more is read of a mail, so much of which was: many at once must leave room for everything else. */
  pause(length: number): Promise<void>
  takes(bytes: number): boolean
}

/**
 * A mail up to its limit, or why it is not kept. It is read to its end either way, or the sender would not listen. It
 * grows in one piece: the server hands over every line that began with a dot by itself, millions of them in a hostile mail.
 */
async function readWhole(stream: SMTPServerDataStream, watch: Watch): Promise<Buffer | 'too_large' | 'no_room'> {
  let room = watch.takes(FIRST_BYTES)
  let kept = Buffer.allocUnsafe(room ? FIRST_BYTES : 0)
  let length = 0
  let pieces = 0
  let unpaused = 0
  await watch.pause(0)
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    // Not read to its end: its sender is cut off in the middle, for each piece costs us more than it.
    if (++pieces > MAIL.pieces) throw new TooManyPieces('The mail comes in too many pieces')
    watch.piece()
    unpaused += chunk.length
    const start = length
    length += chunk.length
    if (length > kept.length && length <= RECEPTION.mail_bytes && room) {
      const larger = Math.min(Math.max(length, kept.length * 2), RECEPTION.mail_bytes)
      room = watch.takes(larger - kept.length)
      if (room) kept = Buffer.concat([kept], larger)
    }
    if (length > RECEPTION.mail_bytes || !room) kept = Buffer.alloc(0)
    else chunk.copy(kept, start)
    if (unpaused < STEP_BYTES) continue
    unpaused = 0
    await watch.pause(length)
  }
  if (length > RECEPTION.mail_bytes || stream.sizeExceeded) return 'too_large'
  return room ? kept.subarray(0, length) : 'no_room'
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

function senderOf(address: string, { remoteAddress }: SMTPServerSession): Sender {
  return { address: networkOf(remoteAddress), from: address === '' ? null : address.toLowerCase() }
}

/** The server of one process: who is connected to it, and what it holds of their mails. */
interface Held {
  readonly connections: Connections
  readonly bytes: BytesInHand
  /** Where mails are stored, a few at a time: the sites that send them take turns. */
  readonly storing: Places
  readonly reading: LoopTurns
  /** How many came so far. */
  mails: number
}

async function take(parts: ReceptionParts, stream: SMTPServerDataStream, session: SMTPServerSession, held: Held) {
  const hold = held.bytes.hold('mails', siteOf(session.remoteAddress), parts.in_hand ?? MAIL.in_hand)
  const { piece, end } = held.connections.receiving(session)
  // Usual ones before large ones, and of these the oldest: all of them at once would all come too late.
  const number = held.mails++
  const pause = (length: number) => held.reading.take(length < LARGE_BYTES ? 0 : number + 1)
  try {
    return await keep(parts, stream, session, held, { piece, pause, takes: (more) => hold.grow(more) === null })
  } finally {
    end()
    hold.release()
  }
}

async function keep(
  parts: ReceptionParts,
  stream: SMTPServerDataStream,
  session: SMTPServerSession,
  { connections, storing }: Held,
  watch: Watch,
) {
  const raw = await readWhole(stream, watch).catch((error: unknown) => {
    if (!(error instanceof TooManyPieces)) throw error
    connections.cut(session, `554 ${error.message}\r\n`)
    throw refusal(554, error.message)
  })
  if (raw === 'no_room') throw refusal(452, 'Too many mails are coming at this moment')
  if (raw === 'too_large') throw refusal(552, `Message exceeds ${RECEPTION.mail_bytes} bytes`)
  const { mailFrom, rcptTo } = session.envelope
  const sender = senderOf(mailFrom === false ? '' : mailFrom.address, session)
  const to = rcptTo.map(({ address }) => address)
  const excuse = await storing.run(siteOf(session.remoteAddress), () => parts.receive({ to, ...sender, raw }))
  if (excuse !== null) throw refusal(451, excuse)
  connections.kept(session)
  return 'Kept'
}

/** The server tells of a command nowhere but in its log, which nobody keeps. */
function commandsTold(tell: (session_id: string) => void): SMTPServerOptions['logger'] {
  const nothing = () => undefined
  const debug = (about: unknown) => {
    const { tnx, cid } = about as { readonly tnx?: string; readonly cid?: string }
    if (tnx === 'command' && cid !== undefined) tell(cid)
  }
  return { level: nothing, trace: nothing, debug, info: nothing, warn: nothing, error: nothing, fatal: nothing }
}

function serverOf(parts: ReceptionParts): SMTPServer {
  const connections = new Connections()
  const held: Held = {
    connections,
    bytes: new BytesInHand(),
    storing: new Places(MAIL.stored_at_once),
    reading: new LoopTurns(STEPS_A_TURN),
    mails: 0,
  }
  const server = new SMTPServer({
    name: parts.domain,
    logger: commandsTold((id) => connections.command(id)),
    banner: 'Timbre',
    size: RECEPTION.mail_bytes,
    disabledCommands: parts.tls ? ['AUTH'] : ['AUTH', 'STARTTLS'],
    disableReverseLookup: true,
    // Ours makes room at the bound; this one is for what is on its way out.
    maxClients: 2 * MAIL.connections,
    socketTimeout: MAIL.idle_ms,
    closeTimeout: CLOSE_MS,
    ...(parts.tls && { cert: parts.tls.cert, key: parts.tls.key, minVersion: 'TLSv1.2' }),
    onConnect: (session, done) => {
      const excuse = connections.enter(session)
      done(excuse === null ? null : refusal(421, excuse))
    },
    onClose: (session) => connections.leave(session),
    onMailFrom: ({ address }, session, done) =>
      answer(
        parts,
        async () => {
          if (connections.talksTooMuch(session)) throw refusal(421, TOO_MUCH_TALK)
          const excuse = await parts.hear(senderOf(address, session))
          if (excuse !== null) throw refusal(451, excuse)
          return undefined
        },
        done,
      ),
    onRcptTo: ({ address }, session, done) =>
      answer(
        parts,
        async () => {
          if (connections.talksTooMuch(session)) throw refusal(421, TOO_MUCH_TALK)
          if (session.envelope.rcptTo.length >= MAIL.recipients) throw refusal(452, 'Too many recipients')
          const accepted = await parts.accepts(address)
          if (accepted === false) throw refusal(550, 'No such mailbox here')
          if (accepted !== true) throw refusal(451, accepted.busy)
          return undefined
        },
        done,
      ),
    onData: (stream, session, done) => answer(parts, () => take(parts, stream, session, held), done),
  })
  server.server.on('connection', (socket: Socket) => connections.hold(socket))
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
