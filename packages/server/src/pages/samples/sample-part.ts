import type { Operation } from '../../domain/operation.ts'
import type { Example } from '../../domain/recorded-examples.ts'
import type { Addresses } from '../../ports/ports.ts'
import { type Html, html, trusted } from '../html.ts'
import { curlSample } from './curl.ts'
import { highlighted } from './highlight.ts'
import { pythonSample } from './python.ts'
import { sentBy } from './sent.ts'
import { typescriptSample } from './typescript.ts'

/** The languages of the samples, and how each is called. */
export const TONGUES = { curl: 'curl', typescript: 'TypeScript', python: 'Python' } as const
export type Tongue = keyof typeof TONGUES
const NAMES = Object.keys(TONGUES) as Tongue[]

/** One operation in every language. */
export function samplesOf(operation: Operation, example: Example, addresses: Addresses): Record<Tongue, string> {
  const sent = sentBy(operation, example, addresses)
  return {
    curl: curlSample(sent),
    typescript: typescriptSample(operation, example, sent),
    python: pythonSample(sent),
  }
}

/**
 * The choice of a language, once a page. The tabs of every sample are labels of these very buttons, so that one choice holds for
 * all of them, with a pointer or a keyboard, and without a script.
 */
export const TONGUE_CHOICE: Html = html`<fieldset class="tongues"><legend>Examples in</legend>${NAMES.map(
  (name) =>
    html`<label><input type="radio" name="tongue" id="in-${name}" value="${name}"${name === 'curl' && trusted(' checked')}> ${TONGUES[name]}</label>`,
)}</fieldset>`

const TABS: Html = html`<span class="tabs" aria-hidden="true">${NAMES.map((name) => html`<label for="in-${name}">${TONGUES[name]}</label>`)}</span>`
const COPY: Html = html`<button type="button" class="copy" data-copy hidden>Copy</button>`

const SHOWN_ITEMS = 2

/** A long list shows how it begins: its other items look like those. */
function shortened(value: unknown): unknown {
  if (Array.isArray(value)) return value.slice(0, SHOWN_ITEMS).map(shortened)
  if (value === null || typeof value !== 'object') return value
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, shortened(one)]))
}

function bodyText(body: unknown): { readonly text: string; readonly is_cut: boolean } {
  if (body === undefined) return { text: '', is_cut: false }
  if (typeof body === 'string') return { text: body, is_cut: false }
  const text = JSON.stringify(shortened(body), null, 2)
  return { text, is_cut: text !== JSON.stringify(body, null, 2) }
}

function answerPart({ response: { status, headers = {}, body, note } }: Example): Html {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
  const { text: json, is_cut } = bodyText(body)
  const text = [lines.join('\n'), note ?? json].filter((part) => part !== '').join('\n\n')
  return html`<figure class="code"><figcaption><span>Answer <span class="status s${Math.floor(status / 100)}">${status}</span>${is_cut && ', its lists shortened'}</span>${text !== '' && COPY}</figcaption>${
    text !== '' && html`<pre tabindex="0" aria-label="Answer"><code>${highlighted(text)}</code></pre>`
  }</figure>`
}

/** What is sent, in each language, and the very answer it was given. */
export function samplePart(operation: Operation, example: Example, addresses: Addresses, trial: Html | false): Html {
  const samples = samplesOf(operation, example, addresses)
  return html`<figure class="code"><figcaption>${TABS}${trial}${COPY}</figcaption>${NAMES.map(
    (name) =>
      html`<pre class="${name}" tabindex="0" aria-label="Example in ${TONGUES[name]}"><code>${highlighted(samples[name])}</code></pre>`,
  )}</figure>${answerPart(example)}`
}
