import { EventEmitter } from 'node:events'
import type { Socket } from 'node:net'
import type { SMTPServerSession } from 'smtp-server'
import { describe, expect, it } from 'vitest'
import { MAIL } from '../../catalog/limits.ts'
import { Arrivals } from './arrivals.ts'
import { Connections } from './connections.ts'

class FakeSocket extends EventEmitter {
  readonly remoteAddress: string
  readonly remotePort: number
  readonly bytesRead = 0
  destroyed = false

  constructor(remoteAddress: string, remotePort: number) {
    super()
    this.remoteAddress = remoteAddress
    this.remotePort = remotePort
  }

  destroy(): void {
    this.destroyed = true
    this.emit('close')
  }
}

function openServer() {
  const connections = new Connections()
  return (address: string, port = 1) => {
    const socket = new FakeSocket(address, port)
    connections.hold(socket as unknown as Socket)
    const session = { id: `${address} ${port}`, remoteAddress: address, remotePort: port } as SMTPServerSession
    const excuse = connections.enter(session)
    const speak = () => connections.command(session.id)
    return { socket, excuse, speak, send: () => connections.receiving(session) }
  }
}
type Opened = ReturnType<ReturnType<typeof openServer>>
/** An address of a site of its own. */
const far = (n: number) => `10.${Math.floor(n / 250)}.${n % 250}.1`
const gone = (all: readonly Opened[]) => all.filter(({ socket }) => socket.destroyed)

describe('the connections of the mailbox', () => {
  it('make room for a newcomer, in place of the quietest of the address that holds most places', () => {
    const open = openServer()
    const honest = open('192.0.2.200')
    const crowded = Array.from({ length: 10 }, (_, port) => open('198.51.100.3', port))
    const others = Array.from({ length: MAIL.connections - 11 }, (_, n) => open(far(n)))
    expect(gone([honest, ...crowded, ...others])).toEqual([])
    const newcomer = open('203.0.113.9')
    expect(gone([honest, ...crowded, ...others, newcomer])).toEqual([crowded[0]])
    expect(newcomer.excuse).toBeNull()
  })

  it('take the place of who said nothing, then of who sends no mail, and never of one whose mail is coming', () => {
    const open = openServer()
    // The oldest of all, and of an address that holds more places than any other.
    const sending = [open('192.0.2.200', 1), open('192.0.2.200', 2)]
    const talking = open('192.0.2.200', 3)
    for (const { speak } of [...sending, talking]) speak()
    for (const { send } of sending) send()
    const silent = Array.from({ length: MAIL.connections - 3 }, (_, n) => open(far(n)))
    for (const n of silent.keys()) expect(open(far(1_000 + n)).excuse).toBeNull()
    expect(gone([...sending, talking])).toEqual([])
    expect(gone(silent)).toHaveLength(silent.length)
  })

  it('421 to a newcomer where every mail is coming; one who only talks would have gone', () => {
    const open = openServer()
    const sending = Array.from({ length: MAIL.connections }, (_, n) => open(far(n)))
    for (const { speak, send } of sending) {
      speak()
      send()
    }
    expect(open('203.0.113.9').excuse).toMatch(/try again later/)
    expect(gone(sending)).toEqual([])
    sending[7]?.send().end()
    expect(open('203.0.113.10').excuse).toBeNull()
    expect(gone(sending)).toEqual([sending[7]])
  })

  it.each([
    ['a /24', (n: number) => `192.0.2.${n}`],
    ['a /48 of IPv6', (n: number) => `2001:db8:7:${n.toString(16)}::1`],
  ])('421 beyond thirty from %s, whatever its addresses, and nobody goes for it', (_, address) => {
    const open = openServer()
    const held = Array.from({ length: MAIL.connections_per_site }, (_, n) => open(address(n)))
    expect(open(address(200)).excuse).toMatch(/try again later/)
    expect(gone(held)).toEqual([])
    held[0]?.socket.destroy()
    expect(open(address(201)).excuse).toBeNull()
  })

  it('421 beyond so many in a minute from an address or from its site', () => {
    let now = 0
    const arrivals = new Arrivals(() => now)
    const { address, site } = MAIL.connections_a_minute
    for (let n = 0; n < address; n++) expect(arrivals.count('192.0.2.1', '192.0.2.0/24')).toBe(true)
    expect(arrivals.count('192.0.2.1', '192.0.2.0/24')).toBe(false)
    for (let n = address + 1; n < site; n++) expect(arrivals.count(`192.0.2.${n}`, '192.0.2.0/24')).toBe(true)
    expect(arrivals.count('192.0.2.2', '192.0.2.0/24')).toBe(false)
    now = 60_000
    expect(arrivals.count('192.0.2.1', '192.0.2.0/24')).toBe(true)
  })
})
