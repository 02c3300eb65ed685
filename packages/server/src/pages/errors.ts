import { ACCOUNT_ERRORS, type AccountErrorCode } from '../catalog/account-errors.ts'
import { ERROR_CODES, type ErrorCode, type ErrorType, errorEntry, isRetriable } from '../catalog/errors.ts'
import type { Operation } from '../domain/operation.ts'
import { codesOf, ownCodesOf } from '../domain/operation-codes.ts'
import { errorBody, Problem } from '../kernel/problem.ts'
import type { Addresses } from '../ports/ports.ts'
import { closestMatches } from './closest-match.ts'
import { docsPage, table } from './docs-layout.ts'
import { type Html, html, prose } from './html.ts'
import { addressOf } from './reference/resources.ts'

/** The meaning of a family of refusals, and what a program should do about it, whatever the code. */
const FAMILIES: Readonly<Record<ErrorType, { readonly means: string; readonly act: string }>> = {
  invalid_request_error: {
    means: 'The request is malformed, incomplete or not paid for.',
    act: 'Do not repeat it as it is: correct what `param` names first.',
  },
  authentication_error: {
    means: 'The credential is absent, revoked or malformed.',
    act: 'Do not repeat it: send a credential that works.',
  },
  permission_error: {
    means: 'The credential works and may not do this.',
    act: 'Do not repeat it: use a credential with the scope, the empresa or the mode it lacks.',
  },
  not_found_error: {
    means: 'There is no such thing under this credential.',
    act: 'Check the id, the mode and the empresa before asking again.',
  },
  conflict_error: {
    means: 'It contradicts something that already exists or is under way.',
    act: 'Read what exists (`existing_id` names it where there is one) and decide again.',
  },
  unprocessable_error: {
    means: 'It is well formed and breaks a rule of the domain.',
    act: 'Do not repeat the same body: change what the message names.',
  },
  rate_limit_error: {
    means: 'Too many calls in too short a time.',
    act: 'Wait `Retry-After` seconds, then repeat the same request.',
  },
  sii_error: {
    means: 'The SII failed or refused to answer.',
    act: 'Repeat it later with the same `Idempotency-Key`.',
  },
  api_error: {
    means: 'We failed. Nothing was issued.',
    act: 'Repeat it with backoff and the same `Idempotency-Key`.',
  },
}

const link = (code: ErrorCode) => html`<a href="/docs/errors/${code}"><code>${code}</code></a>`

function familyPart(type: ErrorType): Html {
  const rows = ERROR_CODES.filter((code) => errorEntry(code).type === type).map((code) => {
    const { status, message } = errorEntry(code)
    return html`<tr id="${code}"><td>${link(code)}</td><td class="num">${status}</td><td>${prose(message)}</td><td>${isRetriable(code) ? 'retry' : ''}</td></tr>`
  })
  return html`<h2 id="${type}"><code>${type}</code></h2>
<p>${prose(FAMILIES[type].means)} ${prose(FAMILIES[type].act)}</p>
${table(['Code', 'Status', 'Meaning', 'Retry'], rows)}`
}

function accountPart(): Html {
  const rows = (Object.keys(ACCOUNT_ERRORS) as AccountErrorCode[]).map((code) => {
    const { status, message } = ACCOUNT_ERRORS[code]
    return html`<tr id="account.${code}"><td><a class="anchor" href="#account.${code}"><code>${code}</code></a></td><td class="num">${status}</td><td lang="es-CL">${message}</td></tr>`
  })
  return html`<h2 id="account">On <code>/account</code></h2>
<p>The surface where people sign up answers <code>{status, message, data, errors[]}</code>. Branch on <code>errors[0]</code>; the message is Spanish, for the person.</p>
${table(['Code', 'Status', 'Message'], rows)}`
}

/** What the ladder refuses before a verb runs: the operations that can are told by what they have in common. */
function anyCallPart(operations: readonly Operation[]): Html {
  const own = operations.filter(({ api }) => api === 'v1')
  const counts = new Map<ErrorCode, number>()
  for (const operation of own) {
    const declared = ownCodesOf(operation)
    for (const code of codesOf(operation)) {
      if (!declared.includes(code)) counts.set(code, (counts.get(code) ?? 0) + 1)
    }
  }
  const rows = [...counts]
    .sort(([, one], [, other]) => other - one)
    .map(
      ([code, count]) =>
        html`<tr><td>${link(code)}</td><td class="num">${errorEntry(code).status}</td><td>${count === own.length ? 'every operation' : `${count} operations`}</td></tr>`,
    )
  return html`<h2 id="any_call">Of any call</h2>
<p>These come before an operation looks at anything: the credential, the limits, the empresa, the shape of the request, the <code>Idempotency-Key</code>. The page of an operation lists what it refuses beside them.</p>
${table(['Code', 'Status', 'Who answers it'], rows)}`
}

export function errorsPage(operations: readonly Operation[]) {
  const types = Object.keys(FAMILIES) as ErrorType[]
  const body = html`<h1>Errors</h1>
<p class="lead">An error is an HTTP status and one <code>error</code> object. Branch on <code>code</code>, never on text; <code>type</code> tells what to do about a code you do not know.</p>
<p>The same dictionary is served to programs, without a credential, at <code>GET /v1/error_codes</code>.</p>
${types.map(familyPart)}
${anyCallPart(operations)}
${accountPart()}`
  return docsPage('/docs/errors', { title: 'Errors', description: 'Every error code of the Timbre API.', body })
}

function raisedBy(code: ErrorCode, operations: readonly Operation[]): Html {
  const own = operations.filter((operation) => operation.api === 'v1')
  const raising = own.filter((operation) => codesOf(operation).includes(code))
  if (raising.length === 0) return html``
  if (raising.length > own.length / 2)
    return html`<h2>Where</h2><p>${raising.length} of ${own.length} operations can answer it.</p>`
  return html`<h2>Where</h2><ul>${raising.map((operation) => html`<li><a href="${addressOf(operation)}">${operation.summary}</a> <span class="soft mono small">${operation.method} /v1${operation.path}</span></li>`)}</ul>`
}

function onePage(code: ErrorCode, operations: readonly Operation[], addresses: Addresses) {
  const { type, status, message, hint, retry_after_seconds } = errorEntry(code)
  const example = { error: errorBody(new Problem(code), { request_id: 'req_…', docs_url: addresses.docs_url }) }
  const wait =
    retry_after_seconds === undefined
      ? 'No: the identical request fails again'
      : `Yes, after about ${retry_after_seconds} s or what \`Retry-After\` says`
  const body = html`<p class="small"><a href="/docs/errors">Errors</a></p>
<h1><code>${code}</code></h1>
<p class="lead">${prose(message)}</p>
<dl class="facts"><dt>Status</dt><dd>${status}</dd><dt>Type</dt><dd><a href="/docs/errors#${type}"><code>${type}</code></a></dd><dt>Retriable</dt><dd>${prose(wait)}</dd></dl>
<div class="note"><p>${prose(hint)}</p></div>
<h2>What to do</h2><p>${prose(FAMILIES[type].act)}</p>
<h2>On the wire</h2><pre tabindex="0"><code>${JSON.stringify(example, null, 2)}</code></pre>
${raisedBy(code, operations)}`
  return docsPage('/docs/errors', { title: code, description: message, narrow: true, body })
}

/** A code nobody knows: most often a misspelling, or one of a newer version than this. */
function unknownPage(code: string) {
  const near = closestMatches(code, ERROR_CODES, 5)
  const body = html`<h1>No such code</h1>
<p class="lead">This version does not know <code>${code.slice(0, 100)}</code>.</p>
${near.length > 0 && html`<p>Did you mean</p><ul>${near.map((known) => html`<li>${link(known)}: ${prose(errorEntry(known).message)}</li>`)}</ul>`}
<p><a href="/docs/errors">All codes</a></p>`
  return docsPage('/docs/errors', { title: 'No such code', narrow: true, small: true, body }, 404)
}

export function errorPage(code: string, operations: readonly Operation[], addresses: Addresses) {
  const known = ERROR_CODES.find((one) => one === code)
  return known ? onePage(known, operations, addresses) : unknownPage(code)
}
