import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { parseAst } from 'vite'

export interface Pattern {
  readonly where: string
  readonly source: string
  readonly flags: string
}

interface Node {
  readonly type?: string
  readonly regex?: { readonly pattern: string; readonly flags: string }
  readonly callee?: { readonly name?: string }
}

function nodesOf(tree: object): Node[] {
  const found: Node[] = []
  const open: unknown[] = [tree]
  for (let one = open.pop(); open.length > 0 || one !== undefined; one = open.pop()) {
    if (one === null || typeof one !== 'object') continue
    if ('type' in one) found.push(one as Node)
    open.push(...Object.values(one))
  }
  return found
}

/** Every pattern that the sources of a package write, and the places where one is made at run time: as they were compiled. */
export function patternsIn(folder: URL): { written: Pattern[]; made: string[] } {
  const written: Pattern[] = []
  const made: string[] = []
  const root = fileURLToPath(folder)
  const names = readdirSync(root, { recursive: true, encoding: 'utf8' })
  for (const where of names.filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))) {
    const code = readFileSync(`${root}../dist/${where.replace(/\.ts$/, '.js')}`, 'utf8')
    for (const { type, regex, callee } of nodesOf(parseAst(code))) {
      if (regex) written.push({ where, source: regex.pattern, flags: regex.flags })
      if ((type === 'NewExpression' || type === 'CallExpression') && callee?.name === 'RegExp') made.push(where)
    }
  }
  return { written, made }
}
