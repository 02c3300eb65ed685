import type { Operation } from '../../domain/operation.ts'
import type { Example } from '../../domain/recorded-examples.ts'
import { type Html, html } from '../html.ts'
import { takesEmpresa } from '../samples/sent.ts'

/**
 * Whether a page may offer to call it: in the sandbox, by the account session of whoever reads. What answers a secret is left out,
 * so that no key ever enters a page.
 */
export function canBeTried({ dashboard, reveals_secret, returns }: Operation): boolean {
  const is_file = (returns as { readonly 'x-artifact'?: boolean } | null)?.['x-artifact'] === true
  return dashboard && !reveals_secret && !is_file
}

/** The button, with all that the script needs to know of the call. */
export function trial(operation: Operation, { request }: Example): Html | false {
  if (!canBeTried(operation)) return false
  const call = {
    id: operation.id,
    title: operation.summary,
    method: operation.method,
    path: `/dashboard${operation.path}`,
    empresa: takesEmpresa(operation),
    idempotent: operation.idempotent !== false,
    query: request.query ?? {},
    ...(request.body !== undefined && { body: request.body }),
  }
  return html`<button type="button" class="try" data-try="${JSON.stringify(call)}" hidden>Try it</button>`
}
