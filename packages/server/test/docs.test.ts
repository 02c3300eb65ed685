import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'

const ROOT = fileURLToPath(new URL('../../../', import.meta.url))
const markdown = (folder: string) =>
  readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => join(folder, name))
const PAGES = [
  ...readdirSync(ROOT).filter((name) => name.endsWith('.md') && name !== 'CHANGELOG.md'),
  ...markdown('docs'),
  ...['dte', 'certification', 'sii', 'sii-simulator', 'sdk', 'cli'].map((name) => `packages/${name}/README.md`),
]

/** A page names a file from the root, from the server's package or sources, or from another package. */
const PACKAGES = ['server', 'dte', 'certification', 'sii', 'sii-simulator', 'sdk', 'cli'].map(
  (name) => `packages/${name}`,
)
const BASES = ['', ...PACKAGES.flatMap((folder) => [folder, `${folder}/src`])]
const FOLDERS =
  /^(?:packages|docs|scripts|bench|openapi|test|src|db|catalog|kernel|ports|domain|http|mcp|oauth|openapi|worker|pages|adapters|sandbox)\//
const everyName = new Set(
  [...PACKAGES, 'scripts', 'bench'].flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => !name.includes('node_modules') && !name.includes('dist/'))
      .map((name) => name.split('/').at(-1) ?? ''),
  ),
)

function isThere(path: string): boolean {
  if (!path.includes('/')) return everyName.has(path) || existsSync(join(ROOT, path))
  return BASES.some((base) => existsSync(join(ROOT, base, path)))
}

describe('the pages for engineers', () => {
  it.each(PAGES)('%s names no file that does not exist', (page) => {
    const text = readFileSync(join(ROOT, page), 'utf8')
    const named = [...text.matchAll(/`([\w@./-]+)`/g)].map(([, path = '']) => path)
    const paths = named.filter((path) => FOLDERS.test(path) || /\w\.(?:ts|mjs|sql)$/.test(path))
    const links = [...text.matchAll(/\]\(([^)#:]+)(?:#[^)]*)?\)/g)].map(([, target = '']) => join(page, '..', target))
    expect([
      ...paths.filter((path) => !isThere(path)),
      ...links.filter((path) => !existsSync(join(ROOT, path))),
    ]).toEqual([])
  })
})
