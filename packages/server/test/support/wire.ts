import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/** A wire to PostgreSQL that can go silent without closing, as a firewall that forgets a connection does. */
export async function openWire(url: string) {
  const target = new URL(url)
  const folder = target.searchParams.get('host')
  const port = target.port === '' ? 5432 : Number(target.port)
  const { hostname } = target
  const pairs: Socket[][] = []
  const server = createServer((near) => {
    const far = folder ? connect(`${folder}/.s.PGSQL.${port}`) : connect(port, hostname)
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const)
      from.on('error', () => undefined).pipe(to)
    pairs.push([near, far])
  }).listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  target.searchParams.delete('host')
  target.hostname = '127.0.0.1'
  target.port = String((server.address() as AddressInfo).port)
  return {
    url: target.toString(),
    silence() {
      for (const socket of pairs.flat()) socket.unpipe()
    },
    close() {
      for (const socket of pairs.flat()) socket.destroy()
      server.close()
    },
  }
}
