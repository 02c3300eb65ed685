import { BANK } from '../../catalog/bank.ts'
import { secondsFrom } from '../../kernel/clock.ts'
import {
  type Bank,
  BankFailure,
  type BankLink,
  type BankMovement,
  type LinkedQuestion,
  type MovementsQuestion,
  type RefreshStart,
} from '../../ports/bank.ts'
import { FintocHttp, FintocRefusal, type FintocSettings, type FintocTimes } from './http.ts'
import { readFintocNotice } from './notice.ts'
import { accountsOf, linkOf, listOf, movementOf, objectOf } from './shapes.ts'

const WIDGET = {
  kind: 'widget',
  whose: 'Fintoc',
  script: 'https://js.fintoc.com/v1/',
  origins: ['https://*.fintoc.com'],
} as const

/** The most that the provider gives at a time. */
const PER_PAGE = 300
/** 600,000 movements of one account: beyond that something goes in a circle. */
const MOST_PAGES = 2_000

/** Whether a parameter of a link says `rel="next"`, alone or among other relations. */
function namesNext(param: string): boolean {
  const [name = '', value = ''] = param.split('=')
  return name.trim().toLowerCase() === 'rel' && value.replaceAll('"', ' ').toLowerCase().split(/\s+/).includes('next')
}

/** The address of the next page in a `Link` header (RFC 8288), or null on the last. */
function nextOf(header: string | null): string | null {
  for (const [, target, params] of (header ?? '').matchAll(/<([^<>]*)>([^<]*)/g)) {
    if ((params ?? '').split(/[;,]/).some(namesNext)) return target ?? null
  }
  return null
}

/** Only more of the same is followed: our key and the token of the link go nowhere else. */
function samePlace(base: URL, next: string): URL {
  const target = URL.canParse(next, base.href) ? new URL(next, base) : null
  if (target?.origin !== base.origin || target.pathname !== base.pathname)
    throw new BankFailure('unreadable', 'Fintoc pointed to a next page elsewhere')
  return target
}

async function* pagesOf(http: FintocHttp, url: string, question: MovementsQuestion) {
  const base = new URL(`/v1/accounts/${encodeURIComponent(question.account.id)}/movements`, url)
  const { link_token, since, until } = question
  const own = { link_token, since, until, per_page: String(PER_PAGE), confirmed_only: 'true' }
  const seen = new Set<string>()
  for (let query: Record<string, string> | null = own; query !== null; ) {
    const { json, link } = await http.ask({ method: 'GET', path: base.pathname, query })
    const raw = listOf(json, 'list of movements')
    yield raw.map(movementOf).filter((one): one is BankMovement => one !== null)
    const next = nextOf(link)
    if (next === null) return
    query = { ...Object.fromEntries(samePlace(base, next).searchParams), link_token }
    const place = JSON.stringify(query)
    if (seen.has(place) || seen.size >= MOST_PAGES) throw new BankFailure('unreadable', 'Fintoc pages in a circle')
    seen.add(place)
  }
}

function refreshOutcome(status: unknown): RefreshStart {
  if (status === 'rejected') throw new BankFailure('rejected', 'the bank rejected the refresh')
  if (status === 'failed') throw new BankFailure('refresh_failed', 'the refresh failed')
  return status === 'succeeded' ? 'done' : 'started'
}

const TOO_SOON = 'rate_limit_exceeded'

async function refresh(http: FintocHttp, { link_token }: LinkedQuestion): Promise<RefreshStart> {
  try {
    const { json } = await http.ask({
      method: 'POST',
      path: '/v1/refresh_intents',
      query: { link_token },
      body: { refresh_type: 'only_last' },
      final_code: TOO_SOON,
    })
    return refreshOutcome(objectOf(Array.isArray(json) ? json[0] : json, 'refresh').status)
  } catch (error) {
    if (!(error instanceof FintocRefusal)) throw error
    if (error.code === 'refresh_intent_in_progress') return 'started'
    if (error.code === TOO_SOON) return 'too_soon'
    // Refreshing on demand is a plan of its own: an organisation without it reads what the provider has.
    if (error.reason === 'refused' && error.status !== 401) return 'unavailable'
    throw error
  }
}

async function isRefreshing(http: FintocHttp, { link_token }: LinkedQuestion): Promise<boolean> {
  const { json } = await http.ask({ method: 'GET', path: `/v1/links/${encodeURIComponent(link_token)}` })
  const { active, status, refresh_status } = objectOf(json, 'link')
  if (active === false || status === 'login_required')
    throw new BankFailure('rejected', 'the bank asks for the person again')
  if (refresh_status === 'rejected' || refresh_status === 'failed') refreshOutcome(refresh_status)
  return refresh_status === 'refreshing' || refresh_status === 'created'
}

async function forget(http: FintocHttp, { link_token }: LinkedQuestion): Promise<void> {
  try {
    await http.ask({ method: 'DELETE', path: `/v1/links/${encodeURIComponent(link_token)}` })
  } catch (error) {
    if (!(error instanceof BankFailure) || error.reason !== 'gone') throw error
  }
}

async function exchange(http: FintocHttp, exchange_token: string): Promise<BankLink> {
  try {
    const query = { exchange_token }
    return linkOf((await http.ask({ method: 'GET', path: '/v1/links/exchange', query, hurried: true })).json)
  } catch (error) {
    // A key of ours that is not taken is nothing that the person at the page could mend with another token.
    if (!(error instanceof FintocRefusal) || (error.status !== 401 && error.status !== 403)) throw error
    throw new BankFailure('unreachable', error.message)
  }
}

/** Fintoc, the provider of bank data in Chile. https://docs.fintoc.com */
export function fintocBank(settings: FintocSettings, times: FintocTimes = {}): Bank {
  const http = new FintocHttp(settings, times)
  return {
    provider: 'fintoc',
    page: WIDGET,
    async begin({ holder_type, at }) {
      const body = { product: 'movements', country: 'cl', holder_type }
      const { json } = await http.ask({ method: 'POST', path: '/v1/link_intents', body, hurried: true })
      const { widget_token } = objectOf(json, 'link intent')
      if (typeof widget_token !== 'string' || !/^[\w-]{8,400}$/.test(widget_token))
        throw new BankFailure('unreadable', 'Fintoc answered without a widget token')
      return { widget_token, public_key: settings.public_key, expires_at: secondsFrom(at, BANK.link_seconds) }
    },
    exchange: ({ exchange_token }) => exchange(http, exchange_token),
    refresh: (question) => refresh(http, question),
    isRefreshing: (question) => isRefreshing(http, question),
    async accounts({ link_token }) {
      return accountsOf((await http.ask({ method: 'GET', path: '/v1/accounts', query: { link_token } })).json)
    },
    movements: (question) => pagesOf(http, settings.url, question),
    forget: (question) => forget(http, question),
    readNotice: (notice) => readFintocNotice(settings.webhook_secret, notice),
    close: () => http.close(),
  }
}
