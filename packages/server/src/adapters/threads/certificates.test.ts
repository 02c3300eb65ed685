import { afterAll, afterEach, describe, expect, it } from 'vitest'
import { HOLDER_RUT, lockedPersonPfx, personPfx } from '../../../test/support/person-pfx.ts'
import { type CertificateThreads, threadCertificates } from './certificates.ts'
import { openPfx } from './open-certificate.ts'

const NOW = new Date('2026-11-16T12:00:00Z')
const file = Buffer.from(lockedPersonPfx('clave'), 'base64')

describe('the thread that opens certificates', () => {
  const opened: { close(): Promise<void> }[] = []
  const open = (options: CertificateThreads = {}) => {
    const certificates = threadCertificates(options)
    opened.push(certificates)
    return certificates
  }
  const shared = threadCertificates()
  afterAll(() => shared.close())
  afterEach(async () => {
    await Promise.all(opened.splice(0).map((one) => one.close()))
  })

  it('gives what the calling thread would give, certificates and refusals alike, and leaves the event loop free', async () => {
    let turns = 0
    let done = false
    const asked = shared.open('acct_x', file, 'clave', NOW).finally(() => {
      done = true
    })
    while (!done) {
      await new Promise((resolve) => setImmediate(resolve))
      turns++
    }
    const there = await asked
    const here = openPfx(file, 'clave', NOW)
    if ('reason' in there || 'reason' in here) throw new Error('refused')
    expect(there.facts).toEqual(here.facts)
    expect(Buffer.from(there.key)).toEqual(here.key)
    expect(turns).toBeGreaterThan(20)
    expect(await shared.open('acct_x', file, 'otra', NOW)).toMatchObject({ reason: 'wrong_password' })
  })

  it('gives a name without what draws nothing or turns a line around, and the RUT where nothing is left of it', () => {
    const nameOf = (holder: string) => {
      const pfx = openPfx(Buffer.from(personPfx({ holder }), 'base64'), '', NOW)
      return 'facts' in pfx ? pfx.facts.holder_name : pfx.reason
    }
    expect(nameOf('Ana \u202Eotos\u202C \u2066Soto\u2069\u200B')).toBe('Ana otos Soto')
    for (const empty of ['', '   ', '\u202E\u200B']) expect(nameOf(empty)).toBe(HOLDER_RUT)
  })

  it('too_costly for a file that takes longer than any, and the next one is opened on another', async () => {
    const hasty = open({ deadline_ms: 1 })
    expect(await hasty.open('acct_x', file, 'clave', NOW)).toMatchObject({ reason: 'too_costly' })
    expect(hasty.alive).toBe(0)
    expect('facts' in (await shared.open('acct_x', Buffer.from(personPfx(), 'base64'), '', NOW))).toBe(true)
  })

  it('503 for the third that an account has waiting, and for nobody else', async () => {
    const certificates = open()
    const ask = (account: string) =>
      certificates.open(account, file, 'clave', NOW).then(
        () => 'opened',
        ({ code }) => code,
      )
    const asked = [...['a', 'a', 'a', 'a', 'b'].map(ask)]
    expect(await Promise.all(asked)).toEqual(['opened', 'opened', 'opened', 'service_unavailable', 'opened'])
  })
})
