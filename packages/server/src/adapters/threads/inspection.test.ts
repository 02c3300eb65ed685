import { afterAll, afterEach, describe, expect, it } from 'vitest'
import { AUTHORITY_KEYS, TEST_CA } from '../../../test/support/signed-document.ts'
import { dteFile, envelopeFile } from '../../../test/support/supplier-file.ts'
import { inspectFile, inspectMail } from '../inspection/inspect.ts'
import { type InspectionOptions, threadInspection } from './inspection.ts'

const RUT = '77123456-9'
const reading = { receptor_rut: RUT, sii_keys: AUTHORITY_KEYS, authorities: TEST_CA }

describe('the thread that reads what suppliers send', () => {
  const opened: { close(): Promise<void> }[] = []
  const open = (options: InspectionOptions = {}) => {
    const inspection = threadInspection(options)
    opened.push(inspection)
    return inspection
  }
  const shared = threadInspection()
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
    expect(here.files.map(({ name, inspected }) => [name, 'documents' in inspected])).toEqual([['dte.xml', true]])
    const there = await shared.inspectMail(raw, reading)
    expect(there.files.map((one) => ({ ...one, bytes: Buffer.from(one.bytes) }))).toEqual(here.files)
    expect(await open({ deadline_ms: 1 }).inspectMail(raw, reading)).toEqual({
      files: [{ name: 'correo.eml', bytes: raw, inspected: expect.objectContaining({ reason: 'bomb' }) }],
      read_ms: 1,
    })
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

  it('leaves the event loop free for the smallest mail too: what it costs is for its sender to say', async () => {
    // Five thousand parts in 25 kB, which the parser of mails takes a part of a second for.
    const raw = Buffer.from(`Content-Type: multipart/mixed; boundary="b"\r\n\r\n${'--b\r\n'.repeat(4_990)}`)
    await shared.inspectMail(Buffer.from('Subject: primero\r\n\r\n'), reading)
    let turns = 0
    let done = false
    const inspected = shared.inspectMail(raw, reading).finally(() => {
      done = true
    })
    while (!done) {
      await new Promise((resolve) => setImmediate(resolve))
      turns++
    }
    expect((await inspected).files).toMatchObject([{ inspected: { reason: 'no_document' } }])
    expect(turns).toBeGreaterThan(20)
  })

  it('keeps nobody who asks about a file waiting behind a mail', async () => {
    const inspection = open()
    const asked = [
      inspection.inspectMail(Buffer.from('Subject: lento\r\n\r\n'), reading),
      inspection.inspect(dteFile(RUT, 9), reading),
    ]
    const ended = Promise.allSettled(asked)
    expect(inspection.alive).toBe(2)
    await inspection.close()
    await ended
  })

  it('bomb for a file that takes longer than any, and the next one is read', async () => {
    const hasty = open({ deadline_ms: 1 })
    expect(await hasty.inspect(dteFile(RUT, 9), reading)).toMatchObject({ reason: 'bomb' })
    const mails = [Buffer.from('Subject: uno\r\n\r\n'), Buffer.from('Subject: dos\r\n\r\n')]
    const both = await Promise.all(mails.map((raw) => hasty.inspectMail(raw, reading)))
    expect(both.map(({ files }) => files[0])).toMatchObject(
      mails.map((bytes) => ({ bytes, inspected: { reason: 'bomb' } })),
    )
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
