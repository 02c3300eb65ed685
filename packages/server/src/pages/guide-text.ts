import { table } from './docs-layout.ts'
import { type Html, html } from './html.ts'
import { inline } from './markdown-to-html.ts'

// The Markdown that guides are written in: headings, paragraphs, lists, tables and fenced code.

const cells = (line: string) =>
  line
    .trim()
    .replace(/^\||\|$/g, '')
    .split(/(?<!\\)\|/)
    .map((text) => text.trim().replaceAll('\\|', '|'))

function rowsOf(lines: readonly string[]): Html {
  const [head = '', , ...rows] = lines
  return table(
    cells(head),
    rows.map((line) => html`<tr>${cells(line).map((text) => html`<td>${inline(text)}</td>`)}</tr>`),
  )
}

function items(lines: readonly string[]): Html[] {
  const joined: string[] = []
  for (const line of lines) {
    const [, text] = /^(?:[-*]|\d+\.)\s+(.*)$/.exec(line) ?? []
    if (text === undefined) joined.push(`${joined.pop() ?? ''} ${line.trim()}`)
    else joined.push(text)
  }
  return joined.map((text) => html`<li>${inline(text)}</li>`)
}

const FENCE = '```'

/** Code between fences. What stands behind the language is for the tests, which run it or compare it with a file. */
function fenced([opening = '', ...lines]: readonly string[]): Html {
  const [language = ''] = opening.slice(FENCE.length).split(' ')
  return html`<pre tabindex="0"><code class="language-${language || 'text'}">${lines.slice(0, -1).join('\n')}</code></pre>`
}

function blockOf(block: string): Html {
  const lines = block.split('\n')
  const [first = ''] = lines
  const [, marks = '', heading = ''] = /^(#{1,4}) +(.*)$/.exec(first) ?? []
  if (first.startsWith(FENCE)) return fenced(lines)
  if (marks === '#') return html`<h1>${inline(heading)}</h1>`
  const id = slugOf(heading)
  if (marks === '##') return html`<h2 id="${id}"><a class="anchor" href="#${id}">${inline(heading)}</a></h2>`
  if (marks !== '') return html`<h3 id="${id}"><a class="anchor" href="#${id}">${inline(heading)}</a></h3>`
  if (first.startsWith('|')) return rowsOf(lines)
  if (/^[-*] /.test(first)) return html`<ul>${items(lines)}</ul>`
  if (/^\d+\. /.test(first)) return html`<ol>${items(lines)}</ol>`
  return html`<p>${inline(lines.join(' '))}</p>`
}

/** What blank lines divide. A blank line within code does not end it. */
function blocksOf(text: string): string[] {
  const blocks: string[][] = [[]]
  let is_fenced = false
  for (const line of text.trim().split('\n')) {
    if (line.startsWith(FENCE)) is_fenced = !is_fenced
    if (line !== '' || is_fenced) blocks.at(-1)?.push(line)
    else blocks.push([])
  }
  return blocks.filter(({ length }) => length > 0).map((lines) => lines.join('\n'))
}

/** `Reading the ledger` -> `reading-the-ledger`, as GitHub has it, without accents. */
export function slugOf(heading: string): string {
  return heading
    .normalize('NFD')
    .toLowerCase()
    .replace(/[^a-z0-9 _-]/g, '')
    .trim()
    .replaceAll(' ', '-')
}

/** The parts of a guide, for the list beside it. */
export function headingsOf(text: string): string[] {
  return blocksOf(text).flatMap((block) => /^## +(.*)/.exec(block)?.[1] ?? [])
}

export function guideHtml(text: string): Html {
  return html`${blocksOf(text).map(blockOf)}`
}
