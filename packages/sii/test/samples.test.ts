import { readdirSync } from 'node:fs'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { type Identity, outcomeForTipo, type SiiClient } from '../src/index.ts'
import { boletaSeed, boletaToken, seed, token } from './support/answers.ts'
import { newPerson } from './support/person.ts'
import { openScriptedSii, openTestClient, type ScriptedSii } from './support/scripted-sii.ts'
import { describeWithSamples, readSample, samplePath } from './support/shared.ts'

type Ask = (client: SiiClient, identity: Identity) => Promise<unknown>

const company_rut = '76543210-3'
const question = {
  emisor_rut: company_rut,
  receptor_rut: '60803000-K',
  tipo_dte: 33,
  folio: 60,
  issue_date: '2026-10-05',
  total: 119000,
}
const file = { company_rut, file_name: 'EnvioDTE.xml', bytes: Buffer.from('<EnvioDTE/>') }
const as = (identity: Identity) => ({ identity, ambiente: 'certificacion' as const })

const ask = {
  token: ['/GetTokenFromSeed.jws', (client, me) => client.withDteToken(as(me), async (given) => given)],
  upload: ['/DTEUpload', (client, me) => client.dte.upload(as(me), file)],
  up: ['/QueryEstUp.jws', (client, me) => client.dte.envelopeStatus(as(me), { company_rut, track_id: '0260003916' })],
  dte: ['/QueryEstDte.jws', (client, me) => client.dte.documentStatus(as(me), question)],
  aec: ['/RTCAnotEnvio.cgi', (client, me) => client.cesion.upload(as(me), { ...file, notify_email: 'a@b.cl' })],
  rtc_up: ['/wsRPETCConsulta', (client, me) => client.cesion.envelopeStatus(as(me), '36322')],
  rtc: ['/wsRPETCConsulta', (client, me) => client.cesion.documentStatus(as(me), question)],
  boleta: ['/boleta.electronica.envio', (client, me) => client.boleta.upload(as(me), file)],
  boleta_token: [
    '/boleta.electronica.token',
    (client, me) => client.boleta.documentStatus(as(me), question).then(() => 'given'),
  ],
  boleta_up: [
    '/76543210-3-1014',
    (client, me) => client.boleta.envelopeStatus(as(me), { company_rut, track_id: '1014' }),
  ],
  boleta_dte: ['/estado', (client, me) => client.boleta.documentStatus(as(me), { ...question, tipo_dte: 39 })],
  cedible: ['/registroreclamodteservice', (client, me) => client.claims.cedibility(as(me), question)],
  received: ['/registroreclamodteservice', (client, me) => client.claims.receivedAt(as(me), question)],
  claim: ['/registroreclamodteservice', (client, me) => client.claims.register(as(me), question, 'ERM')],
  events: ['/registroreclamodteservice', (client, me) => client.claims.events(as(me), question)],
} satisfies Record<string, readonly [string, Ask]>

const refused = (estado: string, more: object) => ({ kind: 'refused', estado, ...more })

/** Every sample of the services asked here, and what it must be read as. A sample that is added must be added here. */
const SAMPLES: Readonly<Record<string, readonly [keyof typeof ask, unknown] | 'of another half'>> = {
  'CrSeed-ok.soap.xml': ['token', 'XAuSbYXiNh9Ik'],
  'GetTokenFromSeed-ok.soap.xml': ['token', 'XAuSbYXiNh9Ik'],
  'GetTokenFromSeed-error08-seed-timeout.soap.xml': ['token', refused('08', { retry: 'later' })],
  'GetTokenFromSeed-error10.soap.xml': ['token', refused('10', { retry: 'never' })],
  'DTEUpload-ok.xml': [
    'upload',
    { track_id: '0260003916', duplicate: false, received_at: new Date('2026-10-05T15:06:44Z') },
  ],
  'DTEUpload-status99-duplicate.xml': ['upload', { track_id: '0260003916', duplicate: true }],
  'DTEUpload-status5.xml': ['upload', refused('5', { token_refused: true, sent: false })],
  'DTEUpload-status7-schema.xml': [
    'upload',
    refused('7', { retry: 'never', glosa: expect.stringMatching(/^LSX-00265[\s\S]*\nLSX-00213/) }),
  ],
  'DTEUpload-no-session.html': [
    'upload',
    { kind: 'unreachable', token_refused: true, sent: false, glosa: 'Error 501' },
  ],
  'QueryEstUp-EPR-accepted.soap.xml': ['up', { outcome: 'accepted', processed: true, glosa: 'Envio Procesado' }],
  'QueryEstUp-EPR-all-rejected.soap.xml': [
    'up',
    {
      outcome: 'rejected',
      by_tipo: [
        { tipo_dte: 33, informed: 4, accepted: 0, rejected: 4, reparos: 0, outcome: 'rejected' },
        { tipo_dte: 56, informed: 1, accepted: 0, rejected: 1, reparos: 0, outcome: 'rejected' },
        { tipo_dte: 61, informed: 3, accepted: 0, rejected: 3, reparos: 0, outcome: 'rejected' },
      ],
    },
  ],
  'QueryEstUp-EPR-mixed.soap.xml': ['up', { outcome: 'mixed', processed: true, documents: null }],
  'QueryEstUp-RCT.soap.xml': ['up', { outcome: 'rejected', estado: 'RCT', processed: true, by_tipo: [] }],
  'QueryEstUp-token-no-existe.soap.xml': ['up', refused('001', { token_refused: true, glosa: 'TOKEN NO EXISTE' })],
  'QueryEstDte-DOK.soap.xml': ['dte', { estado: 'DOK', state: 'matches', held: true }],
  'QueryEstDte-FAU.soap.xml': ['dte', { state: 'absent', held: false, glosa: 'Documento No Recibido por el SII' }],
  'QueryEstDte-ANC.soap.xml': ['dte', { state: 'annulled', held: true, attention: '532 ( 2004/06/14 16:44:20)' }],
  'aec-upload-ok.xml': [
    'aec',
    { track_id: '0000038936', duplicate: false, received_at: new Date('2026-10-20T13:02:13Z') },
  ],
  'aec-upload-status5.xml': ['aec', refused('5', { token_refused: true })],
  'rtc-getEstEnvio-EOK.soap.xml': ['rtc_up', { estado: 'EOK', outcome: 'accepted', known: true }],
  'rtc-getEstCesion-cedido.soap.xml': ['rtc', { ceded: true, glosa: 'Documento Cedido' }],
  'boleta-semilla.xml': ['boleta_token', 'given'],
  'boleta-token.xml': ['boleta_token', 'given'],
  'boleta-envio-REC.json': [
    'boleta',
    { track_id: '100000000001014', duplicate: false, received_at: new Date('2026-10-05T15:05:20Z') },
  ],
  'boleta-envio-estado-REC.json': ['boleta_up', { estado: 'REC', outcome: 'pending', processed: false, documents: [] }],
  'boleta-envio-estado-EPR.json': [
    'boleta_up',
    {
      outcome: 'mixed',
      received_at: new Date('2020-07-30T11:57:42Z'),
      by_tipo: [
        { tipo_dte: 39, outcome: 'mixed' },
        { tipo_dte: 41, outcome: 'reparo' },
      ],
      documents: [
        { tipo_dte: 39, folio: 1202, outcome: 'rejected', findings: [{ code: 'CRT-3-11' }, { code: 'HED-3-100' }] },
        { tipo_dte: 41, folio: 3500, outcome: 'reparo', findings: [{ code: 'DET-1-200' }] },
      ],
    },
  ],
  'boleta-documento-estado-DOK.json': ['boleta_dte', { estado: 'DOK', state: 'matches', held: true }],
  'reclamo-cedible-25.soap.xml': ['cedible', { code: 25, cedible: true }],
  'reclamo-fecha-recepcion.soap.xml': ['received', new Date('2026-10-05T15:06:50Z')],
  'reclamo-ingresar-ok.soap.xml': ['claim', { code: 0, registered: true }],
  'reclamo-ingresar-7-ya-registrado.soap.xml': ['claim', { code: 7, registered: true }],
  'reclamo-ingresar-8-plazo.soap.xml': ['claim', { code: 8, registered: false }],
  'reclamo-listar-15.soap.xml': [
    'events',
    { known: true, events: [{ code: 'ERM', person_rut: '12345678-5', at: new Date('2026-10-06T12:12:03Z') }] },
  ],
  'reclamo-listar-16.soap.xml': ['events', { code: 16, known: true, events: [] }],
  ...Object.fromEntries(
    ['estado', 'no-autorizado', 'propuesta'].map((name) => [`f29-${name}.json`, 'of another half' as const]),
  ),
  ...Object.fromEntries(
    ['getDetalleCompra', 'getDetalleCompraExport', 'getResumen-compra', 'getResumen-sin-movimientos'].map((name) => [
      `rcv-${name}.json`,
      'of another half' as const,
    ]),
  ),
}

/** Where a sample is the answer of another door than the one that is asked. */
const DOORS: Readonly<Record<string, string>> = {
  'CrSeed-ok.soap.xml': '/CrSeed.jws',
  'boleta-semilla.xml': '/boleta.electronica.semilla',
}

describeWithSamples('a recorded answer of the SII', () => {
  let sii: ScriptedSii
  let identity: Identity

  beforeAll(async () => {
    sii = await openScriptedSii()
    identity = newPerson()
  })
  afterAll(() => sii.close())
  beforeEach(() => {
    sii.on('/CrSeed.jws', seed())
    sii.on('/GetTokenFromSeed.jws', token())
    sii.on('/boleta.electronica.semilla', boletaSeed())
    sii.on('/boleta.electronica.token', boletaToken())
    sii.on('/estado', '{"codigo":"DOK","descripcion":"Documento Recibido"}')
  })

  it('is known here, each of them', () => {
    expect(readdirSync(samplePath('responses')).sort()).toEqual(Object.keys(SAMPLES).sort())
  })

  for (const [name, expected] of Object.entries(SAMPLES)) {
    if (expected === 'of another half') continue
    const [service, value] = expected
    it(`is read as it must be: ${name}`, async () => {
      const [door, put] = ask[service]
      sii.on(DOORS[name] ?? door, { body: readSample(`responses/${name}`) })
      const { client } = openTestClient(sii)
      const read = await (put as Ask)(client, identity).catch((failure) => failure)
      if (typeof value === 'string' || value instanceof Date) expect(read).toEqual(value)
      else expect(read).toMatchObject(value as object)
      await client.close()
    })
  }

  it('tells the documents of one tipo where its counters do, and only there', async () => {
    sii.on('/QueryEstUp.jws', { body: readSample('responses/QueryEstUp-EPR-mixed.soap.xml') })
    const { client } = openTestClient(sii)
    const status = await client.dte.envelopeStatus(as(identity), { company_rut, track_id: '0260003916' })
    expect([33, 56, 61, 34].map((tipo) => outcomeForTipo(status, tipo))).toEqual([
      'accepted',
      'accepted',
      'mixed',
      'mixed',
    ])
    await client.close()
  })
})
