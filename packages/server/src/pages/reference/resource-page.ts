import type { Examples } from '../../domain/recorded-examples.ts'
import type { Addresses } from '../../ports/ports.ts'
import { docsPage } from '../docs-layout.ts'
import { type Html, html, trusted } from '../html.ts'
import { TONGUE_CHOICE } from '../samples/sample-part.ts'
import { fieldList } from './fields.ts'
import { type NamedObject, Objects } from './objects.ts'
import { operationPart } from './operation-part.ts'
import { areasOf, type Resource } from './resources.ts'

export interface Reference {
  readonly resources: readonly Resource[]
  readonly objects: Objects
  readonly examples: Examples
}

export function referenceOf(resources: readonly Resource[], examples: Examples): Reference {
  return { resources, objects: new Objects(resources), examples }
}

const here = (is_here: boolean) => is_here && trusted(' aria-current="page"')

/** All resources by area; those of the open one with its operations. */
export function sideOf(resources: readonly Resource[], open: Resource | null): Html {
  const inside = ({ operations }: Resource) =>
    html`<ul>${operations.map(({ id, summary }) => html`<li><a href="#${id}">${summary}</a></li>`)}</ul>`
  const item = (resource: Resource) =>
    html`<li><a href="${resource.path}"${here(resource === open)}>${resource.title}</a>${resource === open && inside(resource)}</li>`
  return html`<nav class="side" aria-label="Reference"><details open><summary>All pages of the reference</summary>
<ul><li><a href="/docs"${here(open === null)}>Overview</a></li></ul>
${areasOf(resources).map((area) => html`<p>${area.title}</p><ul>${area.resources.map(item)}</ul>`)}</details></nav>`
}

function objectPart({ name, schema }: NamedObject, { homeOf }: Objects): Html {
  const fields = fieldList(schema, { anchor: name, marks_required: false, homeOf })
  const { description } = schema as { readonly description?: string }
  return html`<section class="object" id="${name}"><h2><a class="anchor" href="#${name}">The ${name} object</a></h2>
${description && html`<p>${description}</p>`}${fields}</section>`
}

/** The pages before and after, in the order of the areas. */
function onward(resources: readonly Resource[], resource: Resource): Html {
  const at = resources.indexOf(resource)
  const [before, after] = [resources[at - 1], resources[at + 1]]
  return html`<nav class="onward" aria-label="Next pages"><span>${before && html`← <a href="${before.path}">${before.title}</a>`}</span><span>${after && html`<a href="${after.path}">${after.title}</a> →`}</span></nav>`
}

/** One resource: its operations in the order of the table, then the objects they answer. */
export function resourcePage(reference: Reference, resource: Resource, addresses: Addresses) {
  const { resources, objects, examples } = reference
  const { title, area, path, operations, key } = resource
  const shows = operations.some(({ id }) => examples[id])
  const body = html`<p class="crumbs"><a href="/docs">Reference</a><span>${area}</span><a href="${path}.md">Markdown</a></p>
<h1>${title}</h1>
<ul class="index">${operations.map(
    ({ id, method, summary, api, path: at }) =>
      html`<li><span class="verb ${method}">${method}</span><span><a href="#${id}">${summary}</a> <span class="mono">${api === 'v1' && '/v1'}${at}</span></span></li>`,
  )}</ul>
${shows && TONGUE_CHOICE}
${operations.map((operation) => operationPart(operation, objects, examples[operation.id], addresses))}
${objects.on(key).map((object) => objectPart(object, objects))}
${onward(resources, resource)}`
  const description = `${title}: ${operations.length} operations of the Timbre API, with examples.`
  return docsPage('/docs', { title, description, side: sideOf(resources, resource), body })
}
