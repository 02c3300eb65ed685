import { describe, expect, it } from 'vitest'
import { NOON, useWorld } from '../../test/support/world.ts'

const LONG = 'x'.repeat(1_000_000)
const person = { rut: '12345678-5', password: 'clave' }
const company = { rut: '76543210-3' }

/** Each body is wrong in one field, and the refusal names it and its bound. */
const WRONG: readonly [path: string, input: object, said: RegExp][] = [
  ['clock', { advance_seconds: 1e300 }, /^advance_seconds must be a number from /],
  ['clock', { advance_seconds: 3e9 }, /^advance_seconds must leave the clock between 2000-01-01 and 2050-12-31/],
  ['clock', { advance_seconds: '60' }, /^advance_seconds must be a number/],
  ['clock', { now: '+275000-01-01T00:00:00Z' }, /^now must be between 2000-01-01 and 2050-12-31/],
  ['clock', { now: 'mañana' }, /^now must be a date and time/],
  ['clock', {}, /advance_seconds, now or frozen/],
  ['settings', { verdict_delay_ms: -1 }, /^verdict_delay_ms must be a number from 0 to /],
  ['settings', { verdict_delay_ms: 0.5 }, /^verdict_delay_ms must be a whole number/],
  ['settings', { session_cap: 1e9 }, /^session_cap must be a number from 0 to 1000/],
  ['settings', { folio_cap: 0 }, /^folio_cap must be a number from 1 to /],
  ['settings', { open_registration: 'no' }, /^open_registration must be true or false/],
  ['settings', { verdict_delay: 5 }, /^There is no field verdict_delay: it takes open_registration, verdict_delay_ms/],
  ['reset', { all: true }, /^There is no field all: it takes none/],
  ['certificates', { ...person, name: LONG }, /^name must have at most 64 characters/],
  ['certificates', { ...person, password: LONG }, /^password must have at most 200 characters/],
  ['certificates', { rut: person.rut }, /^password is missing/],
  ['certificates', { ...person, email: LONG }, /^email must have at most 255 characters/],
  ['certificates', { ...person, private_key: 'none' }, /^private_key is not a PEM/],
  ['certificates', { ...person, not_before: '2026-02-01', not_after: '2026-01-01' }, /^not_after must be later/],
  ['certificates', { ...person, not_after: '9999-01-01' }, /^not_after must be between/],
  ['certificates', { ...person, rut: '12345678-0' }, /^rut is not a RUT/],
  ['certificates', { ...person, rut: LONG }, /^rut must have at most 20 characters/],
  ['taxpayers', { ...company, name: LONG }, /^name must have at most 100 characters/],
  ['taxpayers', { ...company, tipos: ['x'] }, /^tipos\[0\] must be a number from 1 to 999/],
  ['taxpayers', { ...company, tipos: Array(51).fill(33) }, /^tipos must hold at most 50/],
  ['taxpayers', { ...company, actecos: ['47610'] }, /^actecos\[0\] is written 476101/],
  ['taxpayers', { ...company, users: [{ rut: '1-1' }] }, /^users\[0\]\.rut is not a RUT/],
  ['taxpayers', { ...company, users: [{ ...person, permissions: [] }] }, /^There is no field users\[0\]\.password/],
  [
    'taxpayers',
    { ...company, resolutions: { produccion: { date: '2014-13-01' } } },
    /^resolutions\.produccion\.date is/,
  ],
  ['taxpayers', { ...company, resolutions: { produccion: 80 } }, /^resolutions\.produccion must be an object/],
  ['taxpayers', { ...company, clave: LONG }, /^clave must have at most 200 characters/],
  ['cafs', { ...company, tipo: 33, ambiente: 'otro' }, /^ambiente must be one of certificacion, produccion/],
  ['cafs', { ...company, tipo: 35, ambiente: 'produccion' }, /^tipo must be one of 33, 34/],
  ['cafs', { ...company, tipo: 33, ambiente: 'produccion', quantity: 1e7 }, /^quantity must be a number from 1 to /],
  ['scripts', { kind: 'rain' }, /^kind must be one of slow, down/],
  ['scripts', { kind: 'slow', ms: -5 }, /^ms must be a number from 0 to /],
  ['scripts', { kind: 'slow', ms: 3_600_001 }, /^ms must be at most 3600000/],
  ['scripts', { kind: 'http_status', status: 99_999 }, /^status must be a number from 0 to 599/],
  ['scripts', { kind: 'http_status', status: 7 }, /^status must be a number from 200 to 599/],
  ['scripts', { kind: 'html', times: 0 }, /^times must be a number from 1 to /],
  ['scripts', { kind: 'html', door: 'sead' }, /^door must be \*, a host of the SII, or one of seed, token/],
  ['scripts', { kind: 'html', match: LONG }, /^match must have at most 1000 characters/],
  [
    'scripts',
    { kind: 'refuse', finding: { code: LONG, glosa: 'x' } },
    /^finding\.code must have at most 40 characters/,
  ],
  ['scripts', { kind: 'refuse', folio: 1e10 }, /^folio must be a number from 1 to 9999999999/],
  ['f29', { ...company, period: '202613' }, /^period is written 202610/],
  ['f29', { ...company, period: '202610', estado: 2 }, /^estado must be one of 1, 12/],
  ['f29', { ...company, period: '202610', monto: -1 }, /^monto must be a number from 0 to /],
]

describe('a control body', () => {
  const world = useWorld()

  it('is refused with the field and its bound, and changes nothing', async () => {
    const before = await world.get('/control')
    for (const [path, input, said] of WRONG) {
      const headers = { 'Content-Type': 'application/json' }
      const { status, text } = await world.post(`/control/${path}`, JSON.stringify(input), headers)
      const named = `${path} ${JSON.stringify(input).slice(0, 80)}`
      expect([named, status]).toEqual([named, 400])
      expect(JSON.parse(Buffer.from(text, 'latin1').toString()).message).toMatch(said)
    }
    expect((await world.get('/control')).text).toBe(before.text)
    expect(world.simulator.clock.now()).toBe(NOON)
  })

  it('cannot pile up scripts without end', async () => {
    const script = { kind: 'html', match: 'never' }
    for (let at = 0; at < 500; at++) world.simulator.scripts.add({ ...none, ...script, kind: 'html' })
    expect(await world.control('POST', '/control/scripts', script)).toMatchObject({ error: 'invalid' })
  })

  it('cannot ask for folios beyond the last one that has ten digits', async () => {
    const { state } = world.simulator
    const kept = { ambiente: 'produccion' as const, emisor: company.rut, tipo: 34, fecha: '2026-10-05', xml: '' }
    state.cafs.put('produccion:76543210-3:034:9999999990', {
      ...kept,
      desde: 9_999_999_990,
      hasta: 9_999_999_995,
      requested_by: 'control',
    })
    const order = { ...company, tipo: 34, ambiente: 'produccion', quantity: 5 }
    expect(await world.control('POST', '/control/cafs', order)).toMatchObject({
      message: expect.stringMatching(/^quantity: folios end at /),
    })
  })
})

const none = { door: '*', times: null, match: null, ms: null, status: null, finding: null, folio: null }
