import { describe, expect, it } from 'vitest'
import { ownPorts } from './own-ports.ts'

describe('ownPorts', () => {
  it('are those of every process that is part of the service, and no more', () => {
    const config = {
      port: 3000,
      metrics_port: 9100,
      reception_smtp_port: 2525,
      redis_url: 'redis://127.0.0.1',
      smtp_url: 'smtp://u:p@127.0.0.1:1025',
    }
    const simulator = { url: 'https://127.0.0.1:7443', control_url: 'http://127.0.0.1:7400' }
    const ports = ownPorts(config, 'postgres://timbre@127.0.0.1/timbre', simulator as never)
    expect([...ports].sort((a, b) => a - b)).toEqual([1025, 2525, 3000, 5432, 6379, 7400, 7443, 9100])
    const bare = { port: 0, metrics_port: null, reception_smtp_port: null, redis_url: null, smtp_url: null }
    expect([...ownPorts(bare, 'postgres://timbre@127.0.0.1:54321/timbre', null)]).toEqual([54321])
  })
})
