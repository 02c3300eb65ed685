import { readdir, readFile } from 'node:fs/promises'
import type { Answer } from '../kernel/answer.ts'
import { docsPage } from './docs-layout.ts'
import { guideHtml, headingsOf, slugOf } from './guide-text.ts'
import { type Html, html, trusted } from './html.ts'
import { inline } from './markdown-to-html.ts'

/** The languages that guides are written in. The reference, which programs read too, is in English. */
export const GUIDE_LANGUAGES = ['en', 'es'] as const
export type GuideLanguage = (typeof GUIDE_LANGUAGES)[number]

export interface Guide {
  readonly name: string
  readonly title: string
  /** Its first paragraph: what it is about. */
  readonly about: string
  readonly text: string
}

interface Copy {
  readonly html_lang: 'en' | 'es-CL'
  readonly path: string
  readonly folder: string
  readonly title: string
  readonly about: string
  /** The way to the same page in the other language, said in that one. */
  readonly other: string
  readonly none: string
}

const COPY: Readonly<Record<GuideLanguage, Copy>> = {
  en: {
    html_lang: 'en',
    path: '/docs/guides',
    folder: './',
    title: 'Guides',
    about: 'How to do things with the Timbre API.',
    other: 'Read in English',
    none: 'There are no guides here.',
  },
  es: {
    html_lang: 'es-CL',
    path: '/docs/es/guides',
    folder: 'es/',
    title: 'Guías',
    about: 'Cómo hacer las cosas con la API de Timbre.',
    other: 'Leer en español',
    none: 'Todavía no hay guías en español. En inglés están todas.',
  },
}

export const guidesPath = (language: GuideLanguage) => COPY[language].path
export const otherLanguage = (language: GuideLanguage): GuideLanguage => (language === 'en' ? 'es' : 'en')

// The repository's root, from the sources and from the build alike.
const FOLDER = new URL('../../../../docs/guides/', import.meta.url)

function guideOf(name: string, text: string): Guide {
  const title = /^# +(.*)$/m.exec(text)?.[1] ?? name
  const [, about = ''] = text.split(/\n\s*\n/)
  return { name, title, about: about.replace(/\s+/g, ' ').trim(), text }
}

/** Where a guide names the address of the service, it says this: each server shows its own. */
const ADDRESS = '{{public_url}}'

/** Those that lead in come first; the others follow by name. */
const FIRST = ['first-hour', 'testing', 'webhooks', 'idempotency-and-retries', 'errors', 'point-of-sale', 'erp']
const placeOf = (name: string) => (FIRST.includes(name) ? FIRST.indexOf(name) : FIRST.length)

/** Every guide of a language, with the address of this server. An installed one may come without them: then there are none. */
export async function readGuides(public_url: string, language: GuideLanguage = 'en'): Promise<Guide[]> {
  const folder = new URL(COPY[language].folder, FOLDER)
  const files = (await readdir(folder).catch(() => [])).filter((file) => file.endsWith('.md')).sort()
  const guides = await Promise.all(
    files.map(async (file) => {
      const text = await readFile(new URL(file, folder), 'utf8')
      return guideOf(file.slice(0, -3), text.replaceAll(ADDRESS, public_url))
    }),
  )
  return guides.sort((a, b) => placeOf(a.name) - placeOf(b.name))
}

/** A guide or the list of them, and where it is in the other language: that one sets what is remembered. */
function switchTo(language: GuideLanguage, name: string | null): Html {
  const { path, other, html_lang } = COPY[language]
  return html`<a href="${path}${name && `/${name}`}?lang=${language}" lang="${html_lang}" hreflang="${html_lang}">${other}</a>`
}

function alternates(language: GuideLanguage, name: string | null): Html {
  return html`${[language, otherLanguage(language)].map(
    (one) =>
      html`<link rel="alternate" hreflang="${COPY[one].html_lang}" href="${COPY[one].path}${name && `/${name}`}">\n`,
  )}`
}

function sideOf(language: GuideLanguage, guides: readonly Guide[], open: Guide): Html {
  const { path, title } = COPY[language]
  const inside = html`<ul>${headingsOf(open.text).map((heading) => html`<li><a href="#${slugOf(heading)}">${inline(heading)}</a></li>`)}</ul>`
  return html`<nav class="side" aria-label="${title}"><details open><summary>${title}</summary><ul>${guides.map(
    (guide) =>
      html`<li><a href="${path}/${guide.name}"${guide.name === open.name && trusted(' aria-current="page"')}>${guide.title}</a>${guide.name === open.name && inside}</li>`,
  )}</ul></details></nav>`
}

/** Guides name each other as files, which leads from one Markdown to the next; pages have no ending. */
const asPages = (text: string, path: string) => text.replace(/\]\(([a-z0-9-]+)\.md(#[a-z0-9-]+)?\)/g, `](${path}/$1$2)`)

export interface GuideView {
  readonly language: GuideLanguage
  readonly guides: readonly Guide[]
  /** Whether the same page is there in the other language. */
  readonly is_translated: boolean
}

export function guidePage(guide: Guide, { language, guides, is_translated }: GuideView): Answer {
  const { path, title, html_lang } = COPY[language]
  const body = html`<p class="crumbs"><a href="${path}">${title}</a><a href="${path}/${guide.name}.md">Markdown</a>${is_translated && switchTo(otherLanguage(language), guide.name)}</p>
${guideHtml(asPages(guide.text, path))}`
  return docsPage(path, {
    title: guide.title,
    description: guide.about,
    lang: html_lang,
    narrow: true,
    side: sideOf(language, guides, guide),
    ...(is_translated && { head: alternates(language, guide.name) }),
    body,
  })
}

export function guidesPage({ language, guides, is_translated }: GuideView): Answer {
  const { path, title, about, none, html_lang } = COPY[language]
  const body = html`<h1>${title}</h1>
${is_translated && html`<p class="crumbs">${switchTo(otherLanguage(language), null)}</p>`}
${guides.length === 0 && html`<p class="soft">${none}</p>`}
<ul class="cards">${guides.map((guide) => html`<li><a href="${path}/${guide.name}">${guide.title}</a><p>${inline(guide.about)}</p></li>`)}</ul>`
  const head = is_translated ? { head: alternates(language, null) } : {}
  return docsPage(path, { title, description: about, lang: html_lang, ...head, body })
}
