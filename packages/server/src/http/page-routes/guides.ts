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

export type Guides = Readonly<Record<GuideLanguage, () => Promise<readonly Guide[]>>>

const MARKDOWN = '.md'
const COOKIE = 'timbre_lang'
const REMEMBERED_SECONDS = 365 * 24 * 3600

const isLanguage = (text: string | undefined): text is GuideLanguage => GUIDE_LANGUAGES.some((one) => one === text)

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
 * A page in one language. Whoever chose a language gets it wherever there is the same page in it; the choice comes with the
 * address, is remembered by a cookie and leaves the address again.
 */
async function inLanguage(
  guides: Guides,
  language: GuideLanguage,
  name: string | null,
  request: PlainRequest,
): Promise<Answer | null> {
  const [own, others] = [await guides[language](), await guides[otherLanguage(language)]()]
  const guide = own.find((one) => one.name === name)
  if (name !== null && !guide) return null
  const has = (all: readonly Guide[]) => (name === null ? all.length > 0 : all.some((one) => one.name === name))
  const path = (to: GuideLanguage) => `${guidesPath(to)}${name === null ? '' : `/${name}`}`
  const { lang } = request.query
  if (isLanguage(lang)) {
    const cookie = `${COOKIE}=${lang}; Path=/docs; Max-Age=${REMEMBERED_SECONDS}; SameSite=Lax`
    return goTo(path(lang === language || has(others) ? lang : language), { 'Set-Cookie': cookie })
  }
  const wanted = remembered(request)
  if (wanted !== null && wanted !== language && has(others)) return goTo(path(wanted))
  const view = { language, guides: own, is_translated: has(others) }
  const page = guide ? guidePage(guide, view) : guidesPage(view)
  return { ...page, headers: { ...page.headers, ...OWN } }
}

/** The guides of both languages: pages, and the very files as Markdown. */
export function guideRoutes(guides: Guides): PlainRoute[] {
  return GUIDE_LANGUAGES.flatMap((language): PlainRoute[] => {
    const path = guidesPath(language)
    const list = async (status: number) => {
      const view = { language, guides: await guides[language](), is_translated: false }
      return { ...guidesPage(view), status }
    }
    return [
      { path, answer: async (request) => (await inLanguage(guides, language, null, request)) ?? list(404) },
      { path: path + MARKDOWN, answer: async () => asMarkdown(await list(200)) },
      {
        path: `${path}/{name}`,
        answer: async (request) => {
          const { name = '' } = request.params
          if (!name.endsWith(MARKDOWN)) return (await inLanguage(guides, language, name, request)) ?? list(404)
          const guide = (await guides[language]()).find((one) => `${one.name}${MARKDOWN}` === name)
          return guide ? markdownAnswer(guide.text) : asMarkdown(await list(404))
        },
      },
    ]
  })
}
