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

/** Where a guide names the address of the service, it says this: each server shows its own. */
const ADDRESS = '{{public_url}}'

/** Every guide, by name, with the address of this server. An installed one may come without them: then there are none. */
export async function readGuides(public_url: string, folder: URL = FOLDER): Promise<Guide[]> {
  const files = (await readdir(folder).catch(() => [])).filter((file) => file.endsWith('.md')).sort()
  return Promise.all(
    files.map(async (file) => {
      const text = await readFile(new URL(file, folder), 'utf8')
      return guideOf(file.slice(0, -3), text.replaceAll(ADDRESS, public_url))
    }),
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
  if (marks === '##') return html`<h2>${inline(heading)}</h2>`
  if (marks !== '') return html`<h3>${inline(heading)}</h3>`
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

/** Guides name each other as files, which leads from one Markdown to the next; pages have no ending. */
const asPages = (text: string) => text.replace(/\]\(([a-z0-9-]+)\.md(#[a-z0-9-]+)?\)/g, '](/docs/guides/$1$2)')

export function guidePage(guide: Guide): Answer {
  const body = html`<p class="small"><a href="/docs/guides">Guides</a></p>${blocksOf(asPages(guide.text)).map(blockOf)}`
  return docsPage('/docs/guides', { title: guide.title, description: guide.about, narrow: true, body })
}

export function guidesPage(guides: readonly Guide[]): Answer {
  const body = html`<h1>Guides</h1>
<ul class="cards">${guides.map(({ name, title, about }) => html`<li><a href="/docs/guides/${name}">${title}</a><p>${inline(about)}</p></li>`)}</ul>`
  return docsPage('/docs/guides', { title: 'Guides', description: 'How to do things with the Timbre API.', body })
}
