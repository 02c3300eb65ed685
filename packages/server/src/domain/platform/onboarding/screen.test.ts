import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openWorld, randomRut, type World } from '../../../../test/support/world.ts'
import { SCOPE_NAMES } from '../../../catalog/scopes.ts'
import { POINTS } from './rehearse.ts'
import type { Onboarding, PendingAction } from './schema.ts'

type Call = { readonly method: string; readonly url: string; readonly body: object | null }
interface Button {
  readonly label: string
  readonly call: Call
}

const MARKS: Readonly<Record<string, string>> = { completed: '✓', skipped: '–', failed: '!', pending: ' ' }

/** The buttons of a card: every call it names, whatever its step is. */
function buttonsOf(action: PendingAction): Button[] {
  return [
    ...(action.link ? [{ label: 'Pedir un enlace', call: action.link.mint }] : []),
    ...(action.approval ? [{ label: 'Autorizar', call: action.approval.approve }] : []),
    ...(action.verification ? [{ label: 'Ya está hecho', call: action.verification.recheck }] : []),
  ]
}

/** The screen of the guide: it knows the fields of a step, and not one key. */
function screen({ steps, progress, blocked_on, pending_action: card }: Onboarding): string[] {
  return [
    `${Math.round(progress * 100)} %`,
    ...(card
      ? [`# ${card.title}`, card.what, ...card.instructions, ...buttonsOf(card).map(({ label }) => `[${label}]`)]
      : []),
    ...steps.flatMap((step) => [
      `${step.key === blocked_on ? '>' : ' '}${MARKS[step.status] ?? '…'} ${step.label}`,
      ...(step.blocked_reason ? [`    ${step.blocked_reason.message}`] : []),
    ]),
  ]
}

/** The same onboarding in a year in which every step has another name, with one more in the middle and codes of tomorrow. */
function tomorrow(body: Onboarding): Onboarding {
  const renamed = (key: string) => `${key}_2030`
  const steps = body.steps.map((step) => ({
    ...step,
    key: renamed(step.key),
    ...(step.blocked_reason && { blocked_reason: { ...step.blocked_reason, code: 'code_of_tomorrow' } }),
  }))
  const added = {
    ...(steps[0] as (typeof steps)[number]),
    key: 'firma_avanzada',
    label: 'Firma avanzada',
    status: 'pending' as const,
  }
  return {
    ...body,
    blocked_on: body.blocked_on && renamed(body.blocked_on),
    steps: [...steps.slice(0, 2), added, ...steps.slice(2)],
    ...(body.pending_action && { pending_action: { ...body.pending_action, step: renamed(body.pending_action.step) } }),
  }
}

let world: World
let key: string
let id: string
beforeAll(async () => {
  world = await openWorld()
  key = await world.key(await world.account(), { scopes: SCOPE_NAMES })
  const body = { rut: randomRut(), legal_name: 'Viña Maule S.A.', doc_types: [33, 39, 61] }
  id = (await world.post('/v1/empresas', { key, body })).body.id
})
afterAll(() => world.close())

const rehearse = async (body: object): Promise<Onboarding> =>
  (await world.post(`/v1/test_helpers/empresas/${id}/onboarding`, { key, body })).body
const move = (body: object) => world.post(`/v1/test_helpers/empresas/${id}/onboarding/steps`, { key, body })
const read = async (): Promise<Onboarding> => (await world.get(`/v1/empresas/${id}/onboarding`, { key })).body

/** Makes the call of a button as it is given; the screen adds who decided, where a decision is asked for. */
function press({ call: { method, url, body } }: Button, more: object = {}) {
  return world.call(method as 'POST', new URL(url).pathname, { key, body: { ...body, ...more } })
}

describe('a screen that is made of the answer alone', () => {
  it('shows the same at every point of both lanes when every step has a key that it never heard of, and one is new', async () => {
    for (const lane of ['mercado', 'sfg'] as const) {
      for (const status of Object.keys(POINTS[lane])) {
        const body = await rehearse({ lane, status })
        const shown = screen(body)
        for (const { label } of body.steps) expect(shown.join('\n')).toContain(label)
        const later = screen(tomorrow(body))
        expect(later).toContain('   Firma avanzada')
        expect(later.filter((line) => line !== '   Firma avanzada')).toEqual(shown)
      }
    }
  })

  it('takes an empresa live by its buttons and the moves of the world, without a word about any step', async () => {
    await rehearse({ lane: 'mercado', status: 'action_required' })
    const cards: string[] = []
    for (let body = await read(); body.status !== 'emitting'; body = await read()) {
      const { pending_action: card, blocked_on } = body
      expect(cards.length).toBeLessThan(20)
      const approve = card && buttonsOf(card).find(({ label }) => label === 'Autorizar')
      if (!card || !approve) {
        expect((await move({ step: blocked_on, status: 'completed' })).status).toBe(200)
        continue
      }
      cards.push(card.title)
      const approved_by = { rut: '12345678-5', name: 'Rosa Pérez', role: card.performed_by.role }
      const sent = await press(approve, { approved_by })
      expect(sent.status, sent.text).toBeLessThan(300)
    }
    expect(cards).toEqual([
      'Autorizar la postulación',
      'Revisar las muestras impresas',
      'Autorizar la declaración de cumplimiento',
      'Autorizar la habilitación de boletas',
      'Aprobar el inicio de la emisión',
    ])
  })

  it('shows why a step stands still, and its button of a person who is done answers for them', async () => {
    await rehearse({ lane: 'sfg', status: 'action_required' })
    await move({ step: 'clave_centralizado', status: 'completed' })
    await move({ step: 'usuario_autorizado', status: 'action_required', blocked_reason: 'requirement_unmet' })
    const body = await read()
    const { blocked_reason } = body.steps.find((step) => step.blocked_reason) ?? {}
    expect(screen(body)).toContain(`    ${blocked_reason?.message}`)
    const done = buttonsOf(body.pending_action as PendingAction).find(({ label }) => label === 'Ya está hecho')
    expect((await press(done as Button)).body).toMatchObject({
      object: 'onboarding_recheck',
      message: expect.any(String),
    })
  })
})
