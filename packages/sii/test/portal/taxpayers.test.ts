import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Identity, SiiFailure } from '../../src/index.ts'
import { newPerson } from '../support/person.ts'
import { loggedIn, page } from '../support/portal.ts'
import { openScriptedSii, openTestClient, type ScriptedSii } from '../support/scripted-sii.ts'

let sii: ScriptedSii
let identity: Identity

beforeAll(async () => {
  sii = await openScriptedSii()
  identity = newPerson()
})
afterAll(() => sii.close())
beforeEach(() => {
  sii.heard.length = 0
  sii.on('/CAutInicio.cgi', loggedIn())
})

const failureOf = (promise: Promise<unknown>) =>
  promise.then(
    () => expect.unreachable('it should have failed'),
    (failure: SiiFailure) => failure,
  )
const question = () => ({
  user: { kind: 'certificate' as const, identity },
  ambiente: 'certificacion' as const,
  rut: '76543210-3',
})
const row = (...cells: string[]) => `<tr>${cells.map((cell) => `<td><font face=Arial>${cell}</font>`).join('')}`

describe('the public page of an emitter', () => {
  const TIPOS = `<table>${row('C&oacute;digo', 'Documento', 'Autorizado', 'Desautorizado')}
    ${row('33', 'FACTURA ELECTRONICA', '22-08-2014', '')}${row('39', 'BOLETA', '01-01-2021', '01-06-2025')}</table>`

  it('gives name, resolution and authorised tipos, asked without a login', async () => {
    const labels = row('Rut', '76.543.210-3') + row('Nombres', '&Ntilde;AND&Uacute; LTDA')
    const pair = row('N&deg; Resoluci&oacute;n', '80') + row('Fecha Resoluci\u00f3n', '22-08-2014')
    sii.on('/ee_empresa_rut', page(`<table>${labels}${pair}</table>Documentos autorizados${TIPOS}`))
    const { client } = openTestClient(sii)
    expect(await client.taxpayers.authorisation({ rut: '76543210-3', ambiente: 'certificacion' })).toEqual({
      name: 'ÑANDÚ LTDA',
      resolucion: { numero: 80, fecha: '2014-08-22' },
      tipos: [
        { tipo: 33, name: 'FACTURA ELECTRONICA', since: '2014-08-22', until: null },
        { tipo: 39, name: 'BOLETA', since: '2021-01-01', until: '2025-06-01' },
      ],
    })
    expect(sii.heard).toMatchObject([{ body: 'CNSLT=R&RUT_EMP=76543210&DV_EMP=3&ACEPTAR=Consultar' }])
    await client.close()
  })

  it('says nothing of whoever may not issue, and raises the alarm when it lost the pair', async () => {
    sii.on(
      '/ee_empresa_rut',
      page('El contribuyente no se encuentra autorizado para emitir documentos'),
      page(`<table>${row('Nombres', 'X')}${row('N° Resolución', '80')}</table>`),
    )
    const { client } = openTestClient(sii)
    const asked = { rut: '76543210-3', ambiente: 'produccion' as const }
    expect(await client.taxpayers.authorisation(asked)).toBeNull()
    expect(await failureOf(client.taxpayers.authorisation(asked))).toMatchObject({ drift: 'fecha of the resolucion' })
    await client.close()
  })
})

describe('the pages of a company', () => {
  it('give its software, its resolution and its contact', async () => {
    const rows = row('Nombre del Software (*)', '&nbsp;TIMBRE') + row('Resoluci&oacute;n', '0')
    sii.on('/ad_empresa2', page(`<table>${rows}${row('Mail Contacto SII', 'dte@nandu.cl')}</table>`), page('Otra'))
    const { client } = openTestClient(sii)
    expect(await client.taxpayers.registration(question())).toEqual({
      ...{ software: 'TIMBRE', resolucion_numero: 0, resolucion_fecha: null, contact_mail: 'dte@nandu.cl' },
    })
    expect(await failureOf(client.taxpayers.registration(question()))).toMatchObject({ drift: 'Nombre del Software' })
    await client.close()
  })

  it('give its exchange mailbox, or none', async () => {
    const list = `<table>${row('RUT', 'Razón Social', 'Mail Intercambio')}${row('76543210-3', 'X', 'DTE@nandu.cl')}</table>`
    sii.on(
      '/ce_consulta_e',
      page(list),
      page(`<table>${row('Correo de Intercambio', 'a@b.cl')}</table>`),
      page('No registra información'),
      page('?'),
    )
    const { client } = openTestClient(sii)
    expect(await client.taxpayers.exchangeMailbox(question())).toBe('dte@nandu.cl')
    expect(await client.taxpayers.exchangeMailbox(question())).toBe('a@b.cl')
    expect(await client.taxpayers.exchangeMailbox(question())).toBeNull()
    expect(await failureOf(client.taxpayers.exchangeMailbox(question()))).toMatchObject({ drift: 'Mail Intercambio' })
    await client.close()
  })
})
