import { connect } from 'node:net'

/**
 * A load that costs little itself: raw sockets, one request in flight on each, answers counted by their length.
 * Run as a process of its own: `load.ts <port> <seconds> <connections> <path> <bearer>`; prints one JSON line.
 */
const [port, seconds, connections, path, bearer] = process.argv.slice(2)
const request = `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer ${bearer}\r\n\r\n`
let answers = 0
let refused = 0
let over = false

function lengthOf(head: string): number {
  return Number(/content-length: (\d+)/i.exec(head)?.[1] ?? 0)
}

function run(): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), '127.0.0.1')
    let pending = ''
    socket.setEncoding('latin1').setNoDelay(true)
    socket.on('error', reject)
    socket.on('close', () => resolve())
    socket.on('connect', () => socket.write(request))
    socket.on('data', (chunk: string) => {
      pending += chunk
      const end = pending.indexOf('\r\n\r\n')
      if (end < 0 || pending.length < end + 4 + lengthOf(pending.slice(0, end))) return
      if (pending.startsWith('HTTP/1.1 200')) answers++
      else refused++
      pending = ''
      if (over) socket.end()
      else socket.write(request)
    })
  })
}

const started = performance.now()
setTimeout(() => {
  over = true
}, Number(seconds) * 1000)
await Promise.all(Array.from({ length: Number(connections) }, run))
console.log(JSON.stringify({ per_second: (answers / (performance.now() - started)) * 1000, answers, refused }))
