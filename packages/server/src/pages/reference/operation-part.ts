import type { TSchema } from 'typebox'
import type { Operation } from '../../domain/operation.ts'
import { ownCodesOf } from '../../domain/operation-codes.ts'
import type { Example } from '../../domain/recorded-examples.ts'
import type { Addresses } from '../../ports/ports.ts'
import { type Html, html, prose } from '../html.ts'
import { samplePart } from '../samples/sample-part.ts'
import { fieldList } from './fields.ts'
import { needs } from './needs.ts'
import type { Objects } from './objects.ts'
import { trial } from './trial.ts'

function inputPart(title: string, id: string, schema: TSchema | undefined): Html | null {
  const fields = schema ? fieldList(schema, { anchor: id, marks_required: true }) : null
  return fields && html`<h3>${title}</h3>${fields}`
}

function answerPart(operation: Operation, objects: Objects): Html {
  const { id, status, returns } = operation
  const known = objects.answered(operation)
  const line = (what: Html | string) => html`<h3>Answer</h3><p><code>${status}</code> ${what}</p>`
  if (known) return line(html`${known.is_list && 'a list of '}<a href="${known.href}">${known.name}</a>`)
  if (returns === null) return line('without a body')
  const { type } = returns as { readonly type?: string }
  const fields = fieldList(returns, { anchor: `${id}.answer`, marks_required: false, homeOf: objects.homeOf })
  return html`${line(type === 'string' ? 'a file' : 'an object')}${fields}`
}

/** Its own refusals by name. Those of the ladder are the same for every call, and told once. */
function codes(operation: Operation): Html {
  const own =
    operation.api === 'bootstrap'
      ? operation.account_errors.map((code) => html`<a href="/docs/errors#account.${code}">${code}</a> `)
      : ownCodesOf(operation).map((code) => html`<a href="/docs/errors/${code}">${code}</a> `)
  return html`<h3>Errors</h3><p class="codes">${own}<a class="any" href="/docs/errors#${operation.api === 'v1' ? 'any_call' : 'account'}">those of any call</a></p>`
}

/** One operation: what it is, what it needs and takes at the left, what it looks like at the right. */
export function operationPart(
  operation: Operation,
  objects: Objects,
  example: Example | undefined,
  addresses: Addresses,
): Html {
  const { id, method, path, api, summary, description, params, query, body } = operation
  return html`<section class="op" id="${id}">
<h2><a class="anchor" href="#${id}">${summary}</a></h2>
<p class="call"><span class="verb ${method}">${method}</span> <span>${api === 'v1' && '/v1'}${path}</span></p>
<div class="both"><div>
${description && html`<p>${prose(description)}</p>`}
${needs(operation)}
${inputPart('Path', id, params)}
${inputPart('Query', id, query)}
${inputPart('Body', id, body)}
${answerPart(operation, objects)}
${codes(operation)}
</div><div class="shown">${example && samplePart(operation, example, addresses, trial(operation, example))}</div></div>
</section>`
}
