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

/** The rooms of the domain, each knowing only those before it. */
const ROOMS = ['platform', 'issuing', 'receiving', 'tax', 'banking'] as const

const BELOW = ['catalog', 'kernel', 'ports', 'domain'] as const

/** Whom each folder may import beside itself. What is not listed is the root, which puts everything together. */
const ALLOWED: Readonly<Record<string, readonly string[]>> = {
  catalog: [],
  kernel: ['catalog'],
  ports: ['catalog', 'kernel'],
  domain: ['catalog', 'kernel', 'ports'],
  pages: BELOW,
  openapi: BELOW,
  sdk: [...BELOW, 'openapi'],
  worker: BELOW,
  http: [...BELOW, 'pages', 'openapi'],
  mcp: [...BELOW, 'pages', 'http'],
  oauth: [...BELOW, 'pages', 'http'],
  adapters: ['catalog', 'kernel', 'ports'],
  sandbox: BELOW,
}
const layerOf = (name: string) => name.split('/').find((part) => part in ALLOWED) ?? 'root'
const roomOf = (name: string) => ROOMS.findIndex((room) => name.startsWith(`domain/${room}/`))
/** `domain/tax/f29` of anything inside it. */
const nounOf = (name: string) => /^domain\/[^/]+\/[^/]+(?=\/)/.exec(name)?.[0] ?? dirname(name)

function offenders(rule: (source: Source) => readonly string[]): string[] {
  return sources.flatMap((source) => rule(source).map((what) => `${source.name}: ${what}`))
}

/** Every set of files that import one another in a ring, by Tarjan's algorithm. */
function circles(graph: ReadonlyMap<string, readonly string[]>): string[][] {
  const order = new Map<string, number>()
  const low = new Map<string, number>()
  const stack: string[] = []
  const found: string[][] = []
  const visit = (name: string): void => {
    order.set(name, order.size)
    low.set(name, order.get(name) as number)
    stack.push(name)
    for (const next of graph.get(name) ?? []) {
      if (!graph.has(next)) continue
      if (!order.has(next)) visit(next)
      if (stack.includes(next)) low.set(name, Math.min(low.get(name) as number, low.get(next) as number))
    }
    if (low.get(name) !== order.get(name)) return
    const ring = stack.splice(stack.indexOf(name))
    if (ring.length > 1) found.push(ring)
  }
  for (const name of graph.keys()) if (!order.has(name)) visit(name)
  return found
}

function onlyIn(files: readonly string[], pattern: RegExp): string[] {
  return offenders(({ name, text }) => (files.includes(name) || !pattern.test(bare(text)) ? [] : [String(pattern)]))
}

describe('the arrows', () => {
  const within = ({ imports }: Source) => imports.filter((target) => target.endsWith('.ts'))

  it('point downwards, from folder to folder', () => {
    const wrong = offenders((source) => {
      const layer = layerOf(source.name)
      const allowed = ALLOWED[layer]
      return allowed ? within(source).filter((target) => ![layer, ...allowed].includes(layerOf(target))) : []
    })
    expect(wrong).toEqual([])
  })

  it('point downwards inside the domain too, from room to room', () => {
    const wrong = offenders((source) => {
      const room = roomOf(source.name)
      return room < 0 && layerOf(source.name) !== 'domain'
        ? []
        : within(source).filter((target) => roomOf(target) > room)
    })
    expect(wrong).toEqual([])
  })

  it('make no circle of files', () => {
    expect(circles(new Map(sources.map((source) => [source.name, within(source)])))).toEqual([])
  })

  it('reach adapters and the sandbox from the root alone', () => {
    const wrong = offenders((source) => {
      const layer = layerOf(source.name)
      const foreign = within(source).filter((target) => ['adapters', 'sandbox'].includes(layerOf(target)))
      return layer === 'root' ? [] : foreign.filter((target) => layerOf(target) !== layer)
    })
    expect(wrong).toEqual([])
  })

  it('end before the store of another noun', () => {
    const wrong = offenders((source) =>
      within(source).filter((target) => /store\.ts$/.test(target) && nounOf(target) !== nounOf(source.name)),
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

describe('the tables', () => {
  const tables = readdirSync(join(PACKAGE, 'db'))
    .map((file) => readFileSync(join(PACKAGE, 'db', file), 'utf8'))
    .flatMap((ddl) =>
      [...ddl.matchAll(/create (?:unlogged )?table (?:if not exists )?(\w+)/gi)].map(([, name]) => name ?? ''),
    )

  /** The kernel writes these; what callers read of them belongs to a noun. */
  const SHARED_WITH_KERNEL: Readonly<Record<string, string>> = {
    audit_entry: 'domain/platform/audit-log',
    event: 'domain/platform/event',
    job: 'domain/platform/job',
    test_clock: 'domain/platform/test-clock',
  }

  /** The folders whose statements name a table. */
  const named = new Map<string, Set<string>>()
  for (const { name, text } of sources) {
    const statements = [...bare(text).matchAll(/`[^`]*`/g)].join('\n')
    for (const [, table = ''] of statements.matchAll(/\b(?:from|join|into|update|using)\s+(?:only\s+)?(\w+)\b/gi)) {
      if (tables.includes(table)) named.set(table, (named.get(table) ?? new Set()).add(ownerOf(name)))
    }
  }

  /** A noun, the kernel, or one side of the sandbox. */
  function ownerOf(name: string): string {
    return layerOf(name) === 'domain' ? nounOf(name) : layerOf(name)
  }

  it('are named by the statements of one noun alone', () => {
    const wrong = [...named].filter(([table, owners]) => {
      const shared = SHARED_WITH_KERNEL[table]
      return (
        [...owners].filter((owner) => shared === undefined || ![shared, 'kernel'].includes(owner)).length >
        (shared ? 0 : 1)
      )
    })
    expect(wrong.map(([table, owners]) => `${table}: ${[...owners].join(', ')}`)).toEqual([])
  })
})

describe('one importer each', () => {
  const importers = (target: RegExp) =>
    sources.filter(({ imports }) => imports.some((name) => target.test(name))).map(({ name }) => name)

  it('the HTTP framework', () => {
    expect(importers(/^fastify$/).sort()).toEqual([
      'app.ts',
      'http/framework.ts',
      'http/plain-routes.ts',
      'http/server.ts',
    ])
  })

  it('the PostgreSQL driver', () => {
    expect(importers(/^pg$/)).toEqual(['kernel/db.ts'])
  })

  it('the MCP library', () => {
    expect(importers(/^@modelcontextprotocol\//)).toEqual(['mcp/server.ts'])
  })

  it('the authorization server, by its types alone: it is loaded when somebody comes for a token', () => {
    expect(importers(/^oidc-provider/).sort()).toEqual(['oauth/consent-routes.ts', 'oauth/provider.ts'])
    expect(offenders(({ text }) => text.match(/^import (?!type)[^\n]*'oidc-provider[^']*'/gm) ?? [])).toEqual([])
  })

  it('the environment is read in config.ts alone', () => {
    // An example on a page shows how callers read theirs.
    expect(onlyIn(['config.ts', 'pages/samples/typescript.ts'], /process\.env/)).toEqual([])
  })

  it('the system clock is read in kernel/clock.ts alone', () => {
    expect(onlyIn(['kernel/clock.ts'], /\bDate\.now\(\)|new Date\(\)/)).toEqual([])
  })
})

describe('what code may not do', () => {
  it('write a status outside advance and the queue', () => {
    const statuses = /update\s+\w+\s+set\s[^`]*\b(?:resolucion_)?status\s*=/
    // The status of an answer that is kept is HTTP's.
    const free = [
      'kernel/advance.ts',
      'kernel/queue.ts',
      'kernel/queue-clock.ts',
      'kernel/idempotency.ts',
      'domain/platform/test-clock/store.ts',
    ]
    const wrong = onlyIn(free, statuses)
    expect(wrong).toEqual([])
  })

  it('ask which mode it runs in', () => {
    expect(onlyIn(['catalog/modes.ts'], /\bmode\s*[!=]==?\s*'(?:test|live)'/)).toEqual([])
  })

  it('print, or leave marks of unfinished work', () => {
    // The programs that load a file talk to a terminal; nothing else does.
    expect(
      onlyIn(
        ['load-nomina.ts', 'load-indicators.ts', 'pages/samples/typescript.ts'],
        /console\.log|\b(?:TODO|FIXME|XXX)\b|@ts-ignore|\bas any\b/,
      ),
    ).toEqual([])
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
