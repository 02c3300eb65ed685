import type { Answer } from '../../kernel/answer.ts'
import {
  GUIDE_LANGUAGES,
  type Guide,
  type GuideLanguage,
  guidePage,
  guidesPage,
  guidesPath,
  otherLanguage,
} from '../../pages/guides.ts'
import { asMarkdown, markdownAnswer } from '../../pages/html-to-markdown.ts'
import type { PlainRequest, PlainRoute } from '../routes.ts'
import { kept, keptByName } from './kept.ts'

export type Guides = Readonly<Record<GuideLanguage, () => Promise<readonly Guide[]>>>

const MARKDOWN = '.md'
const COOKIE = 'timbre_lang'
const REMEMBERED_SECONDS = 365 * 24 * 3600

const isLanguage = (text: unknown): text is GuideLanguage => GUIDE_LANGUAGES.some((one) => one === text)

function remembered({ header }: PlainRequest): GuideLanguage | null {
  const [, found] = /(?:^|;\s*)timbre_lang=(\w+)/.exec(header('cookie') ?? '') ?? []
  return isLanguage(found) ? found : null
}

/** What depends on what a browser remembers is kept by nobody in between. */
const OWN = { 'Cache-Control': 'private, no-cache', Vary: 'Cookie' }

const goTo = (path: string, headers: Record<string, string> = {}): Answer => ({
  status: 302,
  headers: { ...OWN, ...headers, Location: path },
  body: null,
})

/**
 * Whoever chose a language gets it wherever there is the same page in it; the choice comes with the address, is remembered by a
 * cookie and leaves the address again. Null where this is the page to show.
 */
function toOtherLanguage(language: GuideLanguage, page: PageOfGuides, request: PlainRequest): Answer | null {
  const path = (to: GuideLanguage) => `${guidesPath(to)}${page.guide ? `/${page.guide.name}` : ''}`
  const { lang } = request.query
  if (isLanguage(lang)) {
    const cookie = `${COOKIE}=${lang}; Path=/docs; Max-Age=${REMEMBERED_SECONDS}; SameSite=Lax`
    return goTo(path(lang === language || page.is_translated ? lang : language), { 'Set-Cookie': cookie })
  }
  const wanted = remembered(request)
  return wanted !== null && wanted !== language && page.is_translated ? goTo(path(wanted)) : null
}

/** A guide, or the list of them. */
interface PageOfGuides {
  readonly guide: Guide | undefined
  readonly guides: readonly Guide[]
  /** Whether the other language has it too. */
  readonly is_translated: boolean
}

const LIST = ''

/** The guides of both languages: pages, and the very files as Markdown. */
export function guideRoutes(guides: Guides): PlainRoute[] {
  return GUIDE_LANGUAGES.flatMap((language): PlainRoute[] => {
    const path = guidesPath(language)
    const list = async (status: number) => {
      const view = { language, guides: await guides[language](), is_translated: false }
      return { ...guidesPage(view), status }
    }
    const find = async (name: string): Promise<PageOfGuides> => {
      const [own, others] = [await guides[language](), await guides[otherLanguage(language)]()]
      const is_translated = name === LIST ? others.length > 0 : others.some((one) => one.name === name)
      return { guide: own.find((one) => one.name === name), guides: own, is_translated }
    }
    const pages = keptByName(async (name) => {
      const { guide, ...rest } = await find(name)
      const view = { language, ...rest }
      const page = guide ? guidePage(guide, view) : guidesPage(view)
      return { ...page, headers: { ...page.headers, ...OWN } }
    })
    const show = async (name: string, request: PlainRequest) => {
      const found = await find(name)
      if (name !== LIST && !found.guide) return list(404)
      return toOtherLanguage(language, found, request) ?? pages(name, request)
    }
    const texts = keptByName(async (name) => {
      const guide = (await guides[language]()).find((one) => `${one.name}${MARKDOWN}` === name)
      return guide ? markdownAnswer(guide.text) : asMarkdown(await list(404))
    })
    return [
      { path, answer: (request) => show(LIST, request) },
      { path: path + MARKDOWN, answer: kept(async () => asMarkdown(await list(200))) },
      {
        path: `${path}/{name}`,
        answer: async (request) => {
          const { name = LIST } = request.params
          if (name === LIST) return list(404)
          return name.endsWith(MARKDOWN) ? texts(name, request) : show(name, request)
        },
      },
    ]
  })
}
