import { existsSync } from 'node:fs'
import { type Browser, chromium } from 'playwright-core'

const EXECUTABLE = '/usr/bin/chromium'

/** Whether there is a browser to click with. Whoever skips for lack of one says so. */
export const HAS_CHROMIUM = existsSync(EXECUTABLE)
if (!HAS_CHROMIUM) console.warn(`skipped what is clicked in a browser: there is none at ${EXECUTABLE}`)

/** A browser that takes the name of the tests for the port they listen on. */
export function openChromium(address: string): Promise<Browser> {
  const { host } = new URL(address)
  return chromium.launch({
    executablePath: EXECUTABLE,
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      `--host-resolver-rules=MAP timbre.test:80 ${host}`,
    ],
  })
}
