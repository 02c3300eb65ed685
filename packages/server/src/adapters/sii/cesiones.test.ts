import type { Signer } from '@timbre/dte'
import { type Identity, type SiiClient, SiiFailure } from '@timbre/sii'
import { describe, expect, it } from 'vitest'
import { SiiUnreachable } from '../../ports/sii.ts'
import { liveCesiones } from './cesiones.ts'

const identity = { rut: '12345678-5', fingerprint: 'f', signer: { holder: 'Ana Soto' } as Signer } as Identity
const empresa = { account_id: 'a', mode: 'live', empresa_id: 'e', rut: '76192083-9' } as const
const at = new Date('2026-11-16T12:00:00Z')
const document = {
  ...{ id: 'doc_1', tipo_dte: 33, folio: 7, receptor_rut: '77123456-9', issue_date: '2026-11-16', total: 1190 },
} as const
const question = { empresa, document, sent_at: at, cesionario_rut: '78901234-2', at }
const order = { ...question, aec: Buffer.from('<AEC/>'), notify_email: 'a@b.cl' }
const upload = async () => ({ track_id: '0000038936', duplicate: false, received_at: null })

function failing(operation: string, facts: ConstructorParameters<typeof SiiFailure>[1]) {
  return async (): Promise<never> => {
    throw new SiiFailure({ service: 'dte', operation, ambiente: 'produccion' }, facts)
  }
}

/** The adapter over a register that says of the document whether it is ceded, and does the rest as it is given. */
function register(ceded: boolean, acts: Partial<SiiClient['cesion']> = {}) {
  const documentStatus = async () => ({ ceded, estado: ceded ? '0' : '2', glosa: null, details: {} })
  // What the SII answers about a company that the person does not act for.
  const documentStatusFor = failing('getEstCesionRelac', { kind: 'refused', retry: 'minutes', estado: '10' })
  const client = { cesion: { documentStatus, documentStatusFor, ...acts } } as unknown as SiiClient
  return liveCesiones({
    client,
    ambiente: 'produccion',
    identityOf: async () => identity,
    tellProven: async () => undefined,
    sfgCredentialOf: async () => null,
  })
}

describe('a cesión at the register', () => {
  it('whose answer was lost is looked for by its document: about the cesionario only its own people may ask', async () => {
    expect(await register(true).findCesion(question)).toEqual({ track_id: null })
    expect(await register(false).findCesion(question)).toBeNull()
    expect(await register(true).cesionStateOf({ ...question, track_id: null })).toMatchObject({ estado: 'EOK' })
  })

  it('of a document that is ceded already is not sent', async () => {
    const { cede } = register(true, { upload: failing('RTCAnotEnvio', { kind: 'unreachable', retry: 'later' }) })
    expect(await cede(order)).toMatchObject({ refused: { code: 'document_not_cedible' } })
  })

  it('that the register would not take is refused with the reason, and not tried for ever', async () => {
    const facts = {
      kind: 'refused',
      retry: 'never',
      estado: '1',
      glosa: 'Sin permiso en la empresa',
      sent: false,
    } as const
    const { cede } = register(false, { upload: failing('RTCAnotEnvio', facts) })
    expect(await cede(order)).toEqual({
      refused: { code: 'sender_not_authorized', message: expect.stringContaining('Sin permiso en la empresa') },
    })
  })

  it('that could not be sent is tried again, also where the SII gave no token', async () => {
    const away = register(false, { upload: failing('RTCAnotEnvio', { kind: 'unreachable', retry: 'later' }) })
    await expect(away.cede(order)).rejects.toThrow(SiiUnreachable)
    const no_token = failing('getToken', { kind: 'refused', retry: 'never', estado: '12', sent: false })
    await expect(register(false, { upload: no_token }).cede(order)).rejects.toThrow(SiiUnreachable)
    expect(await register(false, { upload }).cede(order)).toMatchObject({ track_id: '0000038936' })
  })

  it.each([
    [true, 'EOK'],
    [false, 'RCS'],
  ])('whose file was refused is registered where the document is ceded: %s', async (ceded, estado) => {
    const envelopeStatus = async (_: unknown, track_id: string) =>
      ({ track_id, estado: 'RCS', glosa: 'Cesión inválida', known: true, outcome: 'rejected' }) as const
    const { cesionStateOf } = register(ceded, { envelopeStatus })
    expect(await cesionStateOf({ ...question, track_id: '38936' })).toMatchObject({ estado })
  })

  it.each([
    [true, { estado: 'EOK', is_unknown: false }],
    [false, { estado: '2', glosa: 'Documento No Cedido', is_unknown: true }],
  ])(
    'whose file the register no longer knows is what it says of the document, ceded or not: %s',
    async (ceded, state) => {
      const envelopeStatus = failing('getEstEnvio', { kind: 'refused', retry: 'later', estado: '2', glosa: 'No hay' })
      const documentStatus = async () => ({
        ceded,
        estado: ceded ? '0' : '2',
        glosa: ceded ? 'Documento Cedido' : 'Documento No Cedido',
        details: {},
      })
      const { cesionStateOf } = register(ceded, { envelopeStatus, documentStatus })
      expect(await cesionStateOf({ ...question, track_id: '38936' })).toMatchObject(state)
      const away = failing('getEstEnvio', { kind: 'unreachable', retry: 'later', estado: '7' })
      const asked = register(ceded, { envelopeStatus: away }).cesionStateOf({ ...question, track_id: '38936' })
      await expect(asked).rejects.toThrow(SiiUnreachable)
    },
  )
})
