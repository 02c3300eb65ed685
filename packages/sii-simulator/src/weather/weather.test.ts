import { beforeEach, describe, expect, it } from 'vitest'
import { inside, useWorld } from '../../test/support/world.ts'
import { callerOf } from '../auth/tokens.ts'

const SEED = '/maullin.sii.cl/DTEWS/CrSeed.jws'

describe('scripts of weather', () => {
  const world = useWorld()
  const script = (input: object) => world.control('POST', '/control/scripts', { door: 'seed', times: 1, ...input })
  const seed = () => world.soap(SEED, 'getSeed')
  const cut = () => expect(seed()).rejects.toThrow()

  beforeEach(() => world.control('POST', '/control/reset', {}))

  it('touches the door, host or text that it names, as often as it was told', async () => {
    await script({ kind: 'html', times: 2 })
    expect((await world.get('/apicert.sii.cl/recursos/v1/boleta.electronica.semilla')).text).toContain('SEMILLA')
    expect(await seed()).toContain('<HTML>')
    expect(await seed()).toContain('<HTML>')
    expect(inside(await seed(), 'ESTADO')).toBe('00')
    await script({ kind: 'html', door: 'apicert.sii.cl' })
    expect((await world.get('/apicert.sii.cl/recursos/v1/boleta.electronica.semilla')).text).toContain('<HTML>')
    await script({ kind: 'html', match: 'never there' })
    expect(inside(await seed(), 'ESTADO')).toBe('00')
  })

  it('goes on until it is deleted where no number was told', async () => {
    await script({ kind: 'error_500_text', times: null })
    for (const _ of [1, 2, 3]) expect(await seed()).toBe('Error 500')
    await world.control('DELETE', '/control/scripts')
    expect(inside(await seed(), 'ESTADO')).toBe('00')
  })

  it('cuts the connection before the request is done, and after', async () => {
    for (const kind of ['down', 'lose_upload']) {
      await script({ kind })
      await cut()
      expect(world.simulator.state.seeds.count()).toBe(0)
    }
    await script({ kind: 'reset_before_answer' })
    await cut()
    expect(world.simulator.state.seeds.count()).toBe(1)
    await script({ kind: 'truncate' })
    await cut()
    expect(world.simulator.state.seeds.count()).toBe(2)
  })

  it('answers late, or with the status that it was told', async () => {
    await script({ kind: 'slow', ms: 20 })
    expect(inside(await seed(), 'ESTADO')).toBe('00')
    expect(world.simulator.calls.list()[0]).toMatchObject({ door: 'seed', scripts: ['slow'] })
    await script({ kind: 'http_status', status: 503 })
    expect((await world.post(SEED, '')).status).toBe(503)
  })

  it('forgets the tokens at once, or before the next calls', async () => {
    const isKnown = (token: string) => callerOf(world.simulator, token, 'dte', 'certificacion').ok
    const first = await world.token()
    await world.control('POST', '/control/scripts', { kind: 'expire_tokens' })
    expect(isKnown(first)).toBe(false)
    const second = await world.token()
    await script({ kind: 'expire_tokens', times: 1 })
    expect(isKnown(second)).toBe(true)
    await seed()
    expect(isKnown(second)).toBe(false)
  })

  it('refuses a script of no kind that it knows', async () => {
    expect(await script({ kind: 'rain' })).toMatchObject({ error: 'invalid' })
  })
})
