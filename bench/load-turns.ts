import { connect, type Socket } from 'node:net'

/**
 * A load in short turns, asked for one by one over IPC: `{ request, ms }` keeps that request in flight on every
 * connection for so long, and answers how many were answered. Two kinds of request that take turns many times a second
 * meet the same machine, however busy it is with something else. Argument: `{ port, connections }`.
 */
export interface Turn {
  readonly request: string
  readonly ms: number
}

export interface TurnCount {
  readonly answers: number
  /** The first answer that was no success. */
  readonly refused: string | null
}

const { port, connections } = JSON.parse(process.argv[2] ?? '{}') as Record<'port' | 'connections', number>

function open(): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => resolve(socket))
    socket.setEncoding('latin1').setNoDelay(true).on('error', reject)
  })
}

const lengthOf = (head: string) => Number(/content-length: (\d+)/i.exec(head)?.[1] ?? 0)

function run(socket: Socket, { request, ms }: Turn): Promise<TurnCount> {
  return new Promise((resolve) => {
    const end = performance.now() + ms
    let [pending, answers] = ['', 0]
    const over = (refused: string | null) => {
      socket.off('data', read)
      resolve({ answers, refused })
    }
    const read = (chunk: string) => {
      pending += chunk
      const head = pending.indexOf('\r\n\r\n')
      if (head < 0 || pending.length < head + 4 + lengthOf(pending.slice(0, head))) return
      if (!pending.startsWith('HTTP/1.1 200')) return over(pending.slice(0, 600))
      answers++
      pending = ''
      if (performance.now() < end) socket.write(request)
      else over(null)
    }
    socket.on('data', read)
    socket.write(request)
  })
}

const sockets = await Promise.all(Array.from({ length: connections }, open))
process.on('message', async (turn: Turn) => {
  const counts = await Promise.all(sockets.map((socket) => run(socket, turn)))
  const answers = counts.reduce((sum, count) => sum + count.answers, 0)
  process.send?.({ answers, refused: counts.find(({ refused }) => refused !== null)?.refused ?? null })
})
process.on('disconnect', () => process.exit())
process.send?.('ready')
