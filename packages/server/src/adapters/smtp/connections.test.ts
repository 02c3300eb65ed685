import { EventEmitter } from 'node:events'
import type { Socket } from 'node:net'
import type { SMTPServerSession } from 'smtp-server'
import { describe, expect, it } from 'vitest'
import { MAIL } from '../../catalog/limits.ts'
import { Connections } from './connections.ts'

class FakeSocket extends EventEmitter {
  readonly remoteAddress: string
  readonly remotePort: number
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

describe('the connections of the mailbox', () => {
  it('make room for a newcomer, in place of the quietest of the address that holds most places', () => {
    const connections = new Connections()
    const open = (address: string, port: number) => {
      const socket = new FakeSocket(address, port)
      connections.hold(socket as unknown as Socket)
      const session = { id: `${address} ${port}`, remoteAddress: address, remotePort: port } as SMTPServerSession
      connections.enter(session)
      return { socket, speak: () => connections.command(session.id) }
    }
    const honest = open('192.0.2.200', 1)
    const addresses = Array.from({ length: 10 }, (_, n) => `192.0.2.${n}`)
    const dripping = addresses.flatMap((address, n) =>
      Array.from({ length: n === 3 ? 10 : 9 }, (_, port) => open(address, port)),
    )
    while (dripping.length + 1 < MAIL.connections) dripping.push(open(`198.51.100.${dripping.length}`, 1))
    const crowded = dripping.filter(({ socket }) => socket.remoteAddress === '192.0.2.3')
    crowded[0]?.speak()
    expect(dripping.some(({ socket }) => socket.destroyed)).toBe(false)
    const newcomer = open('203.0.113.9', 1)
    expect(dripping.filter(({ socket }) => socket.destroyed)).toEqual([crowded[1]])
    expect([honest.socket.destroyed, newcomer.socket.destroyed]).toEqual([false, false])
  })
})
