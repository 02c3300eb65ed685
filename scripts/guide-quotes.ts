import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

// A guide quotes a file of `examples/` between fences that name it: ```js file=examples/pos/queue.mjs#drain. What stands
// between `#region drain` and `#endregion` in that file is what the guide shows; without a name, the whole file.

const root = fileURLToPath(new URL('..', import.meta.url))
const FOLDER = 'docs/guides'

const indentOf = (line: string) => /^ */.exec(line)?.[0].length ?? 0

/** The part of a text that a region names, without its indent. */
export function regionOf(text: string, name: string): string {
  const lines = text.split('\n')
  const first = lines.findIndex((line) => line.trim().endsWith(`#region ${name}`))
  if (first < 0) throw new Error(`there is no #region ${name}`)
  const length = lines.slice(first).findIndex((line) => line.trim().endsWith('#endregion'))
  const within = lines.slice(first + 1, first + length)
  const indent = Math.min(...within.filter((line) => line.trim() !== '').map(indentOf))
  return within.map((line) => line.slice(indent)).join('\n')
}

function quoted(source: string): string {
  const [file = '', region] = source.split('#')
  const text = readFileSync(join(root, file), 'utf8')
  return (region === undefined ? text : regionOf(text, region)).trimEnd()
}

const QUOTE = /^```(\w+) file=(\S+)\n[\s\S]*?^```$/gm

/** A guide with its quotes as the files are now. */
export function withQuotes(text: string): string {
  return text.replace(QUOTE, (_, language, source) => `\`\`\`${language} file=${source}\n${quoted(source)}\n\`\`\``)
}

/** Every guide with its quotes as the files are now, by its path from the root of the repository. */
export function quotingGuides(): Map<string, string> {
  const names = readdirSync(join(root, FOLDER), { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.md'),
  )
  return new Map(
    names.sort().map((name) => {
      const path = `${FOLDER}/${name.replaceAll('\\', '/')}`
      return [path, withQuotes(readFileSync(join(root, path), 'utf8'))]
    }),
  )
}
