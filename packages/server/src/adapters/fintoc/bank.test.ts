import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import {
  FINTOC_KEY,
  FINTOC_WEBHOOK_SECRET,
  openStandInFintoc,
  provided,
  provideLink,
  type StandIn,
  signNotice,
} from '../../../test/support/stand-in-fintoc.ts'
import type { Bank, BankFailure, BankMovement } from '../../ports/bank.ts'
import { fintocBank } from './bank.ts'

let standIn: StandIn
let bank: Bank
let waits: number[]
let link: ReturnType<typeof provideLink>
const empresa = { account_id: 'acct_x', empresa_id: 'emp_x', mode: 'live', rut: '76192083-9' } as const
const at = new Date('2026-11-12T12:00:00Z')
const question = { empresa, connection_id: 'con_x', at }

function open(more: { answer_ms?: number; secret_key?: string; version?: string } = {}): Bank {
  const { secret_key = FINTOC_KEY, version = null, answer_ms = 2_000 } = more
  const settings = {
    url: standIn.url,
    secret_key,
    public_key: 'pk_test_x',
    webhook_secret: FINTOC_WEBHOOK_SECRET,
    version,
  }
  const wait = async (ms: number) => void waits.push(ms)
  return fintocBank(settings, { wait, chance: () => 0.5, answer_ms })
}

beforeEach(async () => {
  standIn = await openStandInFintoc()
  waits = []
  bank = open()
  link = provideLink(standIn, 'one')
})
afterEach(async () => {
  await bank.close()
  await standIn.close()
})

const linked = () => ({ ...question, link_token: link.link_token })
async function read(since = '2026-11-01', until = '2026-11-20'): Promise<BankMovement[][]> {
  const pages: BankMovement[][] = []
  const asked = { ...linked(), account: { id: link.account, currency: 'CLP' }, since, until }
  for await (const page of bank.movements(asked)) pages.push([...page])
  return pages
}
const failure = (promise: Promise<unknown>) =>
  promise.then(
    () => null,
    (error: BankFailure) => error,
  )
const reasonOf = async (promise: Promise<unknown>) => (await failure(promise))?.reason
const provide = (...movements: ReturnType<typeof provided>[]) => standIn.movements.get(link.account)?.push(...movements)

describe('linking', () => {
  it('begins with a link intent and the raw key, and gives what the widget needs', async () => {
    const begun = await bank.begin({ ...question, holder_type: 'business' })
    expect(begun).toEqual({
      widget_token: 'li_1_sec_abcdefgh',
      public_key: 'pk_test_x',
      expires_at: new Date('2026-11-12T12:30:00Z'),
    })
    const [asked] = standIn.asked
    expect(JSON.parse(asked?.body ?? '')).toEqual({ product: 'movements', country: 'cl', holder_type: 'business' })
    expect(asked?.headers.authorization).toBe(FINTOC_KEY)
    expect(asked?.headers['fintoc-version']).toBeUndefined()
  })

  it('sends the version header where one is set', async () => {
    const dated = open({ version: '2026-02-01' })
    await dated.begin({ ...question, holder_type: 'individual' })
    await dated.close()
    expect(standIn.asked[0]?.headers['fintoc-version']).toBe('2026-02-01')
  })

  it('exchanges the token of the widget for the link, its institution, its holder and its accounts', async () => {
    const found = await bank.exchange({ ...question, exchange_token: link.exchange_token })
    expect(found).toMatchObject({
      link_id: 'link_one',
      link_token: link.link_token,
      institution: { id: 'cl_banco_estado', name: 'Banco Estado' },
      holder_rut: '41614850-3',
      accounts: [{ id: 'acc_one', number: '9530516286', currency: 'CLP', balance: { available: 7_010_510 } }],
    })
  })

  it('is refused with a token that the provider does not know, and not for a key of ours that it does not know', async () => {
    expect(await reasonOf(bank.exchange({ ...question, exchange_token: 'exchange_two' }))).toBe('refused')
    const stranger = open({ secret_key: 'sk_live_other' })
    expect(await reasonOf(stranger.exchange({ ...question, exchange_token: link.exchange_token }))).toBe('unreachable')
    await stranger.close()
  })

  it('is forgotten at the provider, and one that it no longer has is forgotten too', async () => {
    await bank.forget(linked())
    expect(standIn.links.size).toBe(0)
    await bank.forget(linked())
  })
})

describe('movements', () => {
  it('come in pages of 300 along the Link header, each once, up to the day before `until`', async () => {
    for (let i = 0; i < 650; i++) provide(provided(`mov_${i}`, '2026-11-05'))
    provide(provided('mov_first', '2026-11-01'), provided('mov_late', '2026-11-20'), provided('mov_old', '2026-10-31'))
    const pages = await read()
    expect(pages.map((page) => page.length)).toEqual([300, 300, 51])
    const ids = pages.flat().map(({ id }) => id)
    expect(new Set(ids).size).toBe(651)
    expect(ids).toContain('mov_first')
    expect(ids).not.toContain('mov_late')
    expect(standIn.asked.map(({ query }) => [query.per_page, query.confirmed_only, query.link_token])).toEqual(
      Array(3).fill(['300', 'true', link.link_token]),
    )
  })

  it('are read as they are: whom the money went to or came from, by a RUT that is one', async () => {
    provide(
      provided('mov_out', '2026-11-05'),
      provided('mov_in', '2026-11-05', {
        amount: 100,
        recipient_account: null,
        sender_account: { holder_id: '761920838', holder_name: 'Otro' },
      }),
      provided('mov_odd', '2026-11-05', { description: '  A\u0000\nB  ', recipient_account: null }),
    )
    expect((await read()).flat()).toEqual([
      {
        id: 'mov_out',
        post_date: '2026-11-05',
        amount: -59_400,
        currency: 'CLP',
        description: 'Traspaso a:Fulano de Tal',
        counterparty_rut: '76192083-9',
        counterparty_name: 'Comercial y Producción SpA',
      },
      expect.objectContaining({ amount: 100, counterparty_rut: null, counterparty_name: 'Otro' }),
      expect.objectContaining({ description: 'A B', counterparty_rut: null, counterparty_name: null }),
    ])
  })

  it('that are pending, reversed or told twice are none', async () => {
    standIn.movements.set(link.account, [
      provided('mov_cheque', '2026-11-05', { pending: true }),
      provided('mov_a', '2026-11-05', { status: 'reversed' }),
      provided('mov_b', '2026-11-05'),
    ])
    expect((await read()).flat().map(({ id }) => id)).toEqual(['mov_b'])
  })

  for (const [what, more] of [
    ['an amount with decimals', { amount: -10.5 }],
    ['an amount that is text', { amount: '-10' }],
    ['an amount beyond exact integers', { amount: 2 ** 60 }],
    ['a currency whose cents nobody here knows', { currency: 'XAU' }],
    ['no currency', { currency: null }],
    ['a day that is none', { post_date: '2026-11-31' }],
    ['no id', { id: 7 }],
  ] as const) {
    it(`are refused aloud with ${what}: money is never guessed`, async () => {
      standIn.troubles.push({ status: 200, body: [provided('mov_a', '2026-11-05', { ...more })] })
      expect(await reasonOf(read())).toBe('unreadable')
    })
  }

  it('take dollars in cents', async () => {
    provide(provided('mov_usd', '2026-11-05', { currency: 'USD', amount: -4_200 }))
    expect((await read()).flat()[0]).toMatchObject({ currency: 'USD', amount: -4_200 })
  })

  for (const [what, target] of [
    ['another host', 'https://elsewhere.example/v1/accounts/acc_one/movements?page=2'],
    ['another path', '/v1/links?page=2'],
    ['nowhere', 'http://['],
  ] as const) {
    it(`are not followed to ${what}: the key and the token go nowhere else`, async () => {
      standIn.troubles.push({ status: 200, body: [], headers: { link: `<${target}>; rel="next"` } })
      expect(await reasonOf(read())).toBe('unreadable')
      expect(standIn.asked.length).toBe(1)
    })
  }

  it('that page in a circle are given up', async () => {
    const same = `<${standIn.url}/v1/accounts/acc_one/movements?page=2>; rel="next"`
    for (let i = 0; i < 5; i++) standIn.troubles.push({ status: 200, body: [], headers: { link: same } })
    expect(await reasonOf(read())).toBe('unreadable')
  })
})

describe('a provider in trouble', () => {
  it('is asked again after 1, 2, 4, 8 and 16 seconds and a little more, and then not any more', async () => {
    for (let i = 0; i < 6; i++) standIn.troubles.push({ status: 503 })
    expect(await reasonOf(bank.accounts(linked()))).toBe('unreachable')
    expect(waits).toEqual([1_500, 2_500, 4_500, 8_500, 16_500])
    expect(standIn.asked.length).toBe(6)
  })

  it('answers well after 500, a cut connection and 429, whose Retry-After is heeded', async () => {
    standIn.troubles.push({ status: 500, body: '<html>' }, 'cut', { status: 429, headers: { 'retry-after': '9' } })
    expect(await bank.accounts(linked())).toHaveLength(1)
    expect(waits).toEqual([1_500, 2_500, 9_500])
  })

  it('gets a new Idempotency-Key with each try: it would replay its failure to an old one', async () => {
    standIn.troubles.push({ status: 500 })
    expect(await bank.refresh(linked())).toBe('started')
    const keys = standIn.asked.map(({ headers }) => headers['idempotency-key'])
    expect(keys).toHaveLength(2)
    expect(new Set(keys).size).toBe(2)
  })

  it('is asked twice at most while a person waits', async () => {
    for (let i = 0; i < 6; i++) standIn.troubles.push({ status: 502 })
    expect(await reasonOf(bank.begin({ ...question, holder_type: 'business' }))).toBe('unreachable')
    expect(standIn.asked.length).toBe(2)
  })

  it('that hangs is left after a while', async () => {
    const brief = open({ answer_ms: 50 })
    standIn.troubles.push('hang')
    expect(await brief.accounts(linked())).toHaveLength(1)
    await brief.close()
    expect(waits).toEqual([1_500])
  })

  it('that pours without end is cut off', async () => {
    standIn.troubles.push('flood')
    expect(await reasonOf(bank.accounts(linked()))).toBe('unreadable')
  })

  for (const body of ['<html>maintenance</html>', '', 'null', '{"data":[]}', '[1]', '[null]']) {
    it(`that answers ${body === '' ? 'nothing' : body} is not understood, and not guessed`, async () => {
      standIn.troubles.push({ status: 200, body })
      expect(await reasonOf(bank.accounts(linked()))).toBe('unreadable')
    })
  }

  it('tells nothing of the key nor of the token in its failures', async () => {
    const stranger = open({ secret_key: 'sk_live_other_secret' })
    standIn.links.clear()
    const told = [await failure(stranger.accounts(linked())), await failure(bank.accounts(linked()))]
    await stranger.close()
    expect(told.map((error) => error?.reason)).toEqual(['refused', 'gone'])
    for (const error of told) {
      const all = `${error?.message} ${error?.stack} ${JSON.stringify(error)}`
      for (const secret of ['sk_live_other_secret', FINTOC_KEY, link.link_token]) expect(all).not.toContain(secret)
    }
  })
})

describe('a refresh', () => {
  const refused = (http: number, type: string, code: string) => {
    standIn.refresh = { refusal: { http, type, code } }
    return bank.refresh(linked())
  }

  it('is under way, or done, or not to be had', async () => {
    expect(await bank.refresh(linked())).toBe('started')
    standIn.refresh = { status: 'succeeded' }
    expect(await bank.refresh(linked())).toBe('done')
    expect(await refused(400, 'invalid_request_error', 'refresh_intent_in_progress')).toBe('started')
    expect(await refused(400, 'invalid_request_error', 'rate_limit_exceeded')).toBe('too_soon')
    expect(await refused(403, 'invalid_request_error', 'plan_required')).toBe('unavailable')
    expect(JSON.parse(standIn.asked[0]?.body ?? '')).toEqual({ refresh_type: 'only_last' })
  })

  it('that comes too soon is told at once, whichever status it has', async () => {
    expect(await refused(429, 'invalid_request_error', 'rate_limit_exceeded')).toBe('too_soon')
    expect(waits).toEqual([])
  })

  it('that the bank rejects asks for the person, one that failed may be tried again, one of no link is gone', async () => {
    expect(await reasonOf(refused(400, 'link_error', 'rejected_refresh_intent'))).toBe('rejected')
    standIn.refresh = { status: 'rejected' }
    expect(await reasonOf(bank.refresh(linked()))).toBe('rejected')
    standIn.refresh = { status: 'failed' }
    expect(await reasonOf(bank.refresh(linked()))).toBe('refresh_failed')
    standIn.links.clear()
    expect(await reasonOf(bank.refresh(linked()))).toBe('gone')
    expect(await reasonOf(bank.isRefreshing(linked()))).toBe('gone')
  })

  it('runs until the link says otherwise', async () => {
    const say = (more: object) =>
      standIn.links.set(link.link_token, { id: 'link_one', active: true, status: 'active', ...more })
    for (const [refresh_status, expected] of [
      ['refreshing', true],
      ['created', true],
      ['succeeded', false],
      [null, false],
    ] as const) {
      say({ refresh_status })
      expect(await bank.isRefreshing(linked())).toBe(expected)
    }
    for (const [more, reason] of [
      [{ refresh_status: 'rejected' }, 'rejected'],
      [{ refresh_status: 'failed' }, 'refresh_failed'],
      [{ active: false }, 'rejected'],
      [{ status: 'login_required' }, 'rejected'],
    ] as const) {
      say(more)
      expect(await reasonOf(bank.isRefreshing(linked()))).toBe(reason)
    }
  })
})

describe('a notice', () => {
  const now = new Date('2026-11-12T12:00:00Z')
  const t = now.getTime() / 1000
  const read = (event: object | string, signature?: string) => {
    const body = typeof event === 'string' ? event : JSON.stringify(event)
    return bank.readNotice({ signature: signature ?? signNotice(body, t), body: Buffer.from(body), at: now })
  }
  const event = (type: string, data: object) => ({
    id: 'evt_1',
    object: 'event',
    type,
    mode: 'live',
    created_at: '2026-11-12T11:59:00Z',
    data,
  })

  it('says what happened to whom', () => {
    const common = { id: 'evt_1', told_at: '2026-11-12T11:59:00.000Z', link_id: null, account_id: null }
    const account = { ...common, account_id: 'acc_one' }
    const intent = { id: 'ri_1', refreshed_object: 'account', refreshed_object_id: 'acc_one' }
    expect(read(event('account.refresh_intent.succeeded', intent))).toEqual({ ...account, kind: 'refreshed' })
    expect(read(event('account.refresh_intent.failed', intent))).toEqual({ ...account, kind: 'refresh_failed' })
    expect(read(event('account.refresh_intent.rejected', intent))).toEqual({ ...account, kind: 'rejected' })
    const changed = [provided('mov_a', '2026-10-02'), provided('mov_b', '2026-09-30')]
    expect(
      read(event('account.refresh_intent.movements_modified', { account_id: 'acc_one', movements_changed: changed })),
    ).toEqual({ ...account, kind: 'modified', since: '2026-09-30' })
    expect(
      read(event('account.refresh_intent.movements_modified', { account_id: 'acc_one', movements_changed: ['mov_a'] })),
    ).toEqual({ ...account, kind: 'modified', since: null })
    for (const movements_removed of [['mov_a'], [{ id: 'mov_a' }]])
      expect(
        read(event('account.refresh_intent.movements_removed', { account_id: 'acc_one', movements_removed })),
      ).toEqual({ ...account, kind: 'removed', movement_ids: ['mov_a'] })
    expect(read(event('link.credentials_changed', { id: 'link_one', object: 'link' }))).toEqual({
      ...common,
      link_id: 'link_one',
      kind: 'rejected',
    })
  })

  it('of a kind nobody here knows, or that is no event at all, means nothing', () => {
    for (const odd of [event('payment.succeeded', {}), {}, [], 'null', '"x"', 'not json', '{"data":5,"type":7}'])
      expect(read(odd)).toMatchObject({ kind: 'other' })
  })

  it('that says the same thing twice means nothing: nobody knows which of the two was meant', () => {
    const body = JSON.stringify(event('link.credentials_changed', { id: 'link_one' }))
    expect(read(body)).toMatchObject({ kind: 'rejected', link_id: 'link_one' })
    expect(read(body.replace('"id":"link_one"', '"id":"link_two","id":"link_one"'))).toMatchObject({ kind: 'other' })
  })

  it('is not believed when it is forged, changed, old, far ahead or not signed', () => {
    const body = JSON.stringify(event('link.credentials_changed', { id: 'link_one' }))
    const good = signNotice(body, t)
    expect(read(body, good)).not.toBeNull()
    expect(read(body, signNotice(body, t - 300))).not.toBeNull()
    expect(read(body.replace('link_one', 'link_two'), good)).toBeNull()
    for (const bad of [
      '',
      'v1=',
      't=1',
      good.replace(/v1=./, 'v1=g'),
      good.slice(0, -1),
      `${good}0`,
      good.replace(`t=${t}`, `t=${t + 1}`),
      signNotice(body, t, 'another secret'),
      signNotice(body, t - 301),
      signNotice(body, t + 301),
      `${good},v1=${'0'.repeat(64)}`,
      'x'.repeat(10_000),
    ])
      expect(read(body, bad)).toBeNull()
  })

  it('is never believed where no secret is set', async () => {
    const settings = { url: standIn.url, secret_key: 'x', public_key: 'x', webhook_secret: null, version: null }
    const deaf = fintocBank(settings)
    const body = Buffer.from('{}')
    expect(deaf.readNotice({ signature: signNotice('{}', t, ''), body, at: now })).toBeNull()
    await deaf.close()
  })
})
