import { X509Certificate } from 'node:crypto'
import { cedeDte, createSigner } from '@timbre/dte'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { plant } from './support/documents.ts'
import { AGENT, EMISOR, openPaper, RECEPTOR } from './support/paper.ts'
import { hasSamples, sample } from './support/samples.ts'
import { inside, NOON, shapeOf, useWorld } from './support/world.ts'

const UPLOAD = '/maullin.sii.cl/cgi_rtc/RTC/RTCAnotEnvio.cgi'
const STATUS = '/maullin.sii.cl/DTEWS/services/wsRPETCConsulta'
const FACTORING = { rut: '78901234-2', legal_name: 'Factoring S.A.', street: 'Calle 2', email: 'f@example.cl' }
const DOCUMENT = ['76543210', '3', '33', '1']

const world = useWorld()
let token: string
let dte: string
let aec: Buffer

beforeAll(async () => {
  dte = (await openPaper(world)).dte(33, 1)
  const made = await cedeDte(
    {
      dte,
      cedente: { rut: EMISOR, legal_name: 'Comercial SpA', street: 'Calle 1', email: 'c@example.cl' },
      authorised: { rut: world.person.rut, name: 'María Soto' },
      cesionario: FACTORING,
      amount: 5950,
      last_due_date: '2026-11-30',
      tmst_firma: '2026-10-05T11:55:00',
    },
    createSigner(world.person.key, new X509Certificate(world.person.certificate)),
  )
  if (!made.ok) throw new Error(made.refusal.message)
  aec = Buffer.from(made.value, 'latin1')
})

beforeEach(async () => {
  world.simulator.state.reset()
  world.time.now = NOON
  token = await world.token()
  const signature_value = /<SignatureValue>([^<]*)</.exec(dte)?.[1]?.replace(/\s/g, '') ?? ''
  plant(world, {
    ambiente: 'certificacion',
    emisor: EMISOR,
    receptor: RECEPTOR,
    folio: 1,
    monto: 5950,
    signature_value,
  })
})

async function upload(file: Buffer, changes: Record<string, string> = {}, cookie = token): Promise<string> {
  const form = new FormData()
  const fields = { emailNotif: 'aviso@example.cl', rutCompany: '76543210', dvCompany: '3', ...changes }
  for (const [name, value] of Object.entries(fields)) form.append(name, value)
  form.append('archivo', new Blob([file], { type: 'text/xml' }), 'AEC.xml')
  return (await world.post(UPLOAD, form, { Cookie: `TOKEN=${cookie}`, 'User-Agent': AGENT })).text
}

const envelope = async (track: string) => world.soap(STATUS, 'getEstEnvio', [token, track])
const verdict = async (file: Buffer) => {
  const track = inside(await upload(file), 'TRACKID')
  world.time.now += 3_000
  return inside(await envelope(track), 'ESTADO_ENVIO')
}

describe('the register of cesiones', () => {
  it('annotates a good file after a while, tells it and writes to whoever asked', async () => {
    const track = inside(await upload(aec), 'TRACKID')
    expect(track).toMatch(/^0\d{9}$/)
    expect(inside(await envelope(track), 'ESTADO_ENVIO')).toBe('UPL')
    expect(await world.soap(STATUS, 'getEstCesion', [token, ...DOCUMENT])).toContain('<SII:ESTADO>2</SII:ESTADO>')
    world.time.now += 3_000
    expect(inside(await envelope(track), 'ESTADO_ENVIO')).toBe('EOK')
    expect(await world.soap(STATUS, 'getEstCesion', [token, ...DOCUMENT])).toContain('Documento Cedido')
    expect(world.simulator.state.mails.values().at(-1)?.to).toBe('aviso@example.cl')
  })

  it('annotates a cesión once: the second time the emisor holds nothing', async () => {
    expect(await verdict(aec)).toBe('EOK')
    expect(await verdict(aec)).toBe('RCS')
  })

  it('refuses a document that it does not have, and a file whose signature is not over it', async () => {
    expect(
      await verdict(Buffer.from(aec.toString('latin1').replace('<MontoCesion>5950', '<MontoCesion>5000'), 'latin1')),
    ).toBe('RFS')
    world.simulator.state.documents.clear()
    expect(await verdict(aec)).toBe('RDC')
  })

  it('tells a company only of documents that it has to do with', async () => {
    await verdict(aec)
    const related = async (rut: string, digit: string) =>
      inside(
        (await world.soap(STATUS, 'getEstCesionRelac', [token, ...DOCUMENT, rut, digit])).replaceAll('SII:', ''),
        'ESTADO',
      )
    expect(await related('78901234', '2')).toBe('0')
    expect(await related('96790240', '3')).toBe('-15')
  })

  it('tells by its status what is wrong with an upload', async () => {
    const status = async (...args: Parameters<typeof upload>) => inside(await upload(...args), 'STATUS')
    expect(await status(aec, {}, 'nadie')).toBe('5')
    expect(await status(aec, { emailNotif: '' })).toBe('4')
    expect(await status(Buffer.from('<AEC/>'))).toBe('2')
    await world.control('POST', '/control/taxpayers', { rut: EMISOR, users: [] })
    expect(await status(aec)).toBe('1')
    await world.control('POST', '/control/taxpayers', { rut: EMISOR, authorised: false })
    expect(await status(aec)).toBe('6')
  })

  it.skipIf(!hasSamples)('has the shape of every sample', async () => {
    const ok = await upload(aec)
    expect(shapeOf(ok)).toEqual(shapeOf(sample('responses/aec-upload-ok.xml')))
    expect(shapeOf(await upload(aec, {}, 'nadie'))).toEqual(shapeOf(sample('responses/aec-upload-status5.xml')))
    world.time.now += 3_000
    const inner = (name: string) =>
      shapeOf(sample(`responses/${name}`).replaceAll('&lt;', '<').replaceAll('&gt;', '>')).slice(4)
    expect(shapeOf(await envelope(inside(ok, 'TRACKID')))).toEqual(inner('rtc-getEstEnvio-EOK.soap.xml'))
    expect(shapeOf(await world.soap(STATUS, 'getEstCesion', [token, ...DOCUMENT]))).toEqual(
      inner('rtc-getEstCesion-cedido.soap.xml'),
    )
  })
})
