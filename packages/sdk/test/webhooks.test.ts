import { createHmac } from 'node:crypto'
import { describe, expect, expectTypeOf, it } from 'vitest'
import { type Document, type Event, SignatureError, verify } from '../src/index.ts'

const SECRET = `whsec_${Buffer.from('a secret of thirty-two bytes ...').toString('base64')}`
const NEXT = `whsec_${Buffer.from('another one of thirty-two bytes!').toString('base64')}`
const NOW = 1_800_000_000
const BODY = JSON.stringify({
  id: 'evt_1',
  object: 'event',
  type: 'ping',
  data: { object: { note: 'ñandú "1"', price: 1e3 } },
})

const ours = (body: string, secrets = [SECRET], t: number | string = NOW) =>
  [`t=${t}`, ...secrets.map((one) => `v1=${createHmac('sha256', one).update(`${t}.${body}`).digest('hex')}`)].join(',')
const standard = (body: string, secrets = [SECRET], t = NOW) => ({
  'webhook-id': 'evt_1',
  'webhook-timestamp': String(t),
  'webhook-signature': secrets
    .map(
      (one) =>
        `v1,${createHmac('sha256', Buffer.from(one.slice(6), 'base64'))
          .update(`evt_1.${t}.${body}`)
          .digest('base64')}`,
    )
    .join(' '),
})
const at = (now: number) => ({ now })
const refused = (...given: Parameters<typeof verify>): Promise<SignatureError> =>
  verify(...given).then(
    () => expect.unreachable(),
    (error) => {
      expect(error).toBeInstanceOf(SignatureError)
      expect(error.hint).not.toBe('')
      return error
    },
  )

describe('a delivery that is ours', () => {
  it.each([
    ['a record', { 'svc-signature': ours(BODY) }],
    ['a record in any spelling', { 'Svc-Signature': ours(BODY) }],
    ['lists of values', { 'svc-signature': [ours(BODY)] }],
    ['Headers', new Headers({ 'Svc-Signature': ours(BODY) })],
    ['the headers of Standard Webhooks', standard(BODY)],
  ])('is taken, with its headers as %s', async (_, headers) => {
    expect(await verify(BODY, headers, SECRET, at(NOW))).toEqual(JSON.parse(BODY))
  })

  it('is taken as text and as bytes, also as a view into more of them', async () => {
    const bytes = new TextEncoder().encode(`xx${BODY}yy`)
    for (const body of [BODY, Buffer.from(BODY), bytes.subarray(2, -2), new TextEncoder().encode(BODY).buffer]) {
      expect((await verify(body, { 'svc-signature': ours(BODY) }, SECRET, at(NOW))).id).toBe('evt_1')
    }
  })

  it('is taken with either secret while one is being changed, on either side', async () => {
    const both = { 'svc-signature': ours(BODY, [NEXT, SECRET]) }
    for (const secrets of [SECRET, NEXT, [SECRET, NEXT], [`  ${NEXT}\n`]]) {
      expect((await verify(BODY, both, secrets, at(NOW))).id).toBe('evt_1')
      expect((await verify(BODY, standard(BODY, [NEXT, SECRET]), secrets, at(NOW))).id).toBe('evt_1')
    }
    expect((await verify(BODY, { 'svc-signature': ours(BODY, [NEXT]) }, [SECRET, NEXT], at(NOW))).id).toBe('evt_1')
  })

  it('may be as far from now as it is allowed to be', async () => {
    const headers = { 'svc-signature': ours(BODY) }
    for (const now of [NOW - 300, NOW + 300]) expect(await verify(BODY, headers, SECRET, { now })).toBeDefined()
    expect(await verify(BODY, headers, SECRET, { now: NOW + 900, tolerance: 1_000 })).toBeDefined()
  })
})

describe('a delivery that is not to be believed', () => {
  it('says that there is no signature, and that a proxy may have removed it', async () => {
    for (const headers of [{}, { 'content-type': 'application/json' }, new Headers()]) {
      const error = await refused(BODY, headers, SECRET, at(NOW))
      expect(error.code).toBe('signature_header_missing')
      expect(error.hint).toContain('proxy')
    }
    const { 'webhook-id': _, ...rest } = standard(BODY)
    expect((await refused(BODY, rest, SECRET, at(NOW))).message).toContain('webhook-id')
  })

  it.each([
    'garbage',
    `t=${NOW}`,
    `t=${NOW},v1=`,
    `t=${NOW},v1=${'é'.repeat(64)}`,
    `t=${NOW},v1=${'z'.repeat(64)}`,
    `t=now,v1=${'a'.repeat(64)}`,
    `t=${'9'.repeat(40)},v1=${'a'.repeat(64)}`,
    `v1=${'a'.repeat(64)}`,
    '=,=,=',
    `t=${NOW},${'v1=aa,'.repeat(5_000)}`,
  ])('says of the header %.40s that it does not read as one', async (header) => {
    expect((await refused(BODY, { 'svc-signature': header }, SECRET, at(NOW))).code).toBe('signature_header_malformed')
  })

  it.each(['garbage', 'v1,', 'v1,!!!', 'v2,AAAA'])('says the same of the standard header %j', async (signature) => {
    const headers = { ...standard(BODY), 'webhook-signature': signature }
    expect((await refused(BODY, headers, SECRET, at(NOW))).code).toMatch(
      /signature_header_malformed|signature_mismatch/,
    )
  })

  it('says by how much the clocks differ, either way', async () => {
    const headers = { 'svc-signature': ours(BODY) }
    const late = await refused(BODY, headers, SECRET, at(NOW + 420))
    expect(late).toMatchObject({ code: 'signature_expired' })
    expect(late.message).toContain('420 s ago')
    const early = await refused(BODY, headers, SECRET, at(NOW - 301))
    expect(early.message).toContain('301 s from now')
    expect(early.hint).toContain('NTP')
  })

  it('is one of another secret, of another body, or under another time', async () => {
    const good = ours(BODY)
    for (const [body, header, secret] of [
      [BODY, good, NEXT],
      [BODY.replace('ping', 'pong'), good, SECRET],
      [BODY, good.replace(`t=${NOW}`, `t=${NOW + 1}`), SECRET],
      [BODY, good.slice(0, -2), SECRET],
      ['', good, SECRET],
    ] as const) {
      expect((await refused(body, { 'svc-signature': header }, secret, at(NOW))).code).toBe('signature_mismatch')
    }
    expect((await refused(BODY, { 'svc-signature': good }, [], at(NOW))).message).toContain('no secret')
    expect((await refused(BODY, { 'svc-signature': good }, [''], at(NOW))).message).toContain('no secret')
  })

  it('is not made good by a standard header when ours is wrong', async () => {
    const headers = { ...standard(BODY), 'svc-signature': ours(BODY, [NEXT]) }
    expect((await refused(BODY, headers, SECRET, at(NOW))).code).toBe('signature_mismatch')
  })

  it('says that a body was parsed, or written anew, instead of a mismatch', async () => {
    const headers = { 'svc-signature': ours(BODY) }
    for (const parsed of [JSON.parse(BODY), undefined, null, 7]) {
      expect((await refused(parsed, headers, SECRET, at(NOW))).code).toBe('body_not_raw')
    }
    const pretty = JSON.stringify(JSON.parse(BODY), null, 2)
    const escaped = BODY.replace('ñ', '\\u00f1')
    for (const body of [pretty, escaped]) {
      for (const signed of [headers, standard(BODY)]) {
        const error = await refused(body, signed, SECRET, at(NOW))
        expect(error.code).toBe('body_reserialised')
        expect(error.hint).toContain('express.raw()')
      }
    }
  })
})

it('types: the type of an event says what its object is', () => {
  const read = (event: Event) => {
    if (event.type === 'document.accepted') expectTypeOf(event.data.object).toEqualTypeOf<Document>()
    if (event.type === 'folios.low') expectTypeOf(event.data.object.object).toEqualTypeOf<'folio_availability'>()
    // @ts-expect-error no event is called so
    return event.type === 'document.acepted'
  }
  expect(read({ type: 'ping' } as Event)).toBe(false)
})
