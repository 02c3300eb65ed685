import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openCertifying } from '../../../../test/support/certifying.ts'
import { type LiveWorld, openLiveWorld } from '../../../../test/support/live-world.ts'
import type { Sii } from '../../../ports/sii.ts'

const DAY = 86_400

/** Every act at the SII is done, and the process that asked for it dies before it learns the answer: once for each. */
const died: string[] = []
function dyingOnce<Face extends object>(name: string, face: Face): Face {
  return new Proxy(face, {
    get(target, key) {
      const value = Reflect.get(target, key)
      const act = `${name}.${String(key)}`
      if (typeof value === 'object' && value !== null) return dyingOnce(act, value)
      if (typeof value !== 'function') return value
      return async (...args: unknown[]) => {
        const answer = await value.apply(target, args)
        const [{ file_name = '', tipo_dte = '' } = {}] = args as [{ file_name?: string; tipo_dte?: number }?]
        const once = `${act} ${file_name}${tipo_dte}`.trim()
        if (died.includes(once)) return answer
        died.push(once)
        throw new Error(`killed after ${once}`)
      }
    },
  })
}

const dying = (sii: Sii): Sii => {
  const { certification } = sii
  if (!certification) throw new Error('nobody certifies here')
  const requestCaf: Sii['requestCaf'] = dyingOnce('sii', { requestCaf: sii.requestCaf }).requestCaf
  return { ...sii, requestCaf, certification: dyingOnce('certification', certification) }
}

let live: LiveWorld
beforeAll(async () => {
  live = await openLiveWorld({ sii: dying })
})
afterAll(() => live.close())

describe('a certification whose process dies after every act at the SII', () => {
  it('goes on where it was, and sends nothing twice', async () => {
    const empresa = await openCertifying(live, { doc_types: [33, 34, 56, 61] })
    await empresa.approve('sii_postulacion', 'representante_legal')
    await live.advance(4 * DAY)
    expect(await empresa.onboarding()).toMatchObject({ blocked_on: 'muestras_impresas' })
    const { files: all } = await empresa.certification()
    const files = all.filter(({ track_id }: { track_id: string | null }) => track_id !== null)
    const answered = all.filter(
      ({ step, state }: Record<string, unknown>) => step === 'intercambio' && state === 'approved',
    )
    expect(answered).toHaveLength(3)
    for (const file of files) expect(file).toMatchObject({ state: 'approved', attempt: 1 })
    const uploads = await live.simulator.uploadsOf(empresa.rut)
    expect(uploads).toHaveLength(files.length)
    expect(new Set(uploads.map(({ track_id }) => track_id))).toEqual(
      new Set(files.map(({ track_id }: { track_id: string }) => track_id)),
    )
    expect(died).toEqual(
      expect.arrayContaining([
        'certification.postulate',
        'certification.requestSet',
        'sii.requestCaf 33',
        'certification.declare',
        'certification.goOn',
        'certification.exchangeEnvelope',
        'certification.answerExchange',
        ...files.map(({ file_name }: { file_name: string }) => `certification.upload ${file_name}`),
      ]),
    )
  })
})
