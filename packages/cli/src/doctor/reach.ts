import { boundedFetch } from '../api/bounded-fetch.ts'
import { type Finding, ok, problem, warning } from './finding.ts'

/** Receivers refuse a signature that is five minutes off; a minute is a warning before that. */
const REFUSED_S = 300
const NOTICED_S = 60

/** By how many seconds the clock of this machine is ahead, from an answer and the moment it came. */
export function skewSeconds(date: string | null, sentMs: number, cameMs: number): number | null {
  const theirs = date === null ? Number.NaN : Date.parse(date)
  // Their clock has whole seconds: half of one is the best guess.
  return Number.isNaN(theirs) ? null : Math.round(((sentMs + cameMs) / 2 - theirs - 500) / 1000)
}

export function judgeClock(skew: number | null): Finding {
  const check = 'clock'
  if (skew === null)
    return warning(
      check,
      'The server does not say what time it is.',
      'A proxy takes the Date header away: compare the clocks by hand.',
    )
  const off = Math.abs(skew)
  const way = skew > 0 ? 'ahead of' : 'behind'
  if (off < NOTICED_S) return ok(check, `Within ${Math.max(off, 1)} s of the server.`)
  const remedy = 'Let the system set its clock (NTP): timedatectl set-ntp true, or the settings of date and time.'
  const says = `This machine is ${off} s ${way} the server.`
  if (off < REFUSED_S) return warning(check, `${says} From 300 s on, signatures of webhooks are refused.`, remedy)
  return problem(check, `${says} Signatures of webhooks are refused.`, remedy)
}

/** Whether headers of ours come through: the id of the request is on every answer. */
export function judgeProxy(headers: Headers): Finding {
  const check = 'headers'
  if (headers.has('svc-request-id')) return ok(check, 'Headers come through.')
  return problem(
    check,
    'The answer came without Svc-Request-Id.',
    'A proxy takes headers away that it does not know. Let those that begin with Svc- pass, Idempotency-Key and webhook-*.',
  )
}

export interface Reached {
  readonly findings: readonly Finding[]
  readonly up: boolean
}

/** Whether somebody answers, who it is, and what time it is there. */
export async function lookAtServer(url: string): Promise<Reached> {
  const sent = Date.now()
  try {
    const response = await boundedFetch(`${url}/healthz`, { redirect: 'manual', signal: AbortSignal.timeout(10_000) })
    const came = Date.now()
    const body = await response.text()
    if (!response.ok || !/"status"/.test(body)) {
      const says = `${url} answers ${response.status}, and not as this API does.`
      return {
        up: false,
        findings: [
          problem('server', says, 'TIMBRE_URL is the address of something else, or a proxy stands in between.'),
        ],
      }
    }
    const skew = skewSeconds(response.headers.get('date'), sent, came)
    return {
      up: true,
      findings: [ok('server', `${url} answers in ${came - sent} ms.`), judgeProxy(response.headers), judgeClock(skew)],
    }
  } catch (error) {
    const why = error instanceof Error && error.name === 'TimeoutError' ? 'no answer within 10 s' : codeIn(error)
    const remedy =
      'Start it (`npm start` in a checkout), or set TIMBRE_URL to where it is. Behind a proxy, look at HTTPS_PROXY and NODE_EXTRA_CA_CERTS.'
    return { up: false, findings: [problem('server', `Nobody answers at ${url}: ${why}.`, remedy)] }
  }
}

function codeIn(error: unknown): string {
  const cause = error instanceof Error ? error.cause : undefined
  const inner = cause instanceof AggregateError ? cause.errors[0] : cause
  return inner instanceof Error && 'code' in inner ? String(inner.code) : 'the connection failed'
}
