import type { TSchema } from 'typebox'
import type { Operation } from '../domain/operation.ts'
import { accountCodesOf, codesOf } from '../domain/operation-codes.ts'
import type { Addresses } from '../ports/ports.ts'
import { conventions } from './conventions.ts'
import { docsPage, titleOf } from './docs-layout.ts'
import { type Html, html, prose } from './html.ts'
import { answerName, fieldTable } from './schema-rows.ts'

export interface Group {
  readonly key: string
  readonly title: string
  readonly operations: readonly Operation[]
}

const groupOf = ({ api, id }: Operation) => (api === 'bootstrap' ? 'cold_start' : (id.split('.')[0] ?? id))

/** Operations by the noun their id starts with, those that need no credential first. */
export function groupsOf(operations: readonly Operation[]): Group[] {
  const keys = [...new Set(operations.map(groupOf))].sort((a, b) => +(b === 'cold_start') - +(a === 'cold_start'))
  return keys.map((key) => ({
    key,
    title: key === 'cold_start' ? 'Cold start' : titleOf(key),
    operations: operations.filter((operation) => groupOf(operation) === key),
  }))
}

const WHO: Readonly<Record<Operation['reach'], string>> = {
  public: 'no credential',
  account: 'API key',
  empresa: 'API key on one empresa',
  session: 'account session',
  operator: 'operator secret',
  operator_account: 'operator secret',
  installation: 'operator secret',
}

function tags(operation: Operation): Html[] {
  const { scope, limit, idempotent, reach, path } = operation
  const all: (Html | false)[] = [
    html`<li>${WHO[reach]}</li>`,
    scope !== undefined && html`<li>scope <code>${scope}</code></li>`,
    reach === 'empresa' && !path.includes('{empresa_id}') && html`<li><code>Svc-Empresa</code></li>`,
    operation.root_only && html`<li>root key</li>`,
    operation.test_only && html`<li>test mode only</li>`,
    idempotent === 'required' && html`<li class="stop"><code>Idempotency-Key</code> required</li>`,
    idempotent === 'optional' && html`<li><code>Idempotency-Key</code></li>`,
    limit !== undefined && html`<li><a href="/docs/limits">limit <code>${limit}</code></a></li>`,
    operation.sunset !== undefined && html`<li class="stop">goes away on ${operation.sunset.slice(0, 10)}</li>`,
  ]
  return all.filter((tag) => tag !== false)
}

function part(title: string, schema: TSchema | undefined): Html | null {
  const fields = schema ? fieldTable(schema, { marks_required: true }) : null
  return fields && html`<h4>${title}</h4>${fields}`
}

function answer({ status, returns }: Operation): Html {
  const fields = returns && fieldTable(returns, { marks_required: false })
  const line = html`<code>${status}</code> ${answerName(returns)}`
  if (!fields) return html`<p class="small">Answers ${line}.</p>`
  return html`<details><summary>Answers ${line}</summary>${fields}</details>`
}

function codes(operation: Operation): Html {
  if (operation.api === 'bootstrap') {
    return html`${accountCodesOf(operation).map((code) => html`<a href="/docs/errors#account">${code}</a> `)}`
  }
  return html`${codesOf(operation).map((code) => html`<a href="/docs/errors/${code}">${code}</a> `)}`
}

function operationPart(operation: Operation): Html {
  const { id, method, path, api, summary, description, params, query, body } = operation
  return html`<section class="op" id="${id}">
<h3><a href="#${id}">${summary}</a></h3>
<p class="call"><span class="verb ${method}">${method}</span> <span>${api === 'v1' && '/v1'}${path}</span></p>
<ul class="tags">${tags(operation)}</ul>
${description && html`<p>${prose(description)}</p>`}
${part('Path', params)}
${part('Query', query)}
${part('Body', body)}
${answer(operation)}
<details><summary>Error codes</summary><p class="codes">${codes(operation)}</p></details>
</section>`
}

function groupPart({ key, title, operations }: Group): Html {
  return html`<section><h2 id="${key}">${title}</h2>${operations.map(operationPart)}</section>`
}

export function referencePage(operations: readonly Operation[], addresses: Addresses) {
  const groups = groupsOf(operations)
  const body = html`<div class="split">
<nav class="toc" aria-label="On this page"><a href="#conventions">Conventions</a>${groups.map(({ key, title }) => html`<a href="#${key}">${title}</a>`)}</nav>
<div><h1>Reference</h1>
<p class="lead">${operations.length} operations. Each is described here by the very table the service routes, validates and documents its contract from.</p>
${conventions(addresses)}
${groups.map(groupPart)}
</div></div>`
  return docsPage('/docs', { title: 'Reference', description: 'Every operation of the Timbre API.', body })
}
