import { readFileSync } from 'node:fs'

const { scripts } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as {
  readonly scripts: { readonly start: string }
}

/** What Node is told where `npm start` runs the service: what is measured is what ships. */
export const NODE_FLAGS = scripts.start.split(' ').filter((word) => word.startsWith('--'))
