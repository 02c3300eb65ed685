import { randomBytes } from 'node:crypto'
import { connect } from 'node:net'

/**
 * A load of POSTs that costs little itself, as load.ts: raw sockets, one request in flight on each, an Idempotency-Key
 * of its own on every request. Run as a process of its own, with one JSON argument; prints one JSON line.
 */
interface Order {
  readonly port: number
  readonly seconds: number
  readonly connections: number
  readonly path: string
  readonly headers: Record<string, string>
  /** Empresas that take turns, where there is more than one. */
  readonly empresas?: readonly string[]
  readonly body: string
  /** Requests a second over all connections; as many as it can when absent. */
  readonly per_second?: number
  /** The load also ends once so many were sent. */
  readonly requests?: number
}
const order = JSON.parse(process.argv[2] ?? '{}') as Order
const body = Buffer.from(order.body)
const lines = Object.entries(order.headers).map(([name, value]) => `${name}: ${value}\r\n`)
const head = `POST ${order.path} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n${lines.join('')}`
const run_key = randomBytes(8).toString('hex')
let sent = 0
let answers = 0
let refused = 0
let first_refusal = ''
let over = false
const started = performance.now()

function request(): Buffer {
  sent++
  const empresa = order.empresas && `Svc-Empresa: ${order.empresas[sent % order.empresas.length]}\r\n`
  return Buffer.concat([Buffer.from(`${head}${empresa ?? ''}Idempotency-Key: ${run_key}-${sent}\r\n\r\n`), body])
}

/** When the next request may leave, under a steady rate. */
function delay(): number {
  if (order.per_second === undefined) return 0
  return Math.max(0, (sent / order.per_second) * 1000 - (performance.now() - started))
}

function lengthOf(head: string): number {
  return Number(/content-length: (\d+)/i.exec(head)?.[1] ?? 0)
}

function run(): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = connect(order.port, '127.0.0.1')
    let pending = ''
    const next = () => {
      if (over || sent >= (order.requests ?? Infinity)) socket.end()
      else if (delay() > 0) setTimeout(next, delay())
      else socket.write(request())
    }
    socket.setEncoding('latin1').setNoDelay(true)
    socket.on('error', reject)
    socket.on('close', () => resolve())
    socket.on('connect', next)
    socket.on('data', (chunk: string) => {
      pending += chunk
      const end = pending.indexOf('\r\n\r\n')
      if (end < 0 || pending.length < end + 4 + lengthOf(pending.slice(0, end))) return
      if (pending.startsWith('HTTP/1.1 20')) answers++
      else {
        refused++
        first_refusal ||= pending.slice(0, 600)
      }
      pending = ''
      next()
    })
  })
}

setTimeout(() => {
  over = true
}, order.seconds * 1000).unref()
await Promise.all(Array.from({ length: order.connections }, run))
const per_second = (answers / (performance.now() - started)) * 1000
console.log(JSON.stringify({ per_second, answers, refused, first_refusal }))
