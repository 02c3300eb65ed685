import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { settled } from '../../../../test/support/document-emission.ts'
import { openPost, type Post, readLetter } from '../../../../test/support/document-mailer.ts'
import { issue } from '../../../../test/support/insert-document.ts'
import { FACTURA, type Issuer } from '../../../../test/support/issuer.ts'
import { unconnectedSii } from '../../../../test/support/unconnected-sii.ts'
import type { Letter } from '../../../ports/mail.ts'

describe('in test mode', () => {
  let post: Post
  let issuer: Issuer
  beforeAll(async () => {
    post = await openPost()
    issuer = await post.issuer({ mode: 'test' })
  })
  afterAll(() => post.close())

  const addressOf = async (account: string) => {
    const [row] = await post.world.db.sql<{ email: string }>`select email from account where id = ${account}`
    return row?.email ?? ''
  }

  it('a stranger gets no letter, and everything else happens as if it had been taken', async () => {
    const { id } = await issue(post.world, issuer)
    expect(await post.sendToTheEnd(issuer, id, { to: 'desconocida@empresa.cl' })).toMatchObject({
      status: 'succeeded',
      result: { recipients: [{ to: 'desconocida@empresa.cl', sent: true, reason: null }] },
    })
    expect(post.smtp.received).toEqual([])
    expect(await post.told(issuer, id)).toMatchObject([
      { type: 'document.emailed', detail: { to: 'desconocida@empresa.cl' } },
    ])
  })

  it('the confirmed address of the account gets the letter, which says that it is a test', async () => {
    const { id } = await issue(post.world, issuer)
    const own = await addressOf(issuer.account)
    await post.sendToTheEnd(issuer, id, { to: own.toUpperCase() })
    const letters = post.lettersTo(own)
    expect(letters).toHaveLength(1)
    const letter = await readLetter(letters[0])
    expect(letter.subject).toMatch(/^\[Prueba\] Factura electrónica N° \d+ de /)
    expect(letter.text).toContain('SIN VALOR TRIBUTARIO')
    expect(letter.attachments).toHaveLength(3)
  })

  it('an address that nobody confirmed gets none: it may be anybody’s', async () => {
    const account = await post.world.account({ verified: false })
    const unproven = await post.issuer({ mode: 'test', account })
    const { id } = await issue(post.world, unproven)
    const own = await addressOf(account)
    expect((await post.sendToTheEnd(unproven, id, { to: own })).status).toBe('succeeded')
    expect(post.lettersTo(own)).toEqual([])
  })

  it('bounce@ any domain rehearses a refusal', async () => {
    const { id } = await issue(post.world, issuer)
    const told = await post.sendToTheEnd(issuer, id, { to: ['bounce@example.com', 'ana@example.com'] })
    expect(told.result?.recipients.map(({ reason }) => reason)).toEqual(['refused', null])
    expect((await post.told(issuer, id)).map(({ type }) => type)).toEqual(['document.email_failed', 'document.emailed'])
  })
})

describe('in live mode before an SII whose word has no tax effect', () => {
  it('the letter says that it is a test, as in the sandbox', async () => {
    const letters: Letter[] = []
    const send = async (letter: Letter) => void letters.push(letter)
    const live_sii = { ...unconnectedSii(), tax_effect: false }
    const post = await openPost({ live_sii, mail: { describe: 'a folder', stays_here: true, send } })
    const issuer = await post.issuer({ mode: 'live' })
    const { id } = await issue(post.world, issuer)
    await post.sendToTheEnd(issuer, id, { to: 'ana@empresa.cl' })
    expect(letters[0]?.subject).toMatch(/^\[Prueba\] Factura electrónica N° \d+ de /)
    expect(letters[0]?.text).toContain('SIN VALOR TRIBUTARIO')
    await post.close()
  })
})

describe('where no mail leaves the machine', () => {
  it('every letter of the sandbox is written, to be looked at', async () => {
    const letters: Letter[] = []
    const send = async (letter: Letter) => void letters.push(letter)
    const post = await openPost({ mail: { describe: 'a folder', stays_here: true, send } })
    const issuer = await post.issuer({ mode: 'test' })
    const { id } = await issue(post.world, issuer)
    await post.sendToTheEnd(issuer, id, { to: 'desconocida@empresa.cl' })
    expect(letters.map(({ to }) => to)).toEqual(['desconocida@empresa.cl'])
    await post.close()
  })
})

describe('email_documents_on_acceptance', () => {
  let post: Post
  beforeAll(async () => {
    post = await openPost()
  })
  afterAll(() => post.close())

  const receptor = { ...FACTURA.receptor, email: 'cobros@cliente.cl' }
  const automate = ({ empresa_id, key }: Issuer, email_documents_on_acceptance: boolean) =>
    post.world.patch(`/v1/empresas/${empresa_id}/automation_settings`, { key, body: { email_documents_on_acceptance } })

  async function accepted(issuer: Issuer, body: object): Promise<string> {
    const { id } = (await issuer.create(body)).body
    await settled(issuer, id, ['accepted'])
    return id
  }

  it('mails each document once the SII accepts it, and only where it was asked for', async () => {
    const issuer = await post.issuer({ mode: 'test' })
    const silent = await accepted(issuer, { ...FACTURA, receptor })
    await automate(issuer, true)
    const id = await accepted(issuer, { ...FACTURA, receptor })
    await post.world.until(async () => (await post.told(issuer, id)).length > 0)
    expect(await post.told(issuer, id)).toMatchObject([
      { type: 'document.emailed', detail: { to: 'cobros@cliente.cl' } },
    ])
    expect(await post.told(issuer, silent)).toEqual([])
  })

  it('does nothing, and fails nothing, where nobody is known or nobody wants mail', async () => {
    const issuer = await post.issuer({ mode: 'test' })
    await automate(issuer, true)
    await post.addContact(issuer, { email: 'cobros@cliente.cl', opted_out: true })
    const known = await accepted(issuer, { ...FACTURA, receptor })
    const unknown = await accepted(issuer, FACTURA)
    const [row] = await post.world.db.sql<{ count: number }>`
      select count(*) as count from job where name = 'document.send' and empresa_id = ${issuer.empresa_id}`
    expect(row?.count).toBe(0)
    for (const id of [known, unknown]) expect(await post.told(issuer, id)).toEqual([])
  })
})

describe('the bucket of sending', () => {
  it('429 rate_limited after 20 a minute by credential', async () => {
    const post = await openPost({ unlimited: false })
    const issuer = await post.issuer({ mode: 'test' })
    const { id } = await issue(post.world, issuer, { status: 'queued' })
    const sent = []
    for (let i = 0; i < 21; i++) sent.push((await post.send(issuer, id, { to: 'ana@example.com' })).status)
    expect(sent).toEqual([...Array.from({ length: 20 }, () => 409), 429])
    await post.close()
  })
})
