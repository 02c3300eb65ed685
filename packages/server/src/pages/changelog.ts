import { readFile } from 'node:fs/promises'
import type { Answer } from '../kernel/answer.ts'
import type { Addresses } from '../ports/ports.ts'
import { docsPage } from './docs-layout.ts'
import { escapeHtml, html } from './html.ts'
import { markdown } from './markdown-to-html.ts'

export interface Entry {
  /** The heading before its date, such as a version; empty when it is only a date. */
  readonly name: string
  readonly date: string
  readonly text: string
}

// The repository's root, from the sources and from the build alike.
const FILE = new URL('../../../../CHANGELOG.md', import.meta.url)
const HEADING = /^## +(?:\[?([^\]\n]*?)\]?\s*[-–—:]\s*)?(\d{4}-\d{2}-\d{2})\s*$/

/** Dated sections, newest first. What stands under no date, such as an introduction, is left out. */
export function parseChangelog(text: string): Entry[] {
  const entries: { name: string; date: string; lines: string[] }[] = []
  let current: string[] | null = null
  for (const line of text.replaceAll('\r\n', '\n').split('\n')) {
    const [, name = '', date] = HEADING.exec(line) ?? []
    if (date !== undefined) {
      current = []
      entries.push({ name: name.trim(), date, lines: current })
    } else if (/^#{1,2} /.test(line)) current = null
    else current?.push(line)
  }
  return entries
    .map(({ name, date, lines }) => ({ name, date, text: lines.join('\n').trim() }))
    .sort((a, b) => (a.date < b.date ? 1 : a.date > b.date ? -1 : 0))
}

/** An installed server may come without the file: then the changelog is empty. */
export async function readChangelog(file: URL = FILE): Promise<Entry[]> {
  return readFile(file, 'utf8').then(parseChangelog, () => [])
}

const anchor = ({ date, name }: Entry) => (name === '' ? date : `${date}-${name.replace(/[^\w.]+/g, '-')}`)
const titleOfEntry = ({ date, name }: Entry) => (name === '' ? date : `${name}, ${date}`)

export function changelogPage(entries: readonly Entry[]): Answer {
  const body = html`<h1>Changelog</h1>
<p class="lead"><code>/v1</code> only grows. Whatever is withdrawn is announced here twelve months before, and by a <code>Sunset</code> header on the operation.</p>
<p><a href="/changelog.rss">Follow it by RSS</a></p>
${entries.length === 0 && html`<p class="soft">Nothing is recorded here yet.</p>`}
${entries.map((entry) => html`<section><h2 id="${anchor(entry)}"><a href="#${anchor(entry)}">${titleOfEntry(entry)}</a></h2>${markdown(entry.text)}</section>`)}`
  const head = html`<link rel="alternate" type="application/rss+xml" title="Timbre changelog" href="/changelog.rss">`
  return docsPage('/changelog', { title: 'Changelog', narrow: true, head, body })
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: XML does not allow them
const xml = (text: string) => escapeHtml(text.replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f]/g, ''))
const rfc822 = (date: string) => new Date(`${date}T12:00:00Z`).toUTCString()

export function changelogFeed(entries: readonly Entry[], { public_url }: Addresses): Answer {
  const items = entries.map((entry) => {
    const address = xml(`${public_url}/changelog#${anchor(entry)}`)
    return `<item><title>${xml(titleOfEntry(entry))}</title><link>${address}</link><guid isPermaLink="true">${address}</guid>
<pubDate>${rfc822(entry.date)}</pubDate><description>${xml(markdown(entry.text).text)}</description></item>`
  })
  const body = `<?xml version="1.0" encoding="UTF-8"?>
<rss version="2.0" xmlns:atom="http://www.w3.org/2005/Atom"><channel>
<title>Timbre changelog</title><link>${xml(`${public_url}/changelog`)}</link>
<description>What changed in the Timbre API.</description><language>en</language>
<atom:link href="${xml(`${public_url}/changelog.rss`)}" rel="self" type="application/rss+xml"/>
${items.join('\n')}
</channel></rss>
`
  const headers = { 'Content-Type': 'application/rss+xml; charset=utf-8' }
  return { status: 200, headers, body }
}
