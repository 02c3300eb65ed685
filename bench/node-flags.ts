import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** What Node is told where `npm start` runs the service of a checkout: what is measured is what ships. */
export function nodeFlagsOf(tree: string): string[] {
  const { scripts } = JSON.parse(readFileSync(join(tree, 'package.json'), 'utf8')) as {
    readonly scripts: { readonly start: string }
  }
  return scripts.start.split(' ').filter((word) => word.startsWith('--'))
}

export const NODE_FLAGS = nodeFlagsOf(fileURLToPath(new URL('..', import.meta.url)))
