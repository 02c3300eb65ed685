import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { Answer } from '../kernel/answer.ts'
import { DOCS_STYLE } from './docs-style.ts'
import { html } from './html.ts'
import { type Sheet, sheetOf } from './layout.ts'

// The package's folder, from the sources and from the build alike.
const FILE = new URL('../../public/docs.js', import.meta.url)

export const SCRIPT_PATH = '/docs/assets/docs.js'

/** Before anything is drawn: a reader who chose a scheme never sees the other one flash by. */
const CHOSEN_THEME = "try{document.documentElement.dataset.theme=localStorage.getItem('timbre.theme')||''}catch{}"

interface Script {
  readonly text: string
  readonly hash: string
}

let read: Script | null = null
/** Search, copying, trying out. Every page can be read without it; an installed server may even come without the file. */
function script(): Script {
  if (read) return read
  let text = ''
  try {
    text = readFileSync(FILE, 'utf8')
  } catch {
    text = ''
  }
  read = { text, hash: createHash('sha256').update(text).digest('base64') }
  return read
}

let sheet: Sheet | null = null
/** How every page of the documentation looks, and the one script it may run. */
export function docsSheet(): Sheet {
  if (sheet) return sheet
  const { hash } = script()
  const address = `${SCRIPT_PATH}?v=${encodeURIComponent(hash.slice(0, 12))}`
  const tag = html`<script src="${address}" integrity="sha256-${hash}" defer></script>`
  sheet = sheetOf(DOCS_STYLE, { inline: CHOSEN_THEME, tag })
  return sheet
}

/** The script itself. Its address changes with it, so a browser asks for it once. */
export function scriptAnswer(): Answer {
  const headers = {
    'Content-Type': 'text/javascript; charset=utf-8',
    'Cache-Control': 'public, max-age=31536000, immutable',
  }
  return { status: 200, headers, body: script().text }
}
