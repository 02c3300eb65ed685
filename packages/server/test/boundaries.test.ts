import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'

const PACKAGE = fileURLToPath(new URL('../', import.meta.url))
const SRC = join(PACKAGE, 'src')

interface Source {
  readonly name: string
  readonly text: string
  /** Relative imports as paths from src, packages by their name. */
  readonly imports: readonly string[]
}

function importsOf(name: string, text: string): string[] {
  const found = [...text.matchAll(/(?:^|\n)(?:import|export)\s[^'"]*?from '([^']+)'|import\('([^']+)'\)/g)]
  return found.map(([, one, two]) => {
    const target = one ?? two ?? ''
    return target.startsWith('.') ? normalize(join(dirname(name), target)) : target
  })
}

const sources: Source[] = readdirSync(SRC, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
  .map((name) => {
    const text = readFileSync(join(SRC, name), 'utf8')
    return { name, text, imports: importsOf(name, text) }
  })

/** Comments explain; they are not held to the rules. */
const bare = (text: string) => text.replace(/\/\*[\s\S]*?\*\//g, '').replace(/(^|\s)\/\/.*$/gm, '')

const LAYERS = ['catalog', 'kernel', 'ports', 'modules', 'pages', 'surfaces', 'adapters'] as const
const layerOf = (name: string) => LAYERS.find((layer) => name.startsWith(`${layer}/`)) ?? 'main'

// Who may import whom. Types of ports are what the kernel's contexts carry, so the two know each other.
const ALLOWED: Readonly<Record<string, readonly string[]>> = {
  catalog: ['catalog'],
  kernel: ['catalog', 'kernel', 'ports'],
  ports: ['catalog', 'kernel', 'ports'],
  modules: ['catalog', 'kernel', 'ports', 'modules'],
  pages: ['catalog', 'kernel', 'ports', 'modules', 'pages'],
  surfaces: ['catalog', 'kernel', 'ports', 'modules', 'pages', 'surfaces'],
  adapters: ['catalog', 'kernel', 'ports', 'adapters'],
}

function offenders(rule: (source: Source) => readonly string[]): string[] {
  return sources.flatMap((source) => rule(source).map((what) => `${source.name}: ${what}`))
}

function onlyIn(files: readonly string[], pattern: RegExp): string[] {
  return offenders(({ name, text }) => (files.includes(name) || !pattern.test(bare(text)) ? [] : [String(pattern)]))
}

describe('the layers', () => {
  it('import downwards only', () => {
    const wrong = offenders(({ name, imports }) => {
      const allowed = ALLOWED[layerOf(name)]
      if (!allowed) return []
      return imports.filter(
        (target) => target.endsWith('.ts') && !allowed.includes(layerOf(target)) && target !== 'config.ts',
      )
    })
    expect(wrong).toEqual([])
  })

  it('keep adapters for the composition roots', () => {
    const roots = ['main.ts', 'load-nomina.ts']
    const wrong = offenders(({ name, imports }) =>
      roots.includes(name) || name.startsWith('adapters/')
        ? []
        : imports.filter((target) => target.startsWith('adapters/')),
    )
    expect(wrong).toEqual([])
  })

  it('keep a store private to its module', () => {
    const wrong = offenders(({ name, imports }) =>
      imports.filter((target) => /^modules\/.*store\.ts$/.test(target) && dirname(target) !== dirname(name)),
    )
    expect(wrong).toEqual([])
  })

  it('keep the kernel free of the domain', () => {
    const domain = /\b(folio|document_id|counterparty|contribuyente|resolucion|tipo_dte|webhook)\b/
    expect(
      offenders(({ name, text }) => (name.startsWith('kernel/') && domain.test(bare(text)) ? ['domain word'] : [])),
    ).toEqual([])
  })
})

describe('one importer each', () => {
  const importers = (target: RegExp) =>
    sources.filter(({ imports }) => imports.some((name) => target.test(name))).map(({ name }) => name)

  it('the HTTP framework', () => {
    expect(importers(/^fastify$/).sort()).toEqual(['app.ts', 'surfaces/http-server.ts'])
  })

  it('the PostgreSQL driver', () => {
    expect(importers(/^pg$/)).toEqual(['kernel/db.ts'])
  })

  it('the MCP library', () => {
    expect(importers(/^@modelcontextprotocol\//)).toEqual(['surfaces/mcp.ts'])
  })

  it('the authorization server, by its types alone: it is loaded when somebody comes for a token', () => {
    expect(importers(/^oidc-provider/).sort()).toEqual(['surfaces/oauth-pages.ts', 'surfaces/oauth-provider.ts'])
    expect(offenders(({ text }) => text.match(/^import (?!type)[^\n]*'oidc-provider[^']*'/gm) ?? [])).toEqual([])
  })

  it('the environment is read in config.ts alone', () => {
    expect(onlyIn(['config.ts'], /process\.env/)).toEqual([])
  })

  it('the system clock is read in kernel/clock.ts alone', () => {
    expect(onlyIn(['kernel/clock.ts'], /\bDate\.now\(\)|new Date\(\)/)).toEqual([])
  })
})

describe('what code may not do', () => {
  it('write a status outside advance and the queue', () => {
    const statuses = /update\s+\w+\s+set\s[^`]*\b(?:resolucion_)?status\s*=/
    // The status of an answer that is kept is HTTP's.
    const free = ['kernel/advance.ts', 'kernel/queue.ts', 'kernel/idempotency.ts', 'modules/test-helper/store.ts']
    const wrong = onlyIn(free, statuses)
    expect(wrong).toEqual([])
  })

  it('ask which mode it runs in', () => {
    expect(onlyIn(['catalog/modes.ts'], /\bmode\s*[!=]==?\s*'(?:test|live)'/)).toEqual([])
  })

  it('print, or leave marks of unfinished work', () => {
    // The program that loads the nómina talks to a terminal; nothing else does.
    expect(onlyIn(['load-nomina.ts'], /console\.log|\b(?:TODO|FIXME|XXX)\b|@ts-ignore|\bas any\b/)).toEqual([])
  })

  it('import what its package.json does not name', () => {
    const { dependencies } = JSON.parse(readFileSync(join(PACKAGE, 'package.json'), 'utf8')) as {
      dependencies: Record<string, string>
    }
    const wrong = offenders(({ imports }) =>
      imports
        .filter((target) => !target.endsWith('.ts') && !target.startsWith('node:'))
        .map((target) =>
          target
            .split('/')
            .slice(0, target.startsWith('@') ? 2 : 1)
            .join('/'),
        )
        .filter((target) => !(target in dependencies)),
    )
    expect(wrong).toEqual([])
  })
})
