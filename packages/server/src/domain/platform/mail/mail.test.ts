import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import PostalMime from 'postal-mime'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openWorld, type World } from '../../../../test/support/world.ts'
import { type Letter, MailRefused } from '../../../ports/mail.ts'
import { composeLetter } from './compose.ts'

const draft = {
  to: 'ana@example.cl',
  subject: 'Hola & <adiós>',
  greeting: '¡Hola, <b>Ana</b> & "Cía"!',
  paragraphs: ['Primero.', 'Segundo <img src=x>.'],
  button: { label: 'Entrar', url: 'http://timbre.test/verificar?token=abc&x="><script>' },
  notes: ['Vence en una hora.'],
}

describe('a letter', () => {
  it('says the same in plain text and in HTML', () => {
    const { text, html } = composeLetter({
      ...draft,
      button: { label: 'Entrar', url: 'http://timbre.test/v?token=abc' },
    })
    for (const said of [
      'Primero.',
      'Vence en una hora.',
      'http://timbre.test/v?token=abc',
      'Entrar',
      'El equipo de Timbre',
    ]) {
      expect(text).toContain(said)
      expect(html).toContain(said)
    }
  })

  it('escapes in HTML whatever a person could have typed', () => {
    const { html, text } = composeLetter(draft)
    expect(html).not.toMatch(/<(b|img|script|adiós)\b/)
    expect(html).toContain('&lt;b&gt;Ana&lt;/b&gt; &amp; &quot;Cía&quot;')
    expect(html).toContain('href="http://timbre.test/verificar?token=abc&amp;x=&quot;&gt;&lt;script&gt;"')
    expect(text).toContain('<b>Ana</b>')
  })

  it('speaks in the name of somebody else, and lists what it is about, the same in both versions', () => {
    const voice = { name: 'Viña <b>', signature: 'Viña & Cía', why: 'Viña pidió enviarte esto.' }
    const { text, html } = composeLetter({ ...draft, voice, facts: [['Total', '$ 1.990 <i>']] })
    for (const said of ['Total: $ 1.990 <i>', 'Viña & Cía', 'Viña pidió enviarte esto.']) expect(text).toContain(said)
    for (const said of ['$ 1.990 &lt;i&gt;', 'Viña &lt;b&gt;', 'Viña &amp; Cía']) expect(html).toContain(said)
    expect(text + html).not.toContain('El equipo de Timbre')
  })

  it('has no button where nothing is asked', () => {
    const { button: _none, ...plain } = draft
    expect(composeLetter(plain).html).not.toContain('<a ')
  })

  it('is one document that loads nothing from anywhere', async () => {
    const { html } = composeLetter(draft)
    expect(html).not.toMatch(/<(link|img|script|iframe|style)\b|url\(/)
    const parsed = await PostalMime.parse(`Content-Type: text/html; charset=utf-8\r\n\r\n${html}`)
    expect(parsed.html).toContain('lang="es-CL"')
  })
})

describe('mail.send', () => {
  const refusals: Error[] = []
  const taken: Letter[] = []
  let world: World
  beforeAll(async () => {
    const send = async (letter: Letter) => {
      const refusal = refusals.shift()
      if (refusal) throw refusal
      taken.push(letter)
    }
    world = await openWorld({ mail: { describe: 'refuses as told', send } })
  })
  afterAll(() => world.close())

  interface Posted {
    readonly id: string
    readonly status: string
    readonly attempts: number
    readonly error: { code: string } | null
    readonly payload: { letter_id: string; sealed: string }
  }

  /** The letters of this world in the queue, oldest first, once nobody is at them. */
  async function queue(): Promise<Posted[]> {
    for (;;) {
      const rows = await world.db.sql<Posted & { due: boolean }>`
        select id, status, attempts, error, payload, status = 'running' or (status = 'queued' and run_at <= now()) as due
        from job where name = 'mail.send' order by id`
      if (rows.every(({ due }) => !due)) return rows
      await sleep(10)
    }
  }

  async function post(): Promise<Posted> {
    const body = { email: `${randomUUID()}@example.cl`, password: 'una clave larga' }
    expect((await world.post('/account/register', { body })).status).toBe(201)
    return (await queue()).at(-1) as Posted
  }

  async function tryAgain(): Promise<Posted[]> {
    await world.db.sql`update job set run_at = now() where name = 'mail.send' and status = 'queued'`
    world.app.worker.wake()
    return queue()
  }

  it('keeps a letter sealed while it waits, and sends the same one when it is tried again', async () => {
    refusals.push(new Error('connection refused'))
    const waiting = await post()
    expect(waiting).toMatchObject({ status: 'queued', attempts: 1, error: { code: 'internal_error' } })
    expect(Buffer.from(waiting.payload.sealed, 'base64').toString('latin1')).not.toMatch(/token=|example\.cl/)
    expect((await tryAgain()).at(-1)).toMatchObject({ status: 'succeeded', attempts: 2 })
    expect(taken.map(({ id }) => id)).toEqual([waiting.payload.letter_id])
  })

  it('does not open in the place of another letter', async () => {
    refusals.push(new Error('away'), new Error('away'))
    const [one, other] = [await post(), await post()]
    const moved = JSON.stringify({ ...one.payload, sealed: other.payload.sealed })
    await world.db.sql`update job set payload = ${moved}::json where id = ${one.id}`
    const sent = taken.length
    const after = await tryAgain()
    expect(after.find(({ id }) => id === one.id)?.status).toBe('queued')
    expect(after.find(({ id }) => id === other.id)?.status).toBe('succeeded')
    expect(taken).toHaveLength(sent + 1)
  })

  it('gives up at once when the other side refuses for good', async () => {
    refusals.push(new MailRefused('550 no such user'))
    expect(await post()).toMatchObject({ status: 'failed', attempts: 1, error: { code: 'mail_refused' } })
  })

  it('leaves only if the transaction commits', async () => {
    const body = { email: `${randomUUID()}@example.cl`, password: 'una clave larga' }
    await Promise.all([1, 2, 3].map(() => world.post('/account/register', { body })))
    await queue()
    expect(taken.filter(({ to }) => to === body.email)).toHaveLength(1)
  })
})
