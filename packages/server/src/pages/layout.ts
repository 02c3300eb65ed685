import { createHash } from 'node:crypto'
import type { Answer } from '../kernel/answer.ts'
import { type Html, html, trusted } from './html.ts'
import { BASE_STYLE, STYLE } from './style.ts'

export interface Page {
  readonly title: string
  readonly body: Html
  /** `es-CL` for what a person in Chile reads; `en` for documentation. */
  readonly lang?: 'en' | 'es-CL'
  /** One sentence for search results and link previews. */
  readonly description?: string
  /** Links of the header; none on a page that asks a person for one act. */
  readonly nav?: readonly { readonly href: string; readonly label: string; readonly here?: boolean }[]
  /** What stands in the header beside the links. */
  readonly tools?: Html
  /** A reading width of 42rem: letters, forms, one error. */
  readonly narrow?: boolean
  /** A message, an error or a small form: the base of the stylesheet is enough, and the page half as long. */
  readonly small?: boolean
  /** How it looks, and what runs in it, where that is not the plain stylesheet without a script. */
  readonly sheet?: Sheet
  /** More links of the head, such as a feed. */
  readonly head?: Html
  readonly footer?: Html
}

/** A stylesheet and the policy that lets it, and the scripts of the same sheet, through. */
export interface Sheet {
  readonly tags: Html
  readonly policy: string
}

const hashOf = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`

/**
 * The stylesheet is named by its hash: an injected one, or any style attribute, is dead. So is every script but the one
 * written into the page here, and, where there is one, those of our own address.
 */
export function sheetOf(style: string, script?: { readonly inline: string; readonly tag: Html }): Sheet {
  const scripts = script ? ` script-src 'self' ${hashOf(script.inline)}; connect-src 'self';` : ''
  return {
    tags: html`${trusted(`<style>${style}</style>`)}${script && trusted(`\n<script>${script.inline}</script>\n`)}${script?.tag}`,
    policy:
      `default-src 'none'; style-src ${hashOf(style)};${scripts} img-src 'self' data:; ` +
      "form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
  }
}

const PLAIN = sheetOf(STYLE)
const SMALL = sheetOf(BASE_STYLE)
const sheetFor = ({ sheet, small }: Page) => sheet ?? (small ? SMALL : PLAIN)

// Four columns of a PDF417, the stamp every printed document carries.
const MARK = trusted(
  '<svg viewBox="0 0 20 20" aria-hidden="true"><path d="M0 0h3v20H0zM5 0h2v4H5zM5 8h4v4H5zM9 0h5v4H9zM6 16h3v4H6zM11 6' +
    'h3v8h-3zM11 16h2v4h-2zM17 0h3v20h-3z"/></svg>',
)
const ICON =
  "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 20 20' fill='%23b3261e'%3E%3Cpath d='M0 " +
  '0h3v20H0zM5 0h2v4H5zM5 8h4v4H5zM9 0h5v4H9zM6 16h3v4H6zM11 6h3v8h-3zM11 16h2v4h-2zM17 0h3v20h-3z' +
  "'/%3E%3C/svg%3E"

/** A whole document around a body. No script but that of its sheet: the policy sent with it would not run one. */
export function layout(page: Page): Html {
  const { title, body, lang = 'en', description, nav = [], tools, narrow = false, head, footer } = page
  const full = title === 'Timbre' ? title : `${title} · Timbre`
  return html`<!doctype html>
<html lang="${lang}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">
<title>${full}</title>
${description && html`<meta name="description" content="${description}">`}
<meta name="color-scheme" content="light dark">
<link rel="icon" href="${ICON}">
${head}
${sheetFor(page).tags}
</head>
<body${narrow && trusted(' class="narrow"')}>
<header class="bar"><div><a class="brand" href="/">${MARK}Timbre</a>
${nav.length > 0 && html`<nav>${nav.map(({ href, label, here }) => html`<a href="${href}"${here && trusted(' aria-current="page"')}>${label}</a>`)}</nav>`}
${tools}</div></header>
<main class="wide">${body}</main>
${footer && html`<footer><div class="wide">${footer}</div></footer>`}
</body>
</html>
`
}

/** The answer that carries a page. */
export function pageAnswer(page: Page, status = 200): Answer {
  const headers = {
    'Content-Type': 'text/html; charset=utf-8',
    'Content-Security-Policy': sheetFor(page).policy,
    // The address of a hosted page may hold its only credential: it is told to nobody the page links to.
    'Referrer-Policy': 'no-referrer',
  }
  return { status, headers, body: layout(page).text }
}

/** A page that must not be indexed, cached or named to the sites it links to. */
export function asPrivate(answer: Answer): Answer {
  const secret = {
    'X-Robots-Tag': 'noindex, nofollow, noarchive',
    'Referrer-Policy': 'no-referrer',
    'Cache-Control': 'no-store',
  }
  return { ...answer, headers: { ...answer.headers, ...secret } }
}
