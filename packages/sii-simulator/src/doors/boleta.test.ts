import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { AGENT, openPaper, type Paper, uploadForm } from '../../test/support/paper.ts'
import { hasSamples, sample } from '../../test/support/samples.ts'
import { NOON, useWorld } from '../../test/support/world.ts'

const UPLOAD = 'pangal.sii.cl/recursos/v1/boleta.electronica.envio'
const API = '/apicert.sii.cl/recursos/v1'

describe('the boleta channel', () => {
  const world = useWorld()
  let paper: Paper
  let file: Buffer
  let token: string

  const headers = () => ({ Cookie: `TOKEN=${token}`, 'User-Agent': AGENT, Accept: 'application/json' })
  const send = (changes: Record<string, string> = {}, to = `/${UPLOAD}`) =>
    world.post(to, uploadForm(file, {}, 'EnvioBOLETA.xml'), { ...headers(), ...changes })
  const uploaded = async () => String(JSON.parse((await send()).text).trackid)
  const envelope = async (track: string) =>
    JSON.parse((await world.get(`${API}/boleta.electronica.envio/76543210-3-${track}`, headers())).text)
  const document = (folio: number, monto: number) =>
    world.get(
      `${API}/boleta.electronica/76543210-3-39-${folio}/estado?rut_receptor=66666666&dv_receptor=6&monto=${monto}&fechaEmision=05-10-2026`,
      headers(),
    )

  beforeAll(async () => {
    paper = await openPaper(world)
    file = await paper.envelope(paper.dte(39, 1), paper.dte(39, 2))
  })
  beforeEach(async () => {
    world.time.now = NOON
    world.simulator.state.reset()
    paper.giveAgain()
    token = await world.token('boleta')
  })

  it('takes an envelope and tells each folio that it refuses', async () => {
    await world.control('POST', '/control/scripts', {
      door: 'boleta_upload',
      kind: 'refuse',
      folio: 2,
      times: 1,
      finding: { code: 'DTE-3-505', glosa: 'Firma DTE Incorrecta' },
    })
    const track = await uploaded()
    expect(track).toMatch(/^\d{15}$/)
    expect(await envelope(track)).toMatchObject({ estado: 'REC', estadistica: [], detalle_rep_rech: null })
    world.time.now += 5_000
    expect(await envelope(track)).toMatchObject({
      estado: 'EPR',
      estadistica: [{ tipo: 39, informados: 2, aceptados: 1, rechazados: 1, reparos: 0 }],
      detalle_rep_rech: [{ tipo: 39, folio: 2, estado: 'RCH', error: [{ seccion: 'DTE', nivel: 3, codigo: 505 }] }],
    })
    expect(JSON.parse((await document(1, 5000)).text)).toMatchObject({ codigo: 'DOK' })
    expect(JSON.parse((await document(1, 4999)).text)).toMatchObject({ codigo: 'DNK' })
    expect(world.simulator.state.mails.count()).toBe(0)
  })

  it('refuses the way that the SII was seen to', async () => {
    expect(await send({ Cookie: '' })).toMatchObject({ status: 400, text: 'No trae TOKEN' })
    expect(await send({ 'User-Agent': 'curl/8' })).toMatchObject({ status: 401 })
    expect(await send({ Cookie: `TOKEN=${await world.token('dte')}` })).toMatchObject({ status: 401 })
    const wrongHost = await send({}, `/api${UPLOAD.replace('pangal', 'cert')}`)
    expect(wrongHost.status).toBe(500)
    expect(wrongHost.text).toContain('Acceso Denegado')
    expect((await world.get(`${API}/boleta.electronica.envio/76543210-3-1`, headers())).status).toBe(404)
  })

  it('ends the same bytes, sent twice, as a repeated envelope', async () => {
    const [first, second] = [await uploaded(), await uploaded()]
    expect(second).not.toBe(first)
    world.time.now += 5_000
    expect((await envelope(first)).estado).toBe('EPR')
    expect((await envelope(second)).estado).toBe('RPT')
  })

  it.skipIf(!hasSamples)('answers in the shape of the samples', async () => {
    const keys = (value: unknown): unknown =>
      Array.isArray(value)
        ? value.slice(0, 1).map(keys)
        : value !== null && typeof value === 'object'
          ? Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, keys(inner)]))
          : typeof value
    const like = (name: string) => keys(JSON.parse(sample(`responses/${name}`)))
    await world.control('POST', '/control/scripts', { door: 'boleta_upload', kind: 'refuse', folio: 2, times: 1 })
    const answer = JSON.parse((await send()).text)
    expect(keys(answer)).toEqual(like('boleta-envio-REC.json'))
    expect(keys(await envelope(answer.trackid))).toEqual(like('boleta-envio-estado-REC.json'))
    world.time.now += 5_000
    expect(keys(await envelope(answer.trackid))).toEqual(like('boleta-envio-estado-EPR.json'))
    expect(JSON.parse((await document(1, 5000)).text)).toEqual(
      JSON.parse(sample('responses/boleta-documento-estado-DOK.json')),
    )
  })
})
