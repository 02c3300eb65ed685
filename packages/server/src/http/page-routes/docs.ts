import type { Operation } from '../../domain/operation.ts'
import { recordedExamples } from '../../domain/recorded-examples.ts'
import type { Answer } from '../../kernel/answer.ts'
import type { ContractAddresses } from '../../openapi/document.ts'
import { changelogFeed, changelogPage, readChangelog } from '../../pages/changelog.ts'
import { SCRIPT_PATH, scriptAnswer } from '../../pages/docs-script.ts'
import { errorPage, errorsPage } from '../../pages/errors.ts'
import { eventsPage } from '../../pages/events.ts'
import { headingsOf } from '../../pages/guide-text.ts'
import { type Guide, guidesPage, guidesPath, readGuides } from '../../pages/guides.ts'
import { asMarkdown, markdownOf } from '../../pages/html-to-markdown.ts'
import { landingPage } from '../../pages/landing.ts'
import { limitsPage } from '../../pages/limits.ts'
import { type IndexEntry, llmsFullText, llmsText } from '../../pages/llms.ts'
import { POSTMAN_PATH, postmanAnswer } from '../../pages/postman.ts'
import { referencePage } from '../../pages/reference/index-page.ts'
import { type Reference, referenceOf, resourcePage } from '../../pages/reference/resource-page.ts'
import { resourcePath, resourcesOf } from '../../pages/reference/resources.ts'
import { type Findable, SEARCH_PATH, searchAnswer, searchIndex } from '../../pages/search-index.ts'
import { versioningPage } from '../../pages/versioning.ts'
import type { Addresses } from '../../ports/ports.ts'
import type { PlainRoute } from '../routes.ts'
import { guideRoutes } from './guides.ts'
import { kept, keptByName, once } from './kept.ts'

/** A page of the documentation, and what an index says of it. */
export interface DocPage extends IndexEntry {
  readonly answer: () => Promise<Answer>
}

export interface Docs {
  readonly pages: readonly DocPage[]
  /** Those in English, which agents are offered. */
  readonly guides: () => Promise<readonly Guide[]>
  readonly spanish_guides: () => Promise<readonly Guide[]>
  readonly reference: () => Promise<Reference>
}

/** The documentation of this very version, a page a line. */
export function openDocs(operations: readonly Operation[], addresses: Addresses): Docs {
  const log = once(readChangelog)
  const guides = once(() => readGuides(addresses.public_url))
  const spanish_guides = once(() => readGuides(addresses.public_url, 'es'))
  const page = (path: string, title: string, about: string, make: () => Answer | Promise<Answer>): DocPage => ({
    path,
    title,
    about,
    answer: once(make),
  })
  const resources = resourcesOf(operations)
  const reference = once(async () => referenceOf(resources, recordedExamples()))
  const pages = [
    page('/docs', 'Reference', 'the rules of every call, and every operation by name.', () =>
      referencePage(resources, addresses),
    ),
    ...resources.map((resource) =>
      page(resource.path, resource.title, 'its operations: input, answer, scope, codes, examples.', async () =>
        resourcePage(await reference(), resource, addresses),
      ),
    ),
    page('/docs/errors', 'Errors', 'every error code and what to do about it.', () => errorsPage(operations)),
    page('/docs/events', 'Events', 'every event type, and how to read the ledger.', eventsPage),
    page('/docs/limits', 'Limits', 'rates, sizes and retention.', () => limitsPage(operations)),
    page('/docs/guides', 'Guides', 'how to do things, step by step.', async () =>
      guidesPage({ language: 'en', guides: await guides(), is_translated: false }),
    ),
    page('/docs/versioning', 'Versioning', 'what stays, and how a withdrawal is announced.', () =>
      versioningPage(operations),
    ),
    page('/changelog', 'Changelog', 'what changed, dated.', async () => changelogPage(await log())),
  ]
  return { pages, guides, spanish_guides, reference }
}

const entryIn =
  (path: string) =>
  ({ name, title, about }: Guide): IndexEntry => ({ path: `${path}/${name}`, title, about })
const guideEntry = entryIn(guidesPath('en'))
const spanishEntry = entryIn(guidesPath('es'))

/** A guide is found by what its parts are about, too. */
const withHeadings = (entry: typeof guideEntry) => (guide: Guide) => {
  const about = [guide.about, ...headingsOf(guide.text)].join(' ')
  return { ...entry(guide), about }
}

const MARKDOWN = '.md'
const withoutEnding = (name: string) => (name.endsWith(MARKDOWN) ? name.slice(0, -MARKDOWN.length) : name)

/** All that can be found by a word. */
async function searchable({ pages, guides, spanish_guides, reference }: Docs): Promise<Answer> {
  const findable = (kind: Findable['kind'], entries: readonly IndexEntry[]) =>
    entries.map(({ title, path, about }): Findable => ({ kind, title, path, words: about }))
  const found = [
    ...findable('page', pages),
    ...findable('guide', (await guides()).map(withHeadings(guideEntry))),
    ...findable('guía', (await spanish_guides()).map(withHeadings(spanishEntry))),
  ]
  return searchAnswer(searchIndex(await reference(), found))
}

async function llmsIndex(docs: Docs, addresses: Addresses): Promise<Answer> {
  const [english, spanish] = [await docs.guides(), await docs.spanish_guides()]
  return llmsText(docs.pages, [...english.map(guideEntry), ...spanish.map(spanishEntry)], addresses)
}

/** Every page and every guide in English, one after the other. */
async function llmsWhole(docs: Docs): Promise<Answer> {
  const pages = await Promise.all(docs.pages.map(async ({ answer }) => markdownOf((await answer()).body ?? '')))
  return llmsFullText([...(await docs.guides()).map(({ text }) => text), ...pages])
}

/**
 * `/docs/reference/tax#tax.sync`: the first word of an id is no page where its operations are on several. The index is, and knows
 * where each went; a browser carries the part behind the # over.
 */
function formerPages(operations: readonly Operation[]): PlainRoute[] {
  const pages = resourcesOf(operations).map(({ key }) => key)
  const words = new Set(operations.map(({ id }) => id.split('.')[0] ?? id))
  const location = { status: 302, headers: { Location: '/docs' }, body: null }
  return [...words]
    .filter((word) => !pages.includes(word))
    .map((word) => ({ path: resourcePath(word), answer: () => location }))
}

/** The documentation for people, and for programs the same pages as Markdown: the same address with `.md`. */
export function docsRoutes(operations: readonly Operation[], addresses: Addresses): PlainRoute[] {
  const docs = openDocs(operations, addresses)
  const log = once(readChangelog)
  const errorAnswer = keptByName((code) => {
    const found = errorPage(withoutEnding(code), operations, addresses)
    return code.endsWith(MARKDOWN) ? asMarkdown(found) : found
  })
  return [
    // Not kept: each reader is shown a RUT of their own.
    { path: '/', answer: () => landingPage(addresses) },
    { path: '/index.md', answer: () => asMarkdown(landingPage(addresses)) },
    ...docs.pages
      .filter(({ path }) => path !== guidesPath('en'))
      .flatMap(({ path, answer }): PlainRoute[] => [
        { path, answer: kept(answer) },
        { path: path + MARKDOWN, answer: kept(async () => asMarkdown(await answer())) },
      ]),
    ...guideRoutes({ en: docs.guides, es: docs.spanish_guides }),
    ...formerPages(operations),
    { path: SCRIPT_PATH, answer: kept(scriptAnswer) },
    { path: SEARCH_PATH, answer: kept(() => searchable(docs)) },
    { path: POSTMAN_PATH, answer: kept(async () => postmanAnswer(await docs.reference(), addresses)) },
    { path: '/docs/errors/{code}', answer: (request) => errorAnswer(request.params.code ?? '', request) },
    { path: '/changelog.rss', answer: kept(async () => changelogFeed(await log(), addresses)) },
    { path: '/llms.txt', answer: kept(() => llmsIndex(docs, addresses)) },
    { path: '/llms-full.txt', answer: kept(() => llmsWhole(docs)) },
  ]
}

/** The contracts with the addresses of this installation, written at the first request: most processes never get one. */
export function contractRoutes(operations: readonly Operation[], addresses: ContractAddresses): PlainRoute[] {
  const files = once(async () => (await import('../../openapi/document.ts')).contractFiles(operations, addresses))
  return ['v1.json', 'v1.yaml', 'bootstrap.json', 'bootstrap.yaml'].map((name) => {
    const type = name.endsWith('.json') ? 'application/json; charset=utf-8' : 'application/yaml; charset=utf-8'
    // Editors and generators in a browser read it from their own origin.
    const open = { 'Access-Control-Allow-Origin': '*', 'Access-Control-Expose-Headers': 'ETag' }
    const answer = kept(async () => ({
      status: 200,
      headers: { 'Content-Type': type, ...open },
      body: (await files()).get(name) ?? '',
    }))
    return { path: `/openapi/${name}`, answer }
  })
}
