// A real browser that finds nobody beyond this machine.

import { appendFileSync, existsSync } from 'node:fs'
import { type Browser, chromium } from 'playwright-core'

const EXECUTABLE = '/usr/bin/chromium'

/** Whether there is a browser to click with. Whoever skips for lack of one says so. */
export const HAS_CHROMIUM = existsSync(EXECUTABLE)
if (!HAS_CHROMIUM) console.warn(`skipped what is clicked in a browser: there is none at ${EXECUTABLE}`)

const HERE = ['127.0.0.1', 'timbre.test']

/**
 * A browser that takes the name of the tests for the port they listen on, and finds nobody else: a page that asks for
 * anything beyond this machine fails the test, as `loopback-only.mjs` has it for our own processes.
 */
export async function openChromium(address: string): Promise<Browser> {
  const { host } = new URL(address)
  const browser = await chromium.launch({
    executablePath: EXECUTABLE,
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      // A process for each site protects secrets that no test has, and each start costs a third of a second of CPU.
      '--renderer-process-limit=1',
      '--disable-site-isolation-trials',
      '--no-proxy-server',
      `--host-resolver-rules=MAP timbre.test:80 ${host}, MAP * ~NOTFOUND, EXCLUDE 127.0.0.1`,
    ],
  })
  const newContext = browser.newContext.bind(browser)
  browser.newContext = async (options) => {
    const context = await newContext(options)
    context.on('request', (request) => {
      const { protocol, hostname } = new URL(request.url())
      if (!protocol.startsWith('http') || HERE.includes(hostname)) return
      appendFileSync(process.env.LOOPBACK_ONLY_REFUSALS ?? '', `A page asked for ${request.url()}\n`)
    })
    return context
  }
  return browser
}
