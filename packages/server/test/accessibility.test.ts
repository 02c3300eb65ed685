// Every page that a person can be shown, judged by axe-core against WCAG 2.2 AA, wide and narrow, light and dark.

import { readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { AxeResults } from 'axe-core'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { HAS_CHROMIUM, openChromium } from './support/chromium.ts'
import { IN_FULL } from './support/in-full.ts'
import { openSamplePages, type SamplePage, type SamplePages } from './support/sample-pages.ts'

const FOLDER = new URL('../src/pages/', import.meta.url)

/** What axe-core has for WCAG 2.0, 2.1 and 2.2, at A and AA, and what it calls good practice. */
const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22a', 'wcag22aa', 'best-practice']
/** The rules whose answer depends on the screen: the others say the same of every one. */
const SCREEN_RULES = ['color-contrast', 'target-size', 'scrollable-region-focusable', 'link-in-text-block']

// Two of the four combinations show every colour and every width: no rule of the stylesheet depends on both.
const SCREENS = [
  { name: 'desktop', width: 1280, height: 800, colorScheme: 'light', run: TAGS },
  { name: 'phone', width: 390, height: 844, colorScheme: 'dark', run: SCREEN_RULES },
] as const

/** The rows of a long table, the items of a long list and the like: siblings of one shape differ in their words alone. */
const PRUNE = `
  const signOf = (element) => element.tagName + '.' + element.className + element.getAttributeNames()
  const shapeOf = (element) => [element, ...element.querySelectorAll('*')].map(signOf).join(' ')
  for (const parent of document.querySelectorAll('*')) {
    const alike = new Map()
    for (const child of [...parent.children]) {
      const shape = shapeOf(child)
      alike.set(shape, (alike.get(shape) ?? 0) + 1)
      if (alike.get(shape) > 2) child.remove()
    }
  }
  for (const list of document.querySelectorAll('ul, ol, dl')) while (list.children.length > 6) list.lastChild.remove()
  for (const body of document.querySelectorAll('tbody')) while (body.rows.length > 3) body.deleteRow(3)`

/** Of each page the kinds of elements it shows: what an element is, which attributes it has, and within which others it stands. */
const KINDS = `(pages) => pages.map((html) => {
  const kindOf = (element) => element.parentElement
    ? kindOf(element.parentElement) + ' > ' + element.tagName + '.' + element.className + element.getAttributeNames().sort()
    : ''
  const { body } = new DOMParser().parseFromString(html, 'text/html')
  return [...new Set([...body.querySelectorAll('*')].map(kindOf))]
})`

interface Shown {
  readonly page: SamplePage
  readonly kinds: readonly string[]
}

/** Those that show an element as no page before them did, the richest first: the others are left to the long form. */
function showingSomethingNew(pages: readonly Shown[]): Shown[] {
  const known = new Set<string>()
  const isNew = ({ kinds }: Shown) => {
    const before = known.size
    for (const kind of kinds) known.add(kind)
    return known.size > before
  }
  return [...pages].sort((one, other) => other.kinds.length - one.kinds.length).filter(isNew)
}

/** The functions that make a page, by the names they are exported under. */
function pageFunctions(): string[] {
  const files = readdirSync(FOLDER, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.ts'))
  const texts = files.map((file) => readFileSync(new URL(file, FOLDER), 'utf8'))
  return texts.flatMap((text) => [...text.matchAll(/^export function (\w+Page)\(/gm)].map(([, name]) => name as string))
}

let samples: SamplePages
beforeAll(async () => {
  samples = await openSamplePages()
})
afterAll(() => samples?.close())

it('has a sample of every page there is', () => {
  // The frame of the documentation, which each of its pages is shown in.
  const made = pageFunctions().filter((name) => name !== 'docsPage')
  expect(made.filter((name) => !samples.pages.some((page) => page.made_by === name))).toEqual([])
})

describe.skipIf(!HAS_CHROMIUM)('axe-core reports nothing', () => {
  let browser: Browser
  const screens: Page[] = []
  let shown: readonly Shown[] = []
  let judged: readonly Shown[] = []
  beforeAll(async () => {
    browser = await openChromium('http://127.0.0.1:9')
    const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
    for (const { width, height, colorScheme } of SCREENS) {
      const context = await browser.newContext({ viewport: { width, height }, colorScheme })
      await context.addInitScript(axe)
      screens.push(await context.newPage())
    }
    const htmls = JSON.stringify(samples.pages.map(({ html }) => html))
    const kinds = (await screens[0]?.evaluate<string[][]>(`(${KINDS})(${htmls})`)) ?? []
    shown = samples.pages.map((page, place) => ({ page, kinds: kinds[place] ?? [] }))
    judged = IN_FULL ? shown : showingSomethingNew(shown)
  })
  afterAll(() => browser?.close())

  it('every kind of element that some page shows is judged on one of them', () => {
    const kindsOn = (pages: readonly Shown[]) => new Set(pages.flatMap(({ kinds }) => kinds))
    expect(kindsOn(judged)).toEqual(kindsOn(shown))
    expect(kindsOn(shown).size).toBeGreaterThan(300)
  })

  async function judge(page: Page, { name, html }: SamplePage, run: readonly string[]): Promise<string[]> {
    // What a provider's script would draw is not ours, and none is fetched.
    await page.setContent(html.replace(/<script .*?<\/script>/g, ''))
    const folder = process.env.TIMBRE_PICTURES
    if (folder) await page.screenshot({ path: `${folder}/${name}-${page.viewportSize()?.width}.png`, fullPage: true })
    const options = JSON.stringify({ runOnly: run, resultTypes: ['violations'] })
    const [wide, results] = await page.evaluate<[boolean, AxeResults]>(`(async () => {
      const wide = document.documentElement.scrollWidth > innerWidth
      ${PRUNE}
      return [wide, await axe.run(document, ${options})]
    })()`)
    const found = results.violations.flatMap(({ id, nodes }) =>
      nodes.map(({ target, failureSummary }) => `${id} at ${target.join(' ')}: ${failureSummary}`),
    )
    return wide ? [...found, 'wider than the screen'] : found
  }

  it.each(SCREENS.map((screen, place) => [screen.name, screen.run, place] as const))(
    'on a %s',
    async (_, run, place) => {
      const screen = screens[place] as Page
      const found: Record<string, string[]> = {}
      for (const { page } of judged) {
        const wrong = await judge(screen, page, run)
        if (wrong.length > 0) found[page.name] = wrong
      }
      expect(found).toEqual({})
    },
  )
})
