import { readdir, readFile } from 'node:fs/promises'
import type { Answer } from '../kernel/answer.ts'
import { docsPage, table } from './docs-layout.ts'
import { type Html, html } from './html.ts'
import { inline } from './markdown-to-html.ts'

export interface Guide {
  readonly name: string
  readonly title: string
  /** Its first paragraph: what it is about. */
  readonly about: string
  readonly text: string
}

// The repository's root, from the sources and from the build alike.
const FOLDER = new URL('../../../../docs/guides/', import.meta.url)

function guideOf(name: string, text: string): Guide {
  const title = /^# +(.*)$/m.exec(text)?.[1] ?? name
  const [, about = ''] = text.split(/\n\s*\n/)
  return { name, title, about: about.replace(/\s+/g, ' ').trim(), text }
}

/** Every guide, by name. An installed server may come without them: then there are none. */
export async function readGuides(folder: URL = FOLDER): Promise<Guide[]> {
  const files = (await readdir(folder).catch(() => [])).filter((file) => file.endsWith('.md')).sort()
  return Promise.all(
    files.map(async (file) => guideOf(file.slice(0, -3), await readFile(new URL(file, folder), 'utf8'))),
  )
}

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

function blockOf(block: string): Html {
  const lines = block.split('\n')
  const [first = ''] = lines
  const [, marks = '', heading = ''] = /^(#{1,4}) +(.*)$/.exec(first) ?? []
  if (first.startsWith('    '))
    return html`<pre tabindex="0"><code>${lines.map((line) => line.slice(4)).join('\n')}</code></pre>`
  if (marks === '#') return html`<h1>${inline(heading)}</h1>`
  if (marks === '##') return html`<h2>${inline(heading)}</h2>`
  if (marks !== '') return html`<h3>${inline(heading)}</h3>`
  if (first.startsWith('|')) return rowsOf(lines)
  if (/^[-*] /.test(first)) return html`<ul>${items(lines)}</ul>`
  if (/^\d+\. /.test(first)) return html`<ol>${items(lines)}</ol>`
  return html`<p>${inline(lines.join(' '))}</p>`
}

/** A blank line within code does not end it. */
function blocksOf(text: string): string[] {
  return text
    .trim()
    .replace(/(?<=(?:^|\n) {4}[^\n]*)\n\n(?= {4})/g, '\n    \n')
    .split(/\n\n+/)
}

export function guidePage(guide: Guide): Answer {
  const body = html`<p class="small"><a href="/docs/guides">Guides</a></p>${blocksOf(guide.text).map(blockOf)}`
  return docsPage('/docs/guides', { title: guide.title, description: guide.about, narrow: true, body })
}

export function guidesPage(guides: readonly Guide[]): Answer {
  const body = html`<h1>Guides</h1>
<ul class="cards">${guides.map(({ name, title, about }) => html`<li><a href="/docs/guides/${name}">${title}</a><p>${inline(about)}</p></li>`)}</ul>`
  return docsPage('/docs/guides', { title: 'Guides', description: 'How to do things with the Timbre API.', body })
}
