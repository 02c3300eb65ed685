import { randomBytes } from 'node:crypto'
import { connect, type Socket } from 'node:net'
import { KEY, type Turn, type TurnCount } from './turns.ts'

/**
 * A load in short turns, asked for one by one over IPC: `{ request, ms }` keeps that request in flight on every
 * connection for so long, and answers how many were answered. Argument: `{ port, connections }`.
 */
const { port, connections } = JSON.parse(process.argv[2] ?? '{}') as Record<'port' | 'connections', number>

function open(): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => resolve(socket))
    socket.setEncoding('latin1').setNoDelay(true).on('error', reject)
  })
}

const run_key = randomBytes(8).toString('hex')
let sent = 0
const fresh = (request: string) => request.replace(KEY, `${run_key}-${sent++}`)

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
      if (!pending.startsWith('HTTP/1.1 20')) return over(pending.slice(0, 600))
      answers++
      pending = ''
      if (performance.now() < end) socket.write(fresh(request))
      else over(null)
    }
    socket.on('data', read)
    socket.write(fresh(request))
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
