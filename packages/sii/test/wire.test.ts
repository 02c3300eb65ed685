import { createServer, type Socket } from 'node:net'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { drift, refused } from '../src/failure.ts'
import { type CallFact, SII_HOSTS, simulatedHosts } from '../src/index.ts'
import { parseJson } from '../src/storable.ts'
import { openWire, type Read, type SiiAnswer, type SiiCall, type Wire, type WireOptions } from '../src/wire.ts'
import { failureOf } from './support/failure-of.ts'
import { newPerson } from './support/person.ts'
import { openScriptedSii, type ScriptedSii } from './support/scripted-sii.ts'
import { openTlsSii, type TlsSii } from './support/tls.ts'

let sii: ScriptedSii
let facts: CallFact[]
let wires: Wire[]

beforeAll(async () => {
  sii = await openScriptedSii()
})
afterAll(() => sii.close())
beforeEach(() => {
  facts = []
  wires = []
})
afterEach(async () => {
  await Promise.all(wires.map((wire) => wire.close()))
})

const CALL: SiiCall = {
  service: 'dte',
  ambiente: 'certificacion',
  operation: 'getThing',
  method: 'POST',
  path: '/thing?a=1',
  body: 'asked',
}
const text = (answer: SiiAnswer): Read<string> => ({ value: answer.text, estado: answer.kind })

function wireTo(base: string, options: Partial<WireOptions> = {}): Wire {
  const wire = openWire({ hosts: simulatedHosts(base), onCall: (fact) => facts.push(fact), ...options })
  wires.push(wire)
  return wire
}

describe('a call', () => {
  it('goes to the host of its service in its environment, and is told of with what it cost', async () => {
    sii.on('/thing', 'answered')
    expect(await wireTo(sii.base).call({ ...CALL, ambiente: 'produccion', service: 'claims' }, text)).toBe('answered')
    expect(sii.heard.at(-1)).toMatchObject({ method: 'POST', path: '/ws1.sii.cl/thing?a=1', body: 'asked' })
    expect(sii.heard.at(-1)?.headers['content-length']).toBe('5')
    expect(facts).toMatchObject([
      {
        service: 'claims',
        operation: 'getThing',
        ambiente: 'produccion',
        outcome: 'ok',
        estado: 'text',
        bytes_in: 8,
        bytes_out: 5,
        trace: { method: 'POST', answer: { status: 200, body: 'answered' } },
      },
    ])
  })

  it('is not troubled by whoever keeps the record of it', async () => {
    sii.on('/thing', 'answered')
    const wire = wireTo(sii.base, {
      onCall: () => {
        throw new Error('the disk is full')
      },
    })
    expect(await wire.call(CALL, text)).toBe('answered')
  })

  it('does not trust a status: a 500 is read like any other answer', async () => {
    sii.on('/thing', { status: 500, body: 'still an answer' })
    expect(await wireTo(sii.base).call(CALL, text)).toBe('still an answer')
  })

  it('does not follow a redirect', async () => {
    sii.heard.length = 0
    sii.on('/thing', (response) => response.writeHead(302, { location: `${sii.base}/elsewhere` }).end())
    const status = await wireTo(sii.base).call(CALL, (answer) => ({ value: answer.status }))
    expect(status).toBe(302)
    expect(sii.heard).toHaveLength(1)
  })

  it.each([
    ['UTF-8', Buffer.from('Peñalolén €', 'utf8'), 'Peñalolén €'],
    ['UTF-8 with a mark in front', Buffer.from('\uFEFFÑuñoa', 'utf8'), 'Ñuñoa'],
    ['ISO-8859-1', Buffer.from('Peñalolén', 'latin1'), 'Peñalolén'],
    ['windows-1252', Buffer.from([0x93, 0xd1, 0x75, 0x94, 0x80]), '“Ñu”€'],
    ['a page that declares UTF-8 and is not', Buffer.from('<meta charset="utf-8">Ñuñoa', 'latin1'), undefined],
    ['no alphabet at all', Buffer.from([0xff, 0xfe, 0x00, 0xc3, 0x28]), undefined],
  ])('reads a body in %s', async (_name, body, expected) => {
    sii.on('/thing', { body })
    const read = await wireTo(sii.base).call(CALL, text)
    if (expected !== undefined) expect(read).toBe(expected)
    expect(read).not.toContain('\uFFFD')
  })

  it.each([
    ['<?xml version="1.0"?><a/>', 'xml'],
    ['  <SII:RESPUESTA/>', 'xml'],
    ['<!DOCTYPE html><p>', 'html'],
    ['<?xml version="1.0"?><!DOCTYPE html PUBLIC "x"><html/>', 'html'],
    ['<!-- saved --> <HTML>', 'html'],
    ['<HTML> <HEAD>', 'html'],
    ['{"a":1}', 'json'],
    ['Error 500', 'text'],
    [' \n', 'empty'],
    ['', 'empty'],
  ])('knows %j for %s by its own characters', async (body, kind) => {
    sii.on('/thing', { body })
    expect(await wireTo(sii.base).call(CALL, ({ kind }) => ({ value: kind }))).toBe(kind)
  })

  it('brings no text that a database refuses: neither NUL nor half of a surrogate pair', async () => {
    sii.on('/thing', { body: `a\u0000b${'x'.repeat(997)}🧾` })
    const glosa = await failureOf(
      wireTo(sii.base).call(CALL, ({ text }) => {
        throw refused('a\u0000b', text, 'never')
      }),
    )
    const [{ trace, ...fact } = { trace: {} }] = facts
    expect(glosa).toMatchObject({ estado: 'a\u2400b', glosa: `a\u2400b${'x'.repeat(997)}` })
    for (const kept of [fact, trace]) expect(JSON.stringify(kept)).not.toMatch(/\\u0000|\\ud/)
  })

  it('reads JSON in the same way', () => {
    expect(parseJson(String.raw`{"a":"x\u0000y","b":["\ud83e"],"c":"\ud83e\uddfe"}`)).toEqual({
      a: 'x\u2400y',
      b: ['\ufffd'],
      c: '🧾',
    })
  })
})

describe('a failure', () => {
  it('names what an answer lost, and where', async () => {
    sii.on('/thing', 'another form')
    const failure = await failureOf(
      wireTo(sii.base).call(CALL, () => {
        throw drift('TRACKID', '0')
      }),
    )
    expect(failure).toMatchObject({ kind: 'not_understood', drift: 'TRACKID', operation: 'getThing', service: 'dte' })
    expect(failure.message).toBe('SII dte getThing (certificacion): not_understood: 0 missing: TRACKID')
    expect(facts[0]).toMatchObject({ outcome: 'not_understood', trace: { answer: { body: 'another form' } } })
  })

  it.each([
    [503, 'later'],
    [429, 'minutes'],
  ])('is weather, not an alarm, where the server says with %i that it is in trouble', async (status, retry) => {
    sii.on('/thing', { status, body: '{"error":"busy"}' })
    const lost = () => {
      throw drift('TRACKID', '0')
    }
    const failure = await failureOf(wireTo(sii.base).call(CALL, lost))
    expect(failure).toMatchObject({ kind: 'unreachable', retry, estado: `HTTP ${status}`, drift: null, sent: true })
  })

  it('is an alarm also where a reader stumbles over an answer that nobody foresaw', async () => {
    sii.on('/thing', 'x')
    const failure = await failureOf(wireTo(sii.base).call(CALL, () => (null as unknown as { a: Read<string> }).a))
    expect(failure).toMatchObject({ kind: 'not_understood', drift: 'readable answer (TypeError)', sent: true })
  })

  it('knows that nothing was sent where nobody listens', async () => {
    const closed = await openScriptedSii()
    await closed.close()
    const failure = await failureOf(wireTo(closed.base).call(CALL, text))
    expect(failure).toMatchObject({ kind: 'unreachable', estado: 'ECONNREFUSED', sent: false, retry: 'later' })
    expect(facts).toMatchObject([{ outcome: 'unreachable', bytes_in: 0, trace: { answer: null } }])
  })

  it('does not know what became of a request whose connection broke before the answer', async () => {
    sii.on('/thing', (response) => response.destroy())
    expect(await failureOf(wireTo(sii.base).call(CALL, text))).toMatchObject({ kind: 'unreachable', sent: true })
  })

  it('does not know either when the answer was cut short', async () => {
    sii.on('/thing', (response) => {
      response.writeHead(200, { 'content-length': 100 })
      response.write('only a part', () => response.destroy())
    })
    expect(await failureOf(wireTo(sii.base).call(CALL, text))).toMatchObject({ kind: 'unreachable', sent: true })
  })
})

describe('the limits of a call', () => {
  it('end one whose headers do not come', async () => {
    sii.on('/thing', () => {})
    const failure = await failureOf(wireTo(sii.base, { limits: { headers_ms: 30 } }).call(CALL, text))
    expect(failure).toMatchObject({ kind: 'unreachable', estado: 'headers_time_limit', sent: true, retry: 'later' })
  })

  it('end one whose body stops coming', async () => {
    sii.on('/thing', (response) => void response.write('a beginning'))
    const failure = await failureOf(wireTo(sii.base, { limits: { idle_ms: 30 } }).call(CALL, text))
    expect(failure).toMatchObject({ kind: 'unreachable', estado: 'body_time_limit', sent: true })
  })

  it('end one whose body drips without end', async () => {
    sii.on('/thing', (response) => {
      const dripping = setInterval(() => response.write('.'), 5)
      response.on('close', () => clearInterval(dripping))
    })
    const failure = await failureOf(wireTo(sii.base, { limits: { total_ms: 80 } }).call(CALL, text))
    expect(failure).toMatchObject({ kind: 'unreachable', estado: 'total_time_limit', sent: true })
  })

  it('end one whose answer is larger than any could be, without reading it all', async () => {
    let written = 0
    sii.on('/thing', (response) => {
      const more = () => {
        while (!response.destroyed && response.write('x'.repeat(16_384))) written += 16_384
      }
      response.on('drain', more)
      more()
    })
    const failure = await failureOf(wireTo(sii.base, { limits: { max_bytes: 50_000 } }).call(CALL, text))
    expect(failure).toMatchObject({ kind: 'unreachable', estado: 'answer_too_large', sent: true })
    expect(written).toBeLessThan(20_000_000)
  })

  it('end one that cannot connect because the other side never shakes hands', async () => {
    const sockets: Socket[] = []
    const silent = createServer((socket) => sockets.push(socket))
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve))
    const { port } = silent.address() as { port: number }
    const wire = wireTo(`https://127.0.0.1:${port}`, { limits: { connect_ms: 50 } })
    const failure = await failureOf(wire.call(CALL, text))
    expect(failure).toMatchObject({ kind: 'unreachable', estado: 'UND_ERR_CONNECT_TIMEOUT', sent: false })
    for (const socket of sockets) socket.destroy()
    await new Promise((resolve) => silent.close(resolve))
  })

  it('keep a request from leaving once its caller has given up waiting for a connection', async () => {
    sii.heard.length = 0
    const held: (() => void)[] = []
    sii.on('/busy', (response) => void held.push(() => response.end()))
    sii.on('/thing', 'too late')
    const wire = wireTo(sii.base)
    const busy = Array.from({ length: 32 }, () => wire.call({ ...CALL, path: '/busy' }, text))
    await expect.poll(() => held.length).toBe(32)
    const failure = await failureOf(wire.call({ ...CALL, limits: { total_ms: 20 } }, text))
    expect(failure).toMatchObject({ kind: 'unreachable', estado: 'total_time_limit', sent: false })
    for (const release of held) release()
    await Promise.all(busy)
    // What had been waiting would leave before these.
    sii.on('/after', 'in turn')
    for (let turn = 0; turn < 5; turn++) await wire.call({ ...CALL, path: '/after' }, text)
    expect(sii.heard.filter(({ path }) => path.endsWith('/thing?a=1'))).toEqual([])
  })
})

describe('TLS', () => {
  let secure: TlsSii
  beforeAll(async () => {
    secure = await openTlsSii()
  })
  afterAll(() => secure.close())

  it('is refused from a server whose authority is not trusted, also where the environment says otherwise', async () => {
    const before = process.env.NODE_TLS_REJECT_UNAUTHORIZED
    process.env.NODE_TLS_REJECT_UNAUTHORIZED = '0'
    try {
      const failure = await failureOf(wireTo(secure.base).call(CALL, text))
      expect(failure).toMatchObject({ kind: 'unreachable', sent: false })
      expect(failure.estado).toMatch(/VERIFY|SELF_SIGNED/)
    } finally {
      if (before === undefined) delete process.env.NODE_TLS_REJECT_UNAUTHORIZED
      else process.env.NODE_TLS_REJECT_UNAUTHORIZED = before
    }
  })

  it('is believed with the authority of a simulator given, and shows the certificate of a person who logs in', async () => {
    const wire = wireTo(secure.base, { ca: secure.ca })
    const person = newPerson()
    secure.shown.length = 0
    expect(await wire.call(CALL, text)).toBe('over TLS')
    expect(await wire.call({ ...CALL, client_certificate: person }, text)).toBe('over TLS')
    expect(await wire.call(CALL, text)).toBe('over TLS')
    expect(secure.shown).toEqual([null, 'Ana Soto Reyes', null])
  })

  it('is believed on the word of that authority by the wire it was given to, and by no other', async () => {
    expect(await wireTo(secure.base, { ca: secure.ca }).call(CALL, text)).toBe('over TLS')
    const failure = await failureOf(wireTo(secure.base).call(CALL, text))
    expect(failure).toMatchObject({ kind: 'unreachable', sent: false })
    expect(failure.estado).toMatch(/VERIFY|SELF_SIGNED/)
  })

  it('keeps neither the key nor a connection of a person once it has answered', async () => {
    const wire = wireTo(secure.base, { ca: secure.ca })
    // Those of the tests before are closed, and their ends may be still on the way.
    await expect.poll(() => secure.open()).toBe(0)
    expect(await wire.call({ ...CALL, client_certificate: newPerson() }, text)).toBe('over TLS')
    await expect.poll(() => secure.open()).toBe(0)
  })

  it('is not left out on the way to the real SII', () => {
    const plain = { ...SII_HOSTS.produccion, dte: 'http://palena.sii.cl' }
    expect(() => openWire({ hosts: { ...SII_HOSTS, produccion: plain }, onCall: () => {} })).toThrow(/over TLS/)
  })
})
