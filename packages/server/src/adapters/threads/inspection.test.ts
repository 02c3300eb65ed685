import { afterAll, afterEach, describe, expect, it } from 'vitest'
import { AUTHORITY_KEYS } from '../../../test/support/signed-document.ts'
import { dteFile, envelopeFile } from '../../../test/support/supplier-file.ts'
import { zipOf } from '../../../test/support/zip-file.ts'
import { inspectFile, inspectMail } from '../inspection/inspect.ts'
import { type InspectionOptions, threadInspection } from './inspection.ts'

const RUT = '77123456-9'
const reading = { receptor_rut: RUT, sii_keys: AUTHORITY_KEYS }

// Starting a thread from source compiles the engine: it takes the time that a busy machine gives it.
describe('the thread that reads what suppliers send', () => {
  const opened: { close(): Promise<void> }[] = []
  const open = (options: InspectionOptions = {}) => {
    const inspection = threadInspection({ small_bytes: 0, ...options })
    opened.push(inspection)
    return inspection
  }
  const shared = threadInspection({ small_bytes: 0 })
  afterAll(() => shared.close())
  afterEach(async () => {
    await Promise.all(opened.splice(0).map((inspection) => inspection.close()))
  })

  it('gives what the calling thread would give, documents and faults alike, and the files as they are kept', async () => {
    const inspection = shared
    const forged = Buffer.from(
      dteFile(RUT, 8)
        .toString('latin1')
        .replace(/<MntTotal>\d+/, '<MntTotal>9'),
      'latin1',
    )
    for (const file of [await envelopeFile(RUT, [7, 8]), forged, Buffer.from('<x/>')]) {
      expect(await inspection.inspect(file, reading)).toEqual(await inspectFile(file, reading))
    }
    const alone = await inspection.inspect(dteFile(RUT, 9), reading)
    expect('documents' in alone && Buffer.isBuffer(alone.documents[0]?.xml)).toBe(true)
    expect(inspection.alive).toBe(1)
  })

  it('opens a mail as the calling thread would, and sets it aside whole when that takes too long', async () => {
    const file = dteFile(RUT, 9).toString('base64')
    const raw = Buffer.from(
      `Content-Type: application/xml; name=dte.xml\r\nContent-Transfer-Encoding: base64\r\nContent-Disposition: attachment\r\n\r\n${file}\r\n`,
    )
    const here = await inspectMail(raw, reading)
    expect(here.map(({ name, inspected }) => [name, 'documents' in inspected])).toEqual([['dte.xml', true]])
    const there = await shared.inspectMail(raw, reading)
    expect(there.map((one) => ({ ...one, bytes: Buffer.from(one.bytes) }))).toEqual(here)
    expect(await open({ timeout_ms: 1 }).inspectMail(raw, reading)).toMatchObject([
      { name: 'correo.eml', bytes: raw, inspected: { reason: 'bomb' } },
    ])
  })

  it('reads a large file on its thread also when it came zipped in a small mail', async () => {
    const blanks = `<!--${' '.repeat(1000)}-->`.repeat(60)
    const zip = zipOf([{ name: 'dte.xml', bytes: Buffer.concat([dteFile(RUT, 9), Buffer.from(blanks)]) }])
    const raw = Buffer.from(
      `Content-Type: application/zip; name=envio.zip\r\nContent-Transfer-Encoding: base64\r\nContent-Disposition: attachment\r\n\r\n${zip.toString('base64')}\r\n`,
    )
    const inspection = open({ small_bytes: 32 * 1024 })
    expect(raw.length).toBeLessThan(32 * 1024)
    const [inspected] = await inspection.inspectMail(raw, reading)
    expect([inspected?.name, inspected && 'documents' in inspected.inspected, inspection.alive]).toEqual([
      'dte.xml',
      true,
      1,
    ])
  })

  it('leaves the event loop free while it reads', async () => {
    const inspection = shared
    const file = await envelopeFile(RUT, [1, 2, 3, 4, 5, 6, 7, 8])
    await inspection.inspect(file, reading)
    let turns = 0
    let done = false
    const inspected = inspection.inspect(file, reading).finally(() => {
      done = true
    })
    while (!done) {
      await new Promise((resolve) => setImmediate(resolve))
      turns++
    }
    expect('documents' in (await inspected)).toBe(true)
    expect(turns).toBeGreaterThan(20)
  })

  it('reads a small file where it came, and starts no thread for it', async () => {
    const inspection = open({ small_bytes: 1024 * 1024 })
    expect('documents' in (await inspection.inspect(dteFile(RUT, 9), reading))).toBe(true)
    expect(inspection.alive).toBe(0)
  })

  it('bomb for a file that takes longer than any, and the next one is read', async () => {
    const hasty = open({ timeout_ms: 1 })
    expect(await hasty.inspect(dteFile(RUT, 9), reading)).toMatchObject({ reason: 'bomb' })
    expect(hasty.alive).toBe(0)
    expect('documents' in (await shared.inspect(dteFile(RUT, 9), reading))).toBe(true)
  })

  it('says that it ends, and sets nothing aside, when the process does', async () => {
    const inspection = open()
    const inspected = inspection.inspect(dteFile(RUT, 9), reading)
    const told = expect(inspected).rejects.toThrow('the process is ending')
    await inspection.close()
    await told
    await expect(inspection.inspect(dteFile(RUT, 9), reading)).rejects.toThrow('the process is ending')
  })
})
