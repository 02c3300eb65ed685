// Every page that a person can be shown, judged by axe-core against WCAG 2.2 AA, wide and narrow, light and dark.

import { readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { AxeResults } from 'axe-core'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { HAS_CHROMIUM, openChromium } from './support/chromium.ts'
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

/** The rows of a long table, and the items of a long list, differ in their words alone. */
const PRUNE = `
  for (const body of document.querySelectorAll('tbody')) while (body.rows.length > 3) body.deleteRow(3)
  for (const list of document.querySelectorAll('ul, ol, dl')) while (list.children.length > 6) list.lastChild.remove()`

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
  beforeAll(async () => {
    browser = await openChromium('http://127.0.0.1:9')
    const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
    for (const { width, height, colorScheme } of SCREENS) {
      const context = await browser.newContext({ viewport: { width, height }, colorScheme })
      await context.addInitScript(axe)
      screens.push(await context.newPage())
    }
  })
  afterAll(() => browser?.close())

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
      for (const sample of samples.pages) {
        const wrong = await judge(screen, sample, run)
        if (wrong.length > 0) found[sample.name] = wrong
      }
      expect(found).toEqual({})
    },
  )
})
