// The people of an onboarding: on the hosted pages in a browser, or by the API where there is none.

import { printedRut } from '@timbre/dte/values'
import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import type { LiveWorld } from './live-world.ts'
import { OPERATOR_SECRET } from './world.ts'

export interface Walker {
  readonly live: LiveWorld
  readonly key: string
  /** Of the account, in live mode. */
  readonly account: string
  readonly base: string
  readonly rut: string
  /** Whose certificate it is, who signs and who decides. */
  readonly holder: string
  readonly pfx: string
  readonly pfx_password: string
}

/** Each act is refused once, and then done. */
export interface People {
  sign(): Promise<void>
  upload(): Promise<void>
  /** The password of the certificate that the SII keeps, and then the certificate. */
  store(password: string): Promise<void>
  decide(step: string, role: string): Promise<void>
  attest(step: string, role: string): Promise<void>
  /** Says that something was done at the SII, which is looked at again. */
  recheck(step: string): Promise<void>
  /** By the letter that asks for it, and behind the subscription. */
  goLive(): Promise<void>
  revoke(): Promise<void>
}

const NAME = 'Rosa Pérez Soto'
const HOUR = 3600

async function payFor({ live, account }: Walker): Promise<void> {
  const headers = { 'svc-operator-secret': OPERATOR_SECRET }
  const sent = await live.world.post(`/v1/accounts/${account}/plan`, { headers, body: { plan: 'house' } })
  expect(sent.status).toBe(200)
}

/** What a credential of the account records, for a machine without a browser. */
export function peopleByApi(walker: Walker): People {
  const { live, key, base, holder, pfx, pfx_password } = walker
  const post = (path: string, body: object = {}) => live.world.post(`${base}${path}`, { key, body })
  const person = (role: string) => ({ rut: holder, name: NAME, role })
  const done = async (sent: ReturnType<typeof post>) => expect((await sent).status).toBeLessThan(300)
  const upload = async () => {
    const wrong = await post('/certificate', { file: pfx, password: 'otra clave' })
    expect(wrong.body.error.code).toBe('certificate_password_wrong')
    await done(post('/certificate', { file: pfx, password: pfx_password }))
  }
  return {
    upload,
    async sign() {
      const signer = person('representante_legal')
      expect((await post('/mandato', { terms_version: '2020-01-01', signer })).status).toBe(400)
      const { version } = (await live.world.get('/v1/mandato_terms')).body
      await done(post('/mandato', { terms_version: version, signer }))
    },
    async store(password) {
      await done(post('/sfg_credential', { rut: holder, password }))
      await upload()
    },
    async decide(step, role) {
      const decide = (decision: string) =>
        post(`/onboarding/steps/${step}/approve`, { decision, approved_by: person(role) })
      await done(decide('decline'))
      await done(decide('approve'))
    },
    async attest(step, role) {
      const wrong = await post(`/onboarding/steps/${step}/attest`, { performed_by: person('titular_cuenta') })
      expect(wrong.body.error.code).toBe('approval_role_required')
      await done(post(`/onboarding/steps/${step}/attest`, { performed_by: person(role) }))
    },
    recheck: (step) => done(post(`/onboarding/steps/${step}/recheck`)),
    async goLive() {
      const decided = { decision: 'approve', approved_by: person('titular_cuenta') }
      expect((await post('/onboarding/go_live', decided)).status).toBe(402)
      await payFor(walker)
      await done(post('/onboarding/go_live', decided))
    },
    revoke: async () => {
      await done(live.world.delete(`${base}/mandato`, { key }))
    },
  }
}

/** On the pages the first time that somebody does such a thing, and by the API from then on: a page costs half a second. */
export function firstOnPages(onPages: People, byApi: People, walked: Set<string>): People {
  const acts = Object.keys(onPages) as (keyof People)[]
  const chosen = acts.map((act) => {
    const by = async (...told: string[]) => {
      // Printed samples are approved on a page of their own.
      const kind = told[0] === 'muestras_impresas' ? `${act} ${told[0]}` : act
      const people = walked.has(kind) ? byApi : onPages
      walked.add(kind)
      await (people[act] as (...told: string[]) => Promise<void>)(...told)
    }
    return [act, by]
  })
  return Object.fromEntries(chosen)
}

/** The same people on the page of a phone. */
export function peopleOnPages(walker: Walker, page: Page): People {
  const { live, key, base, rut, holder, pfx, pfx_password } = walker
  const { world } = live
  const linkTo = async (step: string, more: object = {}): Promise<string> => {
    const sent = await world.post(`${base}/onboarding/links`, { key, body: { step, ...more } })
    expect([sent.status, sent.text]).toEqual([201, expect.any(String)])
    return sent.body.url
  }
  const titled = (name: string | RegExp) => page.getByRole('heading', { level: 1, name }).waitFor()
  const opened = async (url: string, title: string | RegExp) => {
    await page.goto(url)
    await titled(title)
  }
  const press = (name: string) => page.getByRole('button', { name, exact: true }).click()
  const named = async (rut = holder) => {
    await page.getByLabel('Nombre completo').fill(NAME)
    await page.getByLabel(/^RUT/).fill(rut)
  }
  /** A RUT with another check digit: a slip of the thumb. */
  const slip = `${holder.slice(0, -1)}${holder.endsWith('0') ? '1' : '0'}`
  const told = async (sentence: RegExp, near: RegExp) => {
    expect(await page.getByRole('alert').textContent()).toMatch(sentence)
    expect(await page.getByLabel(near).getAttribute('aria-invalid')).toBe('true')
  }
  const choose = async (password: string) => {
    const buffer = Buffer.from(pfx, 'base64')
    await page.getByLabel(/Archivo del certificado/).setInputFiles({ name: 'rosa.pfx', mimeType: '', buffer })
    await page.getByLabel('Clave del archivo').fill(password)
    await press('Guardar el certificado')
  }
  const bring = async () => {
    await choose('otra clave')
    await told(/La clave no abre el archivo/, /Clave del archivo/)
    expect(await page.content()).not.toContain('otra clave')
    await choose(pfx_password)
  }
  const agree = () => page.getByRole('checkbox').check()
  return {
    async sign() {
      const first = await linkTo('mandato')
      const link = await linkTo('mandato')
      await opened(first, 'Este enlace ya no funciona')
      await opened(link, 'Firma del mandato')
      await named(slip)
      await agree()
      await press('Firmar el mandato')
      await told(/Revisa el RUT/, /^RUT/)
      await named()
      await agree()
      await press('Firmar el mandato')
      await titled('Listo, el mandato quedó firmado')
      await opened(link, 'Este enlace ya se usó')
    },
    async upload() {
      const short = await linkTo('certificate', { expires_in_hours: 1 })
      await live.advance(HOUR)
      await opened(short, 'Este enlace venció')
      await opened(await linkTo('certificate'), 'Subir el certificado digital')
      await bring()
      await titled('Listo, el certificado quedó guardado')
    },
    async store(password) {
      await opened(await linkTo('credential'), /Guardar la clave/)
      const send = async () => {
        await page.getByLabel(/Clave del certificado centralizado/).fill(password)
        await press('Guardar la clave')
      }
      await named(slip)
      await send()
      await told(/Revisa el RUT/, /^RUT/)
      await named()
      await send()
      await page.getByText('La clave ya está guardada').waitFor()
      await bring()
      await titled('Listo, el certificado quedó guardado')
    },
    async decide(step) {
      const answers = step === 'muestras_impresas' ? ['No aprobar', 'Aprobar'] : ['No autorizar', 'Autorizar']
      for (const answer of answers) {
        const link = await linkTo(step)
        await page.goto(link)
        await named()
        await agree()
        await press(answer)
        await titled(answer === answers[0] ? 'Registramos que no lo autorizas' : 'Listo, quedó autorizado')
        await opened(link, 'Este enlace ya se usó')
      }
    },
    async attest(step) {
      await page.goto(await linkTo(step))
      await named(slip)
      await press('Ya está hecho')
      await told(/Revisa el RUT/, /^RUT/)
      await named()
      await press('Ya está hecho')
      await titled('Gracias por avisar')
    },
    async recheck(step) {
      await page.goto(await linkTo(step))
      await press('Ya está hecho')
      await titled('Recibido')
      await page.getByRole('link', { name: 'Volver a ver el paso' }).click()
      await titled('Autorizar al usuario en el SII')
    },
    async goLive() {
      await live.run()
      const about = ({ subject, text }: { subject: string; text: string }) =>
        subject.includes('Aprobar el inicio de la emisión') && text.includes(printedRut(rut))
      const letter = world.letters.find(about)
      const link = /http:\/\/timbre\.test\/puesta-en-marcha\/\w+/.exec(letter?.text ?? '')?.[0] ?? ''
      const approve = async () => {
        await opened(link, 'Aprobar el inicio de la emisión')
        await named()
        await agree()
        await press('Empezar a emitir')
      }
      await approve()
      await titled('Falta la suscripción')
      await page.getByRole('link', { name: 'Ver la suscripción' }).click()
      await press('Pedir la suscripción')
      await page.getByText(/Ya lo pedimos/).waitFor()
      await payFor(walker)
      await approve()
      await titled('Listo, quedó autorizado')
    },
    async revoke() {
      const sent = await world.post(`${base}/mandato/revocation_link`, { key, body: {} })
      await opened(sent.body.url, 'Revocar el mandato')
      await named(slip)
      await agree()
      await press('Revocar el mandato')
      await told(/Revisa el RUT/, /^RUT/)
      await named()
      await agree()
      await press('Revocar el mandato')
      await titled('El mandato quedó revocado')
    },
  }
}
