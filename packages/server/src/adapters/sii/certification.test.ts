import { type CertificationService, type Identity, type SiiClient, SiiFailure } from '@timbre/sii'
import { describe, expect, it } from 'vitest'
import { SignerMissing, SiiUnreachable } from '../../ports/sii.ts'
import { liveCertification } from './certification.ts'

const identity = { rut: '12345678-5', fingerprint: 'f' } as Identity
const empresa = { account_id: 'a', mode: 'live', empresa_id: 'e', rut: '76192083-9' } as const
const place = { service: 'dte', operation: 'pe_avance3', ambiente: 'certificacion' } as const

type Facts = ConstructorParameters<typeof SiiFailure>[1]
const failing = (facts: Partial<Facts>) => () =>
  Promise.reject(new SiiFailure(place, { kind: 'refused', retry: 'never', sent: false, ...facts }))

/** The adapter over pages that do what is given. */
function certification(
  pages: Partial<CertificationService>,
  { who = identity, ...doors }: { who?: Identity | null; dte?: object; taxpayers?: object } = {},
) {
  const client = { certification: pages, ...doors } as unknown as SiiClient
  return liveCertification({ client, identityOf: async () => who })
}

describe('certification over the pages of the SII', () => {
  it('is asked for the RUT of the empresa in the session of the person in custody, and not without one', async () => {
    const asked: unknown[] = []
    const goOn = async (question: unknown) => {
      asked.push(question)
      return { moved: true, step: 'simulacion', sentence: 'ha pasado al paso' } as const
    }
    expect(await certification({ goOn }).goOn({ empresa, from: 'set_de_pruebas' })).toEqual({
      ...{ outcome: 'done', moved: true, step: 'simulacion', sentence: 'ha pasado al paso' },
    })
    const user = { kind: 'certificate', identity }
    expect(asked).toEqual([{ user, rut: '76192083-9', from: 'set_de_pruebas' }])
    await expect(certification({ goOn }, { who: null }).goOn({ empresa, from: 'set_de_pruebas' })).rejects.toThrow(
      SignerMissing,
    )
  })

  it('gives a refusal with its reason and the words of the SII, whether or not it may pass by itself', async () => {
    for (const [told, reason] of [
      [{ reason: 'no_permission' }, 'no_permission'],
      [{ reason: 'basic_set_not_approved', retry: 'later' }, 'basic_set_not_approved'],
      [{ reason: 'brand_new' }, 'other'],
      [{ reason: null }, 'other'],
    ] as const) {
      const pages = certification({ requestSet: failing({ ...told, glosa: 'No Tiene' }) })
      expect(await pages.requestSet({ empresa })).toEqual({ outcome: 'refused', reason, sentence: 'No Tiene' })
    }
  })

  it('is given to a person where the SII has no wire for it', async () => {
    const pages = certification({ submitSamples: failing({ reason: 'no_wire', glosa: 'a browser application' }) })
    expect(await pages.submitSamples({ empresa, samples: [] })).toEqual({
      ...{ outcome: 'operator', why: 'a browser application' },
    })
  })

  it('is not answered where the SII was away, spoke in unknown words, lost the session or asked for patience', async () => {
    for (const facts of [
      { kind: 'unreachable', retry: 'later' },
      { kind: 'not_understood', drift: 'table of sets', sent: true },
      { token_refused: true, retry: 'later' },
      { retry: 'minutes', estado: '9' },
    ] as const) {
      await expect(certification({ advance: failing(facts) }).advanceOf({ empresa })).rejects.toThrow(SiiUnreachable)
    }
  })

  it('stops a postulation that would cost the free portal, and tells what the SII warns of', async () => {
    const pages = certification({ postulate: async () => ({ postulated: false, warning: 'dejará de ser usuario' }) })
    const order = { empresa, tipos: [33, 39], accept_loss_of_sfg: false }
    expect(await pages.postulate(order)).toEqual({ outcome: 'loss_of_sfg', warning: 'dejará de ser usuario' })
    await expect(pages.postulate({ ...order, tipos: [33, 35] })).rejects.toThrow(TypeError)
  })

  it('tells which sets were taken and what was said of the others, without the fields of the page', async () => {
    const set = {
      label: 'SET BASICO',
      kind: 'basico',
      state: 'in_review',
      words: 'EN REVISION',
      track_id: '1',
    } as const
    const refused = [
      { kind: 'libro_ventas', reason: 'basic_set_not_approved', sentence: 'No Tiene un SET Basico Aprobado' } as const,
    ]
    const pages = certification({
      declare: async () => ({
        ...{ sets: [{ ...set, inputs: ['A', 'B'] }], step: 'set_de_pruebas', sentence: null },
        ...{ taken: ['basico'], refused },
      }),
    })
    expect(await pages.declare({ empresa, sets: [] })).toEqual({
      outcome: 'done',
      advance: { sets: [set], step: 'set_de_pruebas', sentence: null },
      taken: ['basico'],
      refused,
    })
  })

  it('uploads to the environment of certification and asks there what became of it', async () => {
    const callers: unknown[] = []
    const asked: unknown[] = []
    const dte = {
      upload: async (caller: unknown) => {
        callers.push(caller)
        return { track_id: '0123456789', duplicate: true }
      },
      envelopeStatus: async (caller: unknown, question: unknown) => {
        callers.push(caller)
        asked.push(question)
        return { outcome: 'accepted', estado: 'LOK', glosa: null, by_tipo: [] }
      },
    }
    const pages = certification({}, { dte })
    const file = { file_name: 'set.xml', file: new Uint8Array() }
    expect(await pages.upload({ empresa, ...file })).toEqual({ outcome: 'done', track_id: '0123456789' })
    expect(await pages.uploadStateOf({ empresa, track_id: '0123456789' })).toEqual({
      ...{ outcome: 'accepted', estado: 'LOK', glosa: null },
    })
    expect(callers).toEqual([1, 2].map(() => ({ identity, ambiente: 'certificacion' })))
    expect(asked).toEqual([{ company_rut: '76192083-9', track_id: '0123456789', may_count_nothing: true }])
  })

  it('tells a track id under which the SII finds nothing from an SII that is away', async () => {
    const facts = { estado: '-11', glosa: 'ERR_CODE 2', retry: 'later' } as const
    const state = (more: Partial<Facts>) =>
      certification({}, { dte: { envelopeStatus: failing({ ...facts, ...more }) } }).uploadStateOf({
        ...{ empresa, track_id: '1' },
      })
    expect(await state({ reason: 'envelope_not_found' })).toEqual({
      ...{ outcome: 'unknown', estado: '-11', glosa: 'ERR_CODE 2' },
    })
    await expect(state({ kind: 'unreachable' })).rejects.toThrow(SiiUnreachable)
  })

  it('reads the authorisation to try on the page of that environment, with what is authorised still', async () => {
    const asked: unknown[] = []
    const page = {
      ...{ name: 'Uno', resolucion: { numero: 0, fecha: '2026-11-03' } },
      tipos: [
        { tipo: 33, name: 'FACTURA', since: '2026-11-03', until: null },
        { tipo: 110, name: 'EXPORTACION', since: '2026-11-03', until: '2026-11-04' },
      ],
    }
    const answers: unknown[] = [page, null]
    const taxpayers = {
      authorisation: async (question: unknown) => {
        asked.push(question)
        return answers.shift()
      },
    }
    const pages = certification({}, { taxpayers, who: null })
    expect(await pages.resolucionOf({ empresa })).toEqual({ date: '2026-11-03', tipos: [33] })
    expect(await pages.resolucionOf({ empresa })).toBeNull()
    expect(asked).toEqual([1, 2].map(() => ({ rut: '76192083-9', ambiente: 'certificacion' })))
  })
})
