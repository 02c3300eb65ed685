import { afterEach, describe, expect, it } from 'vitest'
import { AUTHORITY_KEYS } from '../../../test/support/signed-document.ts'
import { dteFile, envelopeFile } from '../../../test/support/supplier-file.ts'
import { zipOf } from '../../../test/support/zip-file.ts'
import { judgeFile } from '../inspection/inspect-file.ts'
import { judgeMail } from '../inspection/inspect-mail.ts'
import { type JudgingOptions, threadJudging } from './inspection.ts'

const RUT = '77123456-9'
const reading = { receptor_rut: RUT, sii_keys: AUTHORITY_KEYS }

// Starting a thread from source compiles the engine: it takes the time that a busy machine gives it.
describe('the thread that reads what suppliers send', () => {
  const opened: { close(): Promise<void> }[] = []
  const open = (options: JudgingOptions = {}) => {
    const judging = threadJudging({ small_bytes: 0, ...options })
    opened.push(judging)
    return judging
  }
  afterEach(async () => {
    await Promise.all(opened.splice(0).map((judging) => judging.close()))
  })

  it('gives what the calling thread would give, documents and faults alike, and the files as they are kept', async () => {
    const judging = open()
    const forged = Buffer.from(
      dteFile(RUT, 8)
        .toString('latin1')
        .replace(/<MntTotal>\d+/, '<MntTotal>9'),
      'latin1',
    )
    for (const file of [await envelopeFile(RUT, [7, 8]), forged, Buffer.from('<x/>')]) {
      expect(await judging.judge(file, reading)).toEqual(await judgeFile(file, reading))
    }
    const alone = await judging.judge(dteFile(RUT, 9), reading)
    expect('documents' in alone && Buffer.isBuffer(alone.documents[0]?.xml)).toBe(true)
    expect(judging.alive).toBe(1)
  })

  it('opens a mail as the calling thread would, and sets it aside whole when that takes too long', async () => {
    const file = dteFile(RUT, 9).toString('base64')
    const raw = Buffer.from(
      `Content-Type: application/xml; name=dte.xml\r\nContent-Transfer-Encoding: base64\r\nContent-Disposition: attachment\r\n\r\n${file}\r\n`,
    )
    const here = await judgeMail(raw, reading)
    expect(here.map(({ name, judged }) => [name, 'documents' in judged])).toEqual([['dte.xml', true]])
    const there = await open().judgeMail(raw, reading)
    expect(there.map((one) => ({ ...one, bytes: Buffer.from(one.bytes) }))).toEqual(here)
    expect(await open({ patience_ms: 1 }).judgeMail(raw, reading)).toMatchObject([
      { name: 'correo.eml', bytes: raw, judged: { reason: 'bomb' } },
    ])
  })

  it('reads a large file on its thread also when it came zipped in a small mail', async () => {
    const blanks = `<!--${' '.repeat(1000)}-->`.repeat(60)
    const zip = zipOf([{ name: 'dte.xml', bytes: Buffer.concat([dteFile(RUT, 9), Buffer.from(blanks)]) }])
    const raw = Buffer.from(
      `Content-Type: application/zip; name=envio.zip\r\nContent-Transfer-Encoding: base64\r\nContent-Disposition: attachment\r\n\r\n${zip.toString('base64')}\r\n`,
    )
    const judging = open({ small_bytes: 32 * 1024 })
    expect(raw.length).toBeLessThan(32 * 1024)
    const [judged] = await judging.judgeMail(raw, reading)
    expect([judged?.name, judged && 'documents' in judged.judged, judging.alive]).toEqual(['dte.xml', true, 1])
  })

  it('leaves the event loop free while it reads', async () => {
    const judging = open()
    const file = await envelopeFile(RUT, [1, 2, 3, 4, 5, 6, 7, 8])
    await judging.judge(file, reading)
    let turns = 0
    let done = false
    const judged = judging.judge(file, reading).finally(() => {
      done = true
    })
    while (!done) {
      await new Promise((resolve) => setImmediate(resolve))
      turns++
    }
    expect('documents' in (await judged)).toBe(true)
    expect(turns).toBeGreaterThan(20)
  })

  it('reads a small file where it came, and starts no thread for it', async () => {
    const judging = open({ small_bytes: 1024 * 1024 })
    expect('documents' in (await judging.judge(dteFile(RUT, 9), reading))).toBe(true)
    expect(judging.alive).toBe(0)
  })

  it('bomb for a file that takes longer than any, and the next one is read', async () => {
    const hasty = open({ patience_ms: 1 })
    expect(await hasty.judge(dteFile(RUT, 9), reading)).toMatchObject({ reason: 'bomb' })
    expect(hasty.alive).toBe(0)
    expect('documents' in (await open().judge(dteFile(RUT, 9), reading))).toBe(true)
  })

  it('says that it ends, and sets nothing aside, when the process does', async () => {
    const judging = open()
    const judged = judging.judge(dteFile(RUT, 9), reading)
    const told = expect(judged).rejects.toThrow('the process is ending')
    await judging.close()
    await told
    await expect(judging.judge(dteFile(RUT, 9), reading)).rejects.toThrow('the process is ending')
  })
})
